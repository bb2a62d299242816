#pragma once

#include <vector>

#include "plan/fit.hpp"

namespace ridgepoint::plan {

/// First things to try when a request does not serve; empty when it does. Each line is verified:
/// the change was put into the request and the engine was asked again.
std::vector<Advice> advise(const Request& request, const engine::MemoryPlan& memory);

}  // namespace ridgepoint::plan
