#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace ridgepoint {

/// How a figure is known.
enum class Basis : std::uint8_t {
  exact,       ///< follows from the request by a rule that leaves no room
  measured,    ///< a rule fitted to measured start-ups, or a figure the user measured
  literature,  ///< a published rule of thumb
  assumed,     ///< nearest rules, not confirmed for this case
};

constexpr std::string_view basis_name(Basis basis) {
  switch (basis) {
    case Basis::exact:
      return "exact";
    case Basis::measured:
      return "measured";
    case Basis::literature:
      return "literature";
    case Basis::assumed:
      return "assumed";
  }
  return "";
}

/// A figure with the range it is believed to lie in. `starts`: measured start-ups behind it.
template <typename T>
struct Estimate {
  T low{};
  T best{};
  T high{};
  Basis basis = Basis::exact;
  std::uint32_t starts = 0;
};

using Bytes = Estimate<std::uint64_t>;
using Count = Estimate<std::uint64_t>;
using Rate = Estimate<double>;

template <typename T>
constexpr Estimate<T> exactly(T value) {
  return {value, value, value, Basis::exact, 0};
}

/// The less certain of two.
constexpr Basis weaker(Basis a, Basis b) { return std::max(a, b); }

}  // namespace ridgepoint
