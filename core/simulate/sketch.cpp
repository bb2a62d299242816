#include "simulate/sketch.hpp"

#include <algorithm>

namespace ridgepoint::simulate {
namespace {

constexpr int kFractionBits = 6;  ///< of the mantissa, that tell buckets of one octave apart
constexpr int kOctaves = 72;      ///< from 2^-30 to 2^42
constexpr int kLowest = -30;
constexpr int kMantissaBits = 52;
constexpr int kBias = 1023;
constexpr double kSmallest = 0x1p-30;
constexpr std::uint64_t kBuckets = static_cast<std::uint64_t>(kOctaves) << kFractionBits;
constexpr std::uint64_t kFirst = static_cast<std::uint64_t>(kBias + kLowest) << kFractionBits;

std::uint64_t bucket_of(double value) {
  const auto bits = __builtin_bit_cast(std::uint64_t, value);
  return std::min(kBuckets - 1, (bits >> (kMantissaBits - kFractionBits)) - kFirst);
}

/// The middle of a bucket.
double value_of(std::uint64_t bucket) {
  const std::uint64_t edge = (bucket + kFirst) << (kMantissaBits - kFractionBits);
  const std::uint64_t half = std::uint64_t{1} << (kMantissaBits - kFractionBits - 1);
  return __builtin_bit_cast(double, edge + half);
}

}  // namespace

Sketch::Sketch() : buckets_(kBuckets, 0) {}

void Sketch::add(double value, std::uint64_t times) {
  if (times == 0) {
    return;
  }
  if (!(value >= kSmallest)) {
    value = 0;
    zeros_ += times;
  } else {
    buckets_[bucket_of(value)] += times;
  }
  min_ = count_ == 0 ? value : std::min(min_, value);
  max_ = count_ == 0 ? value : std::max(max_, value);
  count_ += times;
  sum_ += value * static_cast<double>(times);
}

double Sketch::mean() const { return count_ == 0 ? 0.0 : sum_ / static_cast<double>(count_); }

double Sketch::quantile(double q) const {
  if (count_ == 0) {
    return 0;
  }
  const double wanted = q * static_cast<double>(count_);
  auto rank = static_cast<std::uint64_t>(wanted);
  rank += static_cast<double>(rank) < wanted ? 1 : 0;
  rank = std::clamp<std::uint64_t>(rank, 1, count_);
  if (rank == count_) {
    return max_;
  }
  std::uint64_t seen = zeros_;
  if (seen >= rank) {
    return 0;
  }
  for (std::uint64_t bucket = 0; bucket < kBuckets; ++bucket) {
    seen += buckets_[bucket];
    if (seen >= rank) {
      return std::clamp(value_of(bucket), min_, max_);
    }
  }
  return max_;
}

Distribution Sketch::distribution() const {
  return {mean(), quantile(0.5), quantile(0.9), quantile(0.95), quantile(0.99), max_, count_};
}

}  // namespace ridgepoint::simulate
