#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ridgepoint::simulate {

/// What of a replica holds over a stretch of time.
struct Level {
  double kv_share = 0;  ///< of all replicas' cache, the part this one has in use
  double running = 0;
  double waiting = 0;
};

/// Levels and counts over time in at most 240 bins of one width. Where time goes past the last, two
/// bins become one, so that neither memory nor work grows with the run.
class TimeSeries {
 public:
  static constexpr std::size_t kMost = 240;

  struct Bin {
    Level sum;  ///< times seconds
    std::uint64_t tokens = 0;
    std::uint64_t preemptions = 0;
  };

  TimeSeries() : bins_(kMost) {}

  /// `level` from `start_s` to `end_s`; several replicas' levels of one time add up.
  void hold(double start_s, double end_s, const Level& level);

  void count(double at_s, std::uint64_t tokens, std::uint64_t preemptions);

  /// Of one bin, in seconds.
  [[nodiscard]] double width() const { return width_; }
  /// Up to the last one that anything fell into.
  [[nodiscard]] std::size_t size() const { return used_; }
  [[nodiscard]] const Bin& operator[](std::size_t i) const { return bins_[i]; }

 private:
  std::size_t bin_at(double at_s);
  void fold();

  std::vector<Bin> bins_;
  std::size_t used_ = 0;
  double width_ = 1.0 / 64;
};

}  // namespace ridgepoint::simulate
