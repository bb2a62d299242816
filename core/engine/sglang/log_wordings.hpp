#pragma once

#include <span>

#include "engine/start_log.hpp"

namespace ridgepoint::engine::sglang {

/// One line a wording; `source` is the file of SGLang that prints it.
std::span<const Wording> log_wordings();

}  // namespace ridgepoint::engine::sglang
