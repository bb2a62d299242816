#pragma once

#include "plan/fit.hpp"

namespace ridgepoint::plan {

/// The naive sum beside the engine's: everything of the budget that is not weights becomes cache,
/// and every model is grouped-query attention.
Naive naive_answer(const model::ModelSpec& model, const engine::MemoryPlan& memory);

}  // namespace ridgepoint::plan
