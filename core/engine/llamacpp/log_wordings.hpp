#pragma once

#include <span>

#include "engine/start_log.hpp"

namespace ridgepoint::engine::llamacpp {

/// One line a wording; `source` is the file of llama.cpp that prints it.
std::span<const Wording> log_wordings();

}  // namespace ridgepoint::engine::llamacpp
