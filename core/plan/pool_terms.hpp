#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plan/fit.hpp"

namespace ridgepoint::plan {

/// A setup and what its engine makes of it; both must outlive this.
struct Setup {
  const Request& request;
  const engine::MemoryPlan& memory;
};

/// Where the memory of the tightest GPU goes beside the pool:
/// total_bytes = kv_pool.best + the sum of these, to the byte. The last, "unattributed", is what no
/// rule of the engine names; it is left out when it is 0.
std::vector<engine::Charge> pool_terms(const engine::MemoryPlan& memory);

/// One reason why two pools, or two numbers of requests, differ.
struct TermDifference {
  std::string term;
  std::string what;  ///< for people
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t difference = 0;  ///< what it adds to the pool or to the requests
  std::string why;
};

/// Why the pool of one GPU differs, in bytes: `card` first, then every term of either setup. `from`
/// and `to` are what the term takes of the card, `difference` what that adds to the pool. The
/// differences add up to that of kv_pool.best.
std::vector<TermDifference> pool_differences(const Setup& from, const Setup& to);

}  // namespace ridgepoint::plan
