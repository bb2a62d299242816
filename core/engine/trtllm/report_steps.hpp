#pragma once

#include <vector>

#include "engine/engine.hpp"
#include "engine/trtllm/budget.hpp"
#include "engine/trtllm/pool.hpp"
#include "engine/trtllm/settings.hpp"

namespace ridgepoint::engine::trtllm {

/// The chain of sums behind a plan, in the order the engine works them out: each term with its
/// rule, the numbers put in, and where the rule comes from.
std::vector<Step> explain(const Inputs& inputs, const Settings& settings, const StageBudget& budget,
                          const CachePools& pools, const MemoryPlan& plan);

}  // namespace ridgepoint::engine::trtllm
