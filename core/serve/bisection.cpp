#include "serve/bisection.hpp"

#include <algorithm>
#include <cmath>

namespace ridgepoint::serve {
namespace {

/// How much faster each step goes outwards: a good guess is closed in on at once, and a bad one is
/// left behind.
constexpr double kHaste = 1.8;
constexpr double kLongestStride = 16;

}  // namespace

Bisection::Bisection(const Bounds& bounds, double guess) : bounds_(bounds) {
  next_ = clipped(std::isfinite(guess) ? guess : bounds.least);
}

double Bisection::clipped(double value) const {
  if (bounds_.whole) {
    value = std::floor(value + 0.5);
  }
  return std::clamp(value, bounds_.least, bounds_.most);
}

std::optional<double> Bisection::between() const {
  if (*fails_ <= *holds_ * (1 + bounds_.tolerance) || (bounds_.whole && *fails_ - *holds_ <= 1)) {
    return std::nullopt;
  }
  const double middle = std::sqrt(*holds_ * *fails_);
  if (!bounds_.whole) {
    return middle;
  }
  return std::clamp(std::floor(middle), *holds_ + 1, *fails_ - 1);
}

void Bisection::told(bool holds) {
  if (!next_) {
    return;
  }
  const double value = *next_;
  (holds ? holds_ : fails_) = value;
  if (holds_ && fails_) {
    next_ = between();
    return;
  }
  double onwards = holds ? value * stride_ : value / stride_;
  if (bounds_.whole) {
    onwards = holds ? std::max(onwards, value + 1) : std::min(onwards, value - 1);
  }
  stride_ = std::min(stride_ * kHaste, kLongestStride);
  const double further = clipped(onwards);
  next_ = further == value ? std::nullopt : std::optional(further);
}

}  // namespace ridgepoint::serve
