#pragma once

#include <vector>

#include "engine/engine.hpp"
#include "engine/sglang/budget.hpp"
#include "engine/sglang/pool.hpp"
#include "engine/sglang/settings.hpp"
#include "engine/sglang/slack.hpp"

namespace ridgepoint::engine::sglang {

/// The derivation of a plan, step by step: formula, numbers, value with its unit, source.
std::vector<Step> explain(const Inputs& inputs, const Settings& settings, const StageBudget& budget,
                          const PoolLayout& layout, const PoolSizes& sizes, const Slack& slack,
                          const MemoryPlan& plan);

}  // namespace ridgepoint::engine::sglang
