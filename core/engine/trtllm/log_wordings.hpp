#pragma once

#include <span>

#include "engine/start_log.hpp"

namespace ridgepoint::engine::trtllm {

/// One line a wording; `source` is the file of TensorRT-LLM that prints it.
std::span<const Wording> log_wordings();

}  // namespace ridgepoint::engine::trtllm
