#pragma once

#include "engine/start_log.hpp"

namespace ridgepoint::engine::vllm {

/// The wordings of vLLM from 0.6 on, and what they mean in its budget.
const StartLogRules& start_log_rules();

}  // namespace ridgepoint::engine::vllm
