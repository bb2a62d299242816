#include "speed/collectives.hpp"

#include <algorithm>

namespace ridgepoint::speed {
namespace {

/// The entry of 2, 4, 8 or more ranks, the nearest that is not fewer.
std::size_t entry_of(std::uint64_t ranks) {
  return ranks <= 2 ? 0 : ranks <= 4 ? 1 : ranks <= 8 ? 2 : 3;
}

}  // namespace

double all_reduce_s(const Links& links, std::uint64_t ranks, double bytes) {
  if (ranks < 2) {
    return 0;
  }
  const std::size_t entry = entry_of(ranks);
  const auto n = static_cast<double>(ranks);
  return links.floor_s[entry] + bytes * 2.0 * (n - 1.0) / n / links.bus_bytes_per_s[entry];
}

double all_to_all_s(const Links& links, std::uint64_t ranks, double bytes) {
  if (ranks < 2) {
    return 0;
  }
  const std::size_t entry = entry_of(ranks);
  const auto n = static_cast<double>(ranks);
  return links.floor_s[entry] + bytes * (n - 1.0) / n / links.bus_bytes_per_s[entry];
}

double hand_over_s(const Links& links, double bytes) {
  constexpr double kFloor = 10e-6;
  return kFloor + bytes / links.bus_bytes_per_s[0];
}

}  // namespace ridgepoint::speed
