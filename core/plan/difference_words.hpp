#pragma once

#include <cstdint>
#include <string>

#include "engine/engine.hpp"

namespace ridgepoint::plan {

/// "7.48 GiB", two decimals; whole bytes below 5 MiB, where they would say nothing.
std::string gib(std::uint64_t bytes);

/// The size of a difference, whichever its sign.
std::uint64_t magnitude(std::int64_t difference);

/// "1 request", "1,024 requests".
std::string requests_text(std::uint64_t requests);

/// A flag's value as a command line has it; "on" and "off" of a switch.
std::string value_text(const engine::FlagValue& flag);

}  // namespace ridgepoint::plan
