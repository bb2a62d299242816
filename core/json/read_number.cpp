#include "json/read_number.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace ridgepoint::json {
namespace {

constexpr int kMantissaBits = 53;
constexpr int kLeastExponent = -1021;  // of a normal number, as a fraction below one times 2^e
constexpr int kMostExponent = 1024;

/// Decimal digits that are shifted bit by bit, 0.d1d2d3… x 10^point. Slow, short and exact: digits
/// past the last that is kept only break ties.
class Digits {
 public:
  void add(int digit) {
    if (size_ == 0 && digit == 0) {
      --point_;
    } else if (size_ < kMost) {
      digits_[size_++] = static_cast<unsigned char>(digit);
    } else {
      more_ = more_ || digit != 0;
    }
  }

  void move_point(int places) { point_ += places; }

  [[nodiscard]] int point() const { return point_; }
  [[nodiscard]] bool zero() const { return size_ == 0; }
  [[nodiscard]] bool below_half() const { return point_ < 0 || (point_ == 0 && digits_[0] < 5); }

  /// Times 2^bits, at most 2^59.
  void shift_left(int bits) {
    std::uint64_t carry = 0;
    for (int i = size_; i-- > 0;) {
      carry += static_cast<std::uint64_t>(digits_[i]) << static_cast<unsigned>(bits);
      digits_[i] = static_cast<unsigned char>(carry % 10);
      carry /= 10;
    }
    trim();
    int places = 0;
    for (std::uint64_t left = carry; left != 0; left /= 10) {
      ++places;
    }
    make_room(places);
    for (int i = places; i-- > 0; carry /= 10) {
      digits_[i] = static_cast<unsigned char>(carry % 10);
    }
    point_ += places;
  }

  /// Divided by 2^bits, at most 2^59.
  void shift_right(int bits) {
    const std::uint64_t mask = (1ULL << static_cast<unsigned>(bits)) - 1;
    std::uint64_t rest = 0;
    int read = 0;
    int written = 0;
    bool started = false;
    for (; read < size_ || rest != 0; ++read) {
      rest = rest * 10 + (read < size_ ? digits_[read] : 0U);
      const auto digit = static_cast<unsigned char>(rest >> static_cast<unsigned>(bits));
      rest &= mask;
      started = started || digit != 0;
      if (!started) {
        --point_;
      } else if (written < kMost) {
        digits_[written++] = digit;
      } else {
        more_ = more_ || digit != 0 || rest != 0;
        if (read >= size_) {
          break;
        }
      }
    }
    size_ = written;
    trim();
  }

  /// The whole part, which fits, of two as near the even one.
  [[nodiscard]] std::uint64_t rounded() const {
    std::uint64_t whole = 0;
    for (int i = 0; i < point_; ++i) {
      whole = whole * 10 + (i < size_ ? digits_[i] : 0U);
    }
    if (point_ < 0 || point_ >= size_) {
      return whole;
    }
    const bool past_half =
        digits_[point_] > 5 || (digits_[point_] == 5 && (point_ + 1 < size_ || more_));
    const bool half = digits_[point_] == 5 && !past_half;
    return whole + (past_half || (half && whole % 2 == 1) ? 1 : 0);
  }

 private:
  static constexpr int kMost = 800;  // the longest tie between two doubles has 767

  void make_room(int places) {
    for (int i = std::min(size_ + places, kMost); i-- > places;) {
      digits_[i] = digits_[i - places];
    }
    // What is pushed out at the end is told by the digits before it and this.
    more_ = more_ || size_ + places > kMost;
    size_ = std::min(size_ + places, kMost);
  }

  void trim() {
    while (size_ > 0 && digits_[size_ - 1] == 0) {
      --size_;
    }
  }

  unsigned char digits_[kMost] = {};
  int size_ = 0;
  int point_ = 0;
  bool more_ = false;
};

double by_shifting(Digits digits) {
  constexpr int kStep = 27;
  int exponent = 0;
  while (digits.point() > 0) {
    // A bit for each place at first, so that it ends between a half and one.
    const int bits = digits.point() > 8 ? kStep : std::max(1, 3 * (digits.point() - 1));
    digits.shift_right(bits);
    exponent += bits;
  }
  while (digits.below_half()) {
    const int bits = digits.point() < -8 ? kStep : 1;
    digits.shift_left(bits);
    exponent -= bits;
  }
  if (exponent < kLeastExponent) {
    for (int missing = kLeastExponent - exponent; missing > 0; missing -= kStep) {
      digits.shift_right(std::min(missing, kStep));
    }
    exponent = kLeastExponent;
  }
  digits.shift_left(kMantissaBits);
  const double value = std::ldexp(static_cast<double>(digits.rounded()), exponent - kMantissaBits);
  return exponent > kMostExponent ? std::numeric_limits<double>::infinity() : value;
}

}  // namespace

double nearest_double(std::string_view number) {
  constexpr std::uint64_t kExact = 1ULL << 53U;
  constexpr int kMostPower = 22;
  constexpr int kFarExponent = 100'000;
  const bool negative = number.starts_with('-');
  number.remove_prefix(negative ? 1 : 0);
  Digits digits;
  std::uint64_t mantissa = 0;
  bool exact = true;
  int places = 0;
  int point = 0;
  bool after_point = false;
  std::size_t i = 0;
  for (; i < number.size() && number[i] != 'e' && number[i] != 'E'; ++i) {
    if (number[i] == '.') {
      after_point = true;
      continue;
    }
    const int digit = number[i] - '0';
    digits.add(digit);
    exact = exact && mantissa < kExact / 16;
    mantissa = exact ? mantissa * 10 + static_cast<std::uint64_t>(digit) : mantissa;
    places += after_point ? 1 : 0;
    point += after_point ? 0 : 1;
  }
  int exponent = 0;
  if (i < number.size()) {
    ++i;
    const bool below = number[i] == '-';
    i += below || number[i] == '+' ? 1 : 0;
    for (; i < number.size(); ++i) {
      exponent = std::min(exponent * 10 + (number[i] - '0'), kFarExponent);
    }
    exponent = below ? -exponent : exponent;
  }
  if (digits.zero()) {
    return negative ? -0.0 : 0.0;
  }
  digits.move_point(point + exponent);
  double value = 0;
  const int power = exponent - places;
  if (exact && power >= -kMostPower && power <= kMostPower) {
    double ten = 1;
    for (int n = power < 0 ? -power : power; n > 0; --n) {
      ten *= 10;
    }
    value = power < 0 ? static_cast<double>(mantissa) / ten : static_cast<double>(mantissa) * ten;
  } else if (digits.point() > 400) {
    value = std::numeric_limits<double>::infinity();
  } else if (digits.point() > -400) {
    value = by_shifting(digits);
  }
  return negative ? -value : value;
}

}  // namespace ridgepoint::json
