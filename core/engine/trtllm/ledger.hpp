#pragma once

#include <vector>

#include "engine/trtllm/budget.hpp"
#include "engine/trtllm/pool.hpp"
#include "engine/trtllm/settings.hpp"

namespace ridgepoint::engine::trtllm {

/// Where the memory of the tightest GPU goes, in bytes, but for its cache.
std::vector<Charge> charges_of(const Inputs& inputs, const Settings& settings,
                               const StageBudget& budget);

/// Requests of `context` tokens; the states set aside for the batch count as the pool's.
/// `one_request_bytes` stands for a request where there is no pool.
Holding holding_of(const Settings& settings, const CachePools& pools, const StageBudget& budget,
                   std::uint64_t context, std::uint64_t one_request_bytes);

}  // namespace ridgepoint::engine::trtllm
