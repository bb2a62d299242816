#pragma once

#include <vector>

#include "engine/engine.hpp"
#include "engine/llamacpp/budget.hpp"
#include "engine/llamacpp/fit.hpp"
#include "engine/llamacpp/settings.hpp"

namespace ridgepoint::engine::llamacpp {

/// The derivation of a plan, term by term: rule, numbers, result and source.
std::vector<Step> explain(const Inputs& inputs, const Settings& settings,
                          const Projection& projection, const Fitted& fitted,
                          const LoadedModel& model, const MemoryPlan& plan);

}  // namespace ridgepoint::engine::llamacpp
