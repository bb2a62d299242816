#pragma once

#include <string>
#include <string_view>

namespace ridgepoint::log {

/// Which of several processes wrote a line, by the tag in front of it: "TP0", "DP1 TP3 EP3",
/// "rank 2", "pid 493" where only that tells them apart. Empty for the main process or an untagged
/// line. Only the first few hundred bytes are looked at.
std::string rank_of(std::string_view line);

/// Whether a line begins an entry of a log, and is not the rest of a line that a terminal wrapped.
bool starts_entry(std::string_view line);

}  // namespace ridgepoint::log
