#pragma once

#include <cstdint>

namespace ridgepoint {

/// a / b rounded up; b must not be 0 and a + b must fit.
constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// The next multiple of b that is not below a.
constexpr std::uint64_t round_up(std::uint64_t a, std::uint64_t b) { return ceil_div(a, b) * b; }

/// a x b, or the largest number there is where that does not fit.
constexpr std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > ~std::uint64_t{0} / b ? ~std::uint64_t{0} : a * b;
}

}  // namespace ridgepoint
