#include "load/mean_lengths.hpp"

#include <algorithm>
#include <cstdint>

#include "load/demand_source.hpp"

namespace ridgepoint::load {
namespace {

constexpr std::uint64_t kDrawn = 256;

}  // namespace

MeanLengths mean_lengths(const Load& load) {
  Load sample = load;
  if (sample.arrivals.kind != ArrivalKind::trace) {
    sample.arrivals.kind = ArrivalKind::at_once;
  }
  sample.requests = std::min(sample.requests, kDrawn);
  DemandSource source(sample);
  MeanLengths sum{0, 0};
  double drawn = 0;
  while (drawn < kDrawn && source.next_arrival()) {
    const Demand demand = source.next();
    // What the cache holds of a prompt is not computed again.
    const std::uint32_t held = std::min(std::max(demand.session, demand.shared), demand.input - 1);
    sum.input += demand.input - held;
    sum.output += demand.output;
    drawn += 1;
  }
  drawn = std::max(1.0, drawn);
  return {sum.input / drawn, sum.output / drawn};
}

}  // namespace ridgepoint::load
