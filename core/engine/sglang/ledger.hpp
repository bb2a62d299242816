#pragma once

#include <cstdint>
#include <vector>

#include "engine/sglang/budget.hpp"
#include "engine/sglang/pool.hpp"
#include "engine/sglang/settings.hpp"

namespace ridgepoint::engine::sglang {

/// Where the memory of the tightest GPU goes, in bytes, but for its KV pool. Activations, CUDA
/// graphs and the request table are not among the charges: they live in what the static fraction
/// leaves. `claim` is what the fraction gives.
std::vector<Charge> charges_of(const Inputs& inputs, const Settings& settings,
                               const StageBudget& budget, const PoolLayout& layout,
                               const PoolSizes& sizes, std::uint64_t claim);

/// Requests of `settings.context` tokens. The pools are cut in fixed ratios: a request's bytes are
/// those that the whole KV pool grows by for one more of them. `one_request_bytes` stands for it
/// where there is no pool. `window_need`: tokens of a request in the window pool.
Holding holding_of(const Settings& settings, const PoolLayout& layout, const PoolSizes& sizes,
                   std::uint64_t one_request_bytes, std::uint64_t window_need);

}  // namespace ridgepoint::engine::sglang
