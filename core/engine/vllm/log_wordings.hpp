#pragma once

#include <span>

#include "engine/start_log.hpp"

namespace ridgepoint::engine::vllm {

/// One line a wording; `source` is the file of vLLM that prints it.
std::span<const Wording> log_wordings();

}  // namespace ridgepoint::engine::vllm
