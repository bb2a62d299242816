#pragma once

#include <string>
#include <vector>

#include "plan/compare.hpp"

namespace ridgepoint::plan {

/// A comparison in two to five sentences: the pools and the term that moves them most, the other
/// large terms, the requests at once, who does not start and why, the edit that does most.
std::vector<std::string> comparison_text(const Setup& from, const Setup& to,
                                         const std::string& from_label, const std::string& to_label,
                                         const Comparison& comparison);

}  // namespace ridgepoint::plan
