#pragma once

#include <algorithm>

#include "estimate.hpp"

namespace ridgepoint {

inline constexpr double kMiB = 1048576.0;
inline constexpr double kGiB = 1073741824.0;

/// Whole bytes of a computed size; what is below zero, or no number, is zero.
constexpr std::uint64_t to_bytes(double value) {
  constexpr double kMost = 18446744073709549568.0;  // the largest double below 2^64
  return value > 0 ? static_cast<std::uint64_t>(std::min(value, kMost)) : 0;
}

/// The sum of two terms: as uncertain as the less certain, with the starts of the better known.
constexpr Bytes plus(const Bytes& a, const Bytes& b) {
  return {a.low + b.low, a.best + b.best, a.high + b.high, weaker(a.basis, b.basis),
          std::max(a.starts, b.starts)};
}

/// Lets a figure range about its best value, from `below` to `above` times it, at least.
constexpr Bytes widen(Bytes value, double below, double above) {
  value.low = std::min(value.low, to_bytes(static_cast<double>(value.best) * below));
  value.high = std::max(value.high, to_bytes(static_cast<double>(value.best) * above));
  return value;
}

/// A figure that the request gives, read from a log.
constexpr Bytes as_measured(std::uint64_t bytes) {
  return {bytes, bytes, bytes, Basis::measured, 1};
}

}  // namespace ridgepoint
