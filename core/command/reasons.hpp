#pragma once

#include <string>

#include "command/setup.hpp"

namespace ridgepoint::command {

/// Why a flag is in a command: what it does and, where the estimate shows it, what would be without
/// it. `estimates` is how many further estimates may be made for it, and goes down with each.
std::string reason_of(const Setup& setup, const engine::FlagValue& flag, std::size_t& estimates);

}  // namespace ridgepoint::command
