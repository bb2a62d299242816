#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/fit.hpp"

namespace ridgepoint::plan {

/// An edit of a request: what a scan, a search or a piece of advice changes in it. The same edit of
/// the JSON request is `api::apply_change`.
struct Change {
  std::vector<engine::FlagValue> set;  ///< flags of the engine; each replaces its other spellings
  std::vector<std::string> unset;      ///< flags to leave out
  std::optional<std::string> gpu_id;
  std::optional<std::uint64_t> gpu_count;
  std::optional<std::uint64_t> context;      ///< workload.context; prompt and output go with it
  std::optional<std::uint64_t> concurrency;  ///< workload.concurrency
  /// JSON text of a quantization_config that takes the place of the model's (model.quant_config);
  /// only for a model that is not quantised. Empty: as it is.
  std::string quant_config;
  std::string engine_version;           ///< engine.version; empty: as it is
  bool whole_card_free = false;         ///< gpu.free_bytes goes: nothing else runs on the card
  bool without_draft = false;           ///< model.draft goes
  bool without_adapters = false;        ///< model.adapters go
  std::vector<std::string> unmeasured;  ///< members of `measured` that no longer hold and go
  std::optional<std::uint64_t> non_torch_bytes;  ///< measured.non_torch_bytes

  [[nodiscard]] bool empty() const {
    return set.empty() && unset.empty() && !gpu_id && !gpu_count && !context && !concurrency &&
           quant_config.empty() && engine_version.empty() && !whole_card_free && !without_draft &&
           !without_adapters && unmeasured.empty() && !non_torch_bytes;
  }
};

/// Whether two names mean the same flag of an engine, whichever of its spellings either is.
[[nodiscard]] bool same_flag(const engine::Engine& engine, std::string_view a, std::string_view b);

/// The value of a flag of the request by any of its spellings; null when it is not given.
[[nodiscard]] const engine::FlagValue* given_flag(const Request& request, std::string_view name);

void set_flag(Request& request, const engine::FlagValue& flag);
void unset_flag(Request& request, std::string_view name);

/// Puts a change into a request. Errors: `unknown_gpu` (gpu.id), those of read_quantization, and
/// `already_quantized` (model.quant_config) where a format is wanted of a model that has one.
Check apply(const Change& change, Request& request);

}  // namespace ridgepoint::plan
