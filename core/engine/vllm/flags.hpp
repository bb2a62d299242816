#pragma once

#include "engine/flags.hpp"

namespace ridgepoint::engine::vllm {

/// Every known flag of `vllm serve`, compiled from core/data/vllm_flags.json; versions are numbered
/// by their minor.
[[nodiscard]] const FlagTable& flags();

}  // namespace ridgepoint::engine::vllm
