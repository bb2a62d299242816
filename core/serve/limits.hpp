#pragma once

#include <string>
#include <string_view>

#include "serve/deployment.hpp"
#include "simulate/outcome.hpp"

namespace ridgepoint::serve {

/// How much of the cards' ceilings a run used while steps ran.
struct Utilization {
  double mfu = 0;  ///< of the peaks of the formats: arithmetic of products and attention
  double mbu = 0;  ///< of the memory bandwidth: weights and caches that steps read
};

Utilization utilization(const simulate::Outcome& outcome);

/// What keeps a run from carrying more, or "load" where nothing does.
struct Limiting {
  std::string_view what;  ///< load, compute, bandwidth, kv_pool, requests, front_end, link, host
  std::string text;       ///< a sentence with its figures
};

Limiting limiting(const Deployment& deployment, const simulate::Outcome& outcome);

}  // namespace ridgepoint::serve
