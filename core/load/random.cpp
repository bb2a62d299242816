#include "load/random.hpp"

#include <bit>
#include <cmath>

#include "exact_math.hpp"

namespace ridgepoint::load {
namespace {

std::uint64_t split_mix(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t state = seed ^ (stream * 0xd1342543de82ef95ULL);
  for (std::uint64_t& word : state_) {
    word = split_mix(state);
  }
}

std::uint64_t Random::bits() {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t shifted = state_[1] << 17U;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Random::unit() { return static_cast<double>(bits() >> 11U) * 0x1p-53; }

std::uint64_t Random::below(std::uint64_t n) {
  // Of 2^64 draws at most n are one too many on some number.
  return ((bits() >> 32U) * n) >> 32U;
}

double Random::exponential() { return -exact_log(1.0 - unit()); }

double Random::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  double x = 0;
  double y = 0;
  double square = 0;
  do {
    x = 2 * unit() - 1;
    y = 2 * unit() - 1;
    square = x * x + y * y;
  } while (square >= 1 || square == 0);
  const double scale = std::sqrt(-2 * exact_log(square) / square);
  spare_ = y * scale;
  has_spare_ = true;
  return x * scale;
}

double Random::gamma_above_one(double shape) {
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = normal();
    const double root = 1.0 + c * x;
    if (root <= 0) {
      continue;
    }
    const double v = root * root * root;
    if (exact_log(1.0 - unit()) < 0.5 * x * x + d - d * v + d * exact_log(v)) {
      return d * v;
    }
  }
}

double Random::gamma(double shape) {
  if (shape >= 1) {
    return gamma_above_one(shape);
  }
  // A variate of shape + 1 times a power of a uniform one.
  const double above = gamma_above_one(shape + 1);
  return above * exact_pow(1.0 - unit(), 1.0 / shape);
}

}  // namespace ridgepoint::load
