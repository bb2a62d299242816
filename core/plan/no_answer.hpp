#pragma once

#include "plan/recommend.hpp"

namespace ridgepoint::plan {

/// Why a query whose `result` has no answer has none: what comes closest on the largest cards
/// allowed, and the first two of these that would carry the load: other formats and tuning, more
/// cards, both, no budget, no latency goals, all cards. Each is a search of its own.
None why_none(const RecommendQuery& query, const Recommendation& result);

}  // namespace ridgepoint::plan
