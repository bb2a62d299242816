#pragma once

#include "engine/start_log.hpp"

namespace ridgepoint::engine::sglang {

/// The wordings of SGLang from 0.4 on, and what they mean in its budget.
const StartLogRules& start_log_rules();

}  // namespace ridgepoint::engine::sglang
