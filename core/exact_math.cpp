#include "exact_math.hpp"

#include <cmath>
#include <cstdint>

namespace ridgepoint {
namespace {

// ln 2 in two parts: the first has trailing zeros, so that its product with an exponent is exact.
constexpr double kLn2High = 6.93147180369123816490e-01;
constexpr double kLn2Low = 1.90821492927058770002e-10;
constexpr double kLn2 = 6.93147180559945309417e-01;
constexpr double kRootHalf = 0.70710678118654752440;
constexpr double kLargest = 700.0;
constexpr double kLowest = -750.0;
constexpr int kExponentBias = 1023;
constexpr int kMantissaBits = 52;
constexpr double kTwo54 = 18014398509481984.0;

/// 2^n for -1022 <= n <= 1023.
double power_of_two(int n) {
  return __builtin_bit_cast(double, static_cast<std::uint64_t>(n + kExponentBias) << kMantissaBits);
}

}  // namespace

double exact_exp(double x) {
  if (std::isnan(x)) {
    return x;
  }
  if (x < -kLargest) {
    return 0.0;
  }
  x = x > kLargest ? kLargest : x;
  const int n = static_cast<int>(x / kLn2 + (x < 0 ? -0.5 : 0.5));
  const double r = (x - n * kLn2High) - n * kLn2Low;
  // Of |r| <= 0.35 the thirteenth term is below 1e-16.
  double sum = 1.0;
  for (int term = 13; term >= 1; --term) {
    sum = 1.0 + r / term * sum;
  }
  return sum * power_of_two(n);
}

double exact_log(double x) {
  if (!(x > 0) || !std::isfinite(x)) {
    return kLowest;
  }
  int exponent = 0;
  if (x < 0x1p-1022) {
    x *= kTwo54;
    exponent = -54;
  }
  const auto bits = __builtin_bit_cast(std::uint64_t, x);
  exponent += static_cast<int>(bits >> kMantissaBits) - (kExponentBias - 1);
  // A mantissa between the root of a half and the root of two.
  const std::uint64_t mantissa = bits & ((std::uint64_t{1} << kMantissaBits) - 1);
  double m =
      __builtin_bit_cast(double, mantissa | (std::uint64_t{kExponentBias - 1} << kMantissaBits));
  if (m < kRootHalf) {
    m *= 2;
    --exponent;
  }
  // ln m = 2 artanh((m - 1) / (m + 1)), whose argument is below 0.172.
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  double sum = 0;
  for (int odd = 23; odd >= 1; odd -= 2) {
    sum = 1.0 / odd + square * sum;
  }
  return exponent * kLn2High + (2 * s * sum + exponent * kLn2Low);
}

double exact_pow(double x, double y) {
  if (x <= 0) {
    return y == 0 ? 1.0 : 0.0;
  }
  return exact_exp(y * exact_log(x));
}

}  // namespace ridgepoint
