#pragma once

#include <cstdint>
#include <vector>

#include "engine/engine.hpp"
#include "engine/vllm/budget.hpp"
#include "engine/vllm/settings.hpp"

namespace ridgepoint::engine::vllm {

/// What blocks are on the tightest GPU.
struct BlockFacts {
  std::uint64_t bytes = 0;       ///< of one block; 0: nothing is cached
  std::uint64_t of_request = 0;  ///< blocks of a request of the length asked about
};

/// The chain of sums behind a plan, in the order the engine works them out: each term with its
/// rule, the numbers put in, and where the rule comes from.
std::vector<Step> explain(const Inputs& inputs, const Settings& settings, const StageBudget& budget,
                          const MemoryPlan& plan, std::uint64_t requested, const BlockFacts& block);

}  // namespace ridgepoint::engine::vllm
