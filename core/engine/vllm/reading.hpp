#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/flag_reader.hpp"
#include "engine/vllm/settings.hpp"
#include "json/fields.hpp"

namespace ridgepoint::engine::vllm {

/// The settings of a request while its flags are read, step by step; the first error ends it.
struct Reading {
  Reading(const Inputs& request, Version version);

  const Inputs& inputs;
  const model::ModelSpec& model;
  FlagReader flags;
  Settings settings;
  std::optional<Error> error;

  [[nodiscard]] std::uint32_t minor() const { return settings.version.minor; }

  void assume(std::string text) { settings.assumptions.push_back(std::move(text)); }

  void fail(std::string code, std::string message, std::string path) {
    if (!error) {
      error = Error{std::move(code), std::move(message), std::move(path)};
    }
  }

  /// An environment variable of the request; empty when it is not set.
  [[nodiscard]] std::string_view env(std::string_view name) const {
    for (const auto& [key, value] : inputs.env) {
      if (key == name) {
        return value;
      }
    }
    return {};
  }

  [[nodiscard]] bool env_is_set(std::string_view name) const {
    const std::string_view value = env(name);
    return !value.empty() && value != "0";
  }
};

constexpr std::uint64_t kMostTokens = 1ULL << 32U;

// The steps, in the order in which one needs what an earlier one read. Each is a room of its own:
// reading.cpp, parallel.cpp, formats.cpp, lengths.cpp, schedule.cpp, graphs.cpp.

/// V0 or V1, and what follows from it.
void read_era(Reading& r);

/// Ranks, and whether the model can be divided over them.
void read_parallelism(Reading& r);
void check_divisible(Reading& r);

/// dtype, the cache's format, the quantisation of weights.
void read_dtype(Reading& r);
void read_kv_format(Reading& r);
void read_state_format(Reading& r);
void read_quantization(Reading& r);

/// Maximum length and the length asked about.
void read_lengths(Reading& r);

/// Batch sizes, environment, model runner, cache manager.
void read_batch(Reading& r);
void read_schedule(Reading& r);

/// CUDA graphs to be captured.
void read_graphs(Reading& r);

/// Drafts and prediction layers (speculation.cpp).
void read_speculation(Reading& r);

/// LoRA slots, weights in host memory, redundant experts (extras.cpp).
void read_extras(Reading& r);

/// Images, videos and sounds (media.cpp).
void read_media(Reading& r);

/// The JSON object that a flag carries, in `parsed`, which must outlive the result; empty when the
/// flag is not given or is no object (which is then the error).
std::optional<json::Fields> object_of(Reading& r, std::string_view flag, json::Value& parsed);

}  // namespace ridgepoint::engine::vllm
