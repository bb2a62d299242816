#include "simulate/reserving.hpp"

#include <algorithm>

#include "simulate/replica.hpp"

namespace ridgepoint::simulate {

bool Reserving::refuses(std::uint64_t tokens) const {
  return !schedule_.chunked_prefill && tokens > schedule_.max_num_batched_tokens;
}

std::uint64_t Reserving::chunk_of(std::uint64_t remaining, std::uint64_t budget) const {
  const std::uint64_t limit = schedule_.chunk_tokens;
  const std::uint64_t most = std::min(limit != 0 ? limit : budget, budget);
  if (remaining <= most) {
    return remaining;
  }
  // A step smaller than the granule would compute nothing for ever.
  return schedule_.chunked_prefill ? std::max(most / granule_ * granule_, std::min(most, granule_))
                                   : 0;
}

void Reserving::plan(Replica& replica, StepPlan& plan, double seen_s) {
  const std::uint64_t decoding = replica.decodes().size();
  const std::uint64_t all = schedule_.max_num_batched_tokens;
  replica.decode_all(plan);
  std::uint64_t budget = all - std::min(all, decoding);
  const std::vector<Slot> prefilling = replica.prefilling();
  for (const Slot slot : prefilling) {
    const Request& request = replica.requests()[slot];
    const std::uint64_t chunk = chunk_of(request.target - request.computed, budget);
    if (chunk != 0) {
      replica.extend(slot, chunk, plan);
      budget -= chunk;
    }
  }
  while (budget > 0 && replica.running() < places_) {
    const auto candidate = replica.head(seen_s);
    if (!candidate || !replica.fits(*candidate, candidate->total)) {
      return;
    }
    const std::uint64_t chunk = chunk_of(candidate->to_compute(), budget);
    if (chunk == 0) {
      return;
    }
    replica.admit(*candidate, chunk, plan);
    budget -= chunk;
  }
}

}  // namespace ridgepoint::simulate
