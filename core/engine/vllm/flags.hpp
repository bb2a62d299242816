#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/flags.hpp"

namespace ridgepoint::engine::vllm {

/// Every known flag of `vllm serve`, compiled from core/data/vllm_flags.json.
[[nodiscard]] std::span<const FlagFacts> flags();

/// By name or alias, without leading dashes; `_` and `-` are alike, and nothing else is forgiven.
/// Null when vLLM has no such flag. The negative of a switch (`no-x`) is not a name: whoever reads
/// a command line takes it apart.
[[nodiscard]] const FlagFacts* find_flag(std::string_view name);

/// Up to three names close to `name`, nearest first, as "a, b, c"; empty when none is close.
[[nodiscard]] std::string nearest_flags(std::string_view name);

}  // namespace ridgepoint::engine::vllm
