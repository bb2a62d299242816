#pragma once

#include "plan/fit.hpp"

namespace ridgepoint::plan {

/// Fills `explain`: the engine's steps, and those of the naive sum and the speed.
void add_steps(const Request& request, Report& report);

}  // namespace ridgepoint::plan
