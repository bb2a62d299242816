#pragma once

#include <vector>

#include "plan/pool_terms.hpp"

namespace ridgepoint::plan {

/// Why two setups serve different numbers of requests at once, in whole requests of the whole
/// deployment. From the first to the second: its pool is replaced term by term, those that make it
/// larger first; then what a request takes of it (`geometry`), then `replicas`. That far requests
/// are counted without any rule of the engine, and `from` and `to` are the counts before and after.
/// Each rule of either engine follows (rounding to blocks, a pool of states, the sequence cap, …):
/// `from` and `to` are what it adds to either, mostly below 0. Last `not_served`: a setup that does
/// not start serves none. `pool` are the pool_differences of the same two. Terms that change
/// nothing are left out; the differences add up to that of max_requests.best.
std::vector<TermDifference> request_differences(const Setup& from, const Setup& to,
                                                const std::vector<TermDifference>& pool);

}  // namespace ridgepoint::plan
