#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/engine.hpp"

namespace ridgepoint::engine {

/// Bytes as a number that may be taken off another; beyond any card they stay at a bound that a sum
/// of a dozen still fits.
constexpr std::int64_t signed_bytes(std::uint64_t bytes) {
  return static_cast<std::int64_t>(std::min<std::uint64_t>(bytes, 1ULL << 59U));
}

constexpr std::int64_t signed_bytes(double bytes) {
  constexpr double kMost = 576460752303423488.0;  // 2^59
  return static_cast<std::int64_t>(std::clamp(bytes, -kMost, kMost));
}

/// Writes the charges of a card down as they come; those of no bytes are left out.
class ChargeList {
 public:
  void add(std::string_view term, std::string_view what, std::int64_t bytes) {
    if (bytes != 0) {
      charges_.push_back({term, what, bytes});
    }
  }
  void add(std::string_view term, std::string_view what, std::uint64_t bytes) {
    add(term, what, signed_bytes(bytes));
  }

  [[nodiscard]] std::vector<Charge> take() { return std::move(charges_); }

 private:
  std::vector<Charge> charges_;
};

}  // namespace ridgepoint::engine
