#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ridgepoint::model {

/// One model of the built-in catalogue, compiled from core/data/models.json.
struct ModelFacts {
  std::string_view id;       ///< the Hugging Face id, in its own spelling
  std::string_view config;   ///< the keys of its config.json that decide sizes, as compact JSON
  std::uint64_t parameters;  ///< the published total; 0 where none is published
  std::string_view source;   ///< where the facts come from
};

[[nodiscard]] std::span<const ModelFacts> catalogue();

/// By id, whatever the case; the part after the slash alone will do when only one model has it.
/// Null when there is no such model, or when the short name leaves a choice.
[[nodiscard]] const ModelFacts* find_model(std::string_view id);

}  // namespace ridgepoint::model
