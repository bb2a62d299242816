#pragma once

#include <cstdint>

#include "speed/kernels.hpp"

namespace ridgepoint::speed {

/// Seconds of an all-reduce of `bytes` on each of `ranks` ranks: 2 (n - 1) / n of them pass the
/// busiest link. Zero for one rank.
double all_reduce_s(const Links& links, std::uint64_t ranks, double bytes);

/// Seconds in which each of `ranks` ranks sends `bytes` to the others and gets as many.
double all_to_all_s(const Links& links, std::uint64_t ranks, double bytes);

/// Seconds of `bytes` from one pipeline stage to the next.
double hand_over_s(const Links& links, double bytes);

}  // namespace ridgepoint::speed
