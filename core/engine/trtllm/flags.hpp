#pragma once

#include "engine/flags.hpp"

namespace ridgepoint::engine::trtllm {

/// The options of trtllm-serve and trtllm-bench, of their YAML file and of the Triton backend.
const FlagTable& flags();

}  // namespace ridgepoint::engine::trtllm
