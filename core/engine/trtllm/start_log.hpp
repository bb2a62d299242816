#pragma once

#include "engine/start_log.hpp"

namespace ridgepoint::engine::trtllm {

/// The wordings of TensorRT-LLM, PyTorch backend and TensorRT engines, and what they mean in its
/// budget.
const StartLogRules& start_log_rules();

}  // namespace ridgepoint::engine::trtllm
