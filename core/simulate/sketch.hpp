#pragma once

#include <cstdint>
#include <vector>

namespace ridgepoint::simulate {

/// What a set of numbers looks like. All 0 where `count` is.
struct Distribution {
  double mean = 0;
  double p50 = 0;
  double p90 = 0;
  double p95 = 0;
  double p99 = 0;
  double max = 0;
  std::uint64_t count = 0;
};

/// Counts numbers from 0 up in buckets of 1/64 of an octave: quantiles are right within 0.8 %, mean
/// and largest are exact, and its size does not depend on how many numbers it saw. Of whole bits
/// alone, so that every build counts alike.
class Sketch {
 public:
  Sketch();

  /// `times` numbers of that value; what is below 2^-30 counts as 0, what is no number as 0 too.
  void add(double value, std::uint64_t times = 1);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] double mean() const;
  [[nodiscard]] double max() const { return max_; }

  /// The number that is ceil(q x count)th from below; 0 when there is none.
  [[nodiscard]] double quantile(double q) const;

  [[nodiscard]] Distribution distribution() const;

 private:
  std::vector<std::uint64_t> buckets_;
  std::uint64_t zeros_ = 0;
  std::uint64_t count_ = 0;
  double sum_ = 0;
  double min_ = 0;
  double max_ = 0;
};

}  // namespace ridgepoint::simulate
