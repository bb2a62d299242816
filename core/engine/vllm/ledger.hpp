#pragma once

#include <cstdint>
#include <vector>

#include "engine/vllm/budget.hpp"
#include "engine/vllm/planner.hpp"
#include "engine/vllm/settings.hpp"

namespace ridgepoint::engine::vllm {

/// Where the memory of the tightest GPU goes, in bytes, but for its pool. `requested` is the claim.
std::vector<Charge> charges_of(const Inputs& inputs, const Settings& settings,
                               const StageBudget& budget, std::uint64_t requested);

/// What the requests at once are counted from.
struct BlocksHeld {
  std::uint64_t pool_bytes = 0;       ///< of the tightest stage
  std::uint64_t bytes_per_block = 0;  ///< there
  std::uint64_t blocks = 0;           ///< as the engine uses them: the flag's, where one sets them
};

/// The requests of `settings.context` tokens; an empty layout has no blocks for a request.
Holding holding_of(const Settings& settings, const PlannedCache& layout, const BlocksHeld& held);

}  // namespace ridgepoint::engine::vllm
