#pragma once

#include <array>
#include <cstdint>

namespace ridgepoint::load {

/// A stream of random numbers that every build draws alike: xoshiro256++ (Blackman and Vigna,
/// 2019), seeded by SplitMix64. Streams of one seed are independent.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream);

  std::uint64_t bits();

  /// Of [0, 1), a multiple of 2^-53.
  double unit();

  /// A whole number below `n`, which is above 0 and below 2^32.
  std::uint64_t below(std::uint64_t n);

  /// Of mean 1.
  double exponential();

  /// Of mean 0 and deviation 1 (Marsaglia's polar method).
  double normal();

  /// Of that shape, above 0, and scale 1 (Marsaglia and Tsang, 2000).
  double gamma(double shape);

 private:
  double gamma_above_one(double shape);

  std::array<std::uint64_t, 4> state_{};
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace ridgepoint::load
