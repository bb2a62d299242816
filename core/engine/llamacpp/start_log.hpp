#pragma once

#include "engine/start_log.hpp"

namespace ridgepoint::engine::llamacpp {

/// The wordings of llama.cpp from the builds of 2024 on, and what they mean device by device.
const StartLogRules& start_log_rules();

}  // namespace ridgepoint::engine::llamacpp
