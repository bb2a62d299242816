#pragma once

#include <string>

#include "plan/advice.hpp"

namespace ridgepoint::plan {

/// What is wrong with a setup, in one paragraph: which term is too large, what is needed against
/// what there is, the engine's own words, and, where nothing helps, that nothing does. Empty for a
/// setup that serves what is asked of it.
std::string problem_text(const Request& request, const engine::MemoryPlan& plan,
                         const Proposals& proposals);

}  // namespace ridgepoint::plan
