#pragma once

#include <cstdint>
#include <optional>

namespace ridgepoint::serve {

/// Seeks the largest value that still holds, where small ones hold and large ones do not: from a
/// guess outwards until one of each kind is known, then between them by their geometric mean.
class Bisection {
 public:
  struct Bounds {
    double least = 0;
    double most = 0;
    double tolerance = 0.01;  ///< relative distance at which it is done
    bool whole = false;       ///< whole numbers; it is then exact where they are small
  };

  /// 0 < least <= most.
  Bisection(const Bounds& bounds, double guess);

  /// The value to try; empty when the answer is known.
  [[nodiscard]] std::optional<double> next() const { return next_; }

  /// What came of it.
  void told(bool holds);

  /// The largest value that held; empty when not even `least` does.
  [[nodiscard]] std::optional<double> best() const { return holds_; }

 private:
  [[nodiscard]] double clipped(double value) const;
  [[nodiscard]] std::optional<double> between() const;

  Bounds bounds_;
  std::optional<double> next_;
  std::optional<double> holds_;
  std::optional<double> fails_;
  double stride_ = 1.15;
};

}  // namespace ridgepoint::serve
