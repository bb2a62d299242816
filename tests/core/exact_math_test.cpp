#include "exact_math.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using ridgepoint::exact_exp;
using ridgepoint::exact_log;
using ridgepoint::exact_pow;

TEST_CASE("exponentials, logarithms and powers agree with the C library", "[exact_math]") {
  for (double x = -690; x < 690; x += 0.37) {
    CHECK(exact_exp(x) == Approx(std::exp(x)).epsilon(1e-14));
  }
  for (double x = 1e-300; x < 1e300; x *= 7.3) {
    CHECK(exact_log(x) == Approx(std::log(x)).epsilon(1e-14).margin(1e-15));
  }
  for (double x = 0.5; x < 1.5; x += 0.001) {
    CHECK(exact_log(x) == Approx(std::log(x)).epsilon(1e-13).margin(1e-16));
  }
  for (double x = 1e-12; x < 1e12; x *= 3.1) {
    for (const double y : {-2.3, -1 / 2.3, 0.25, 1 / 2.3, 1.0, 2.3}) {
      CHECK(exact_pow(x, y) == Approx(std::pow(x, y)).epsilon(3e-14));
    }
  }
}

TEST_CASE("what has no exponential or logarithm gives a bounded number", "[exact_math]") {
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK(exact_exp(-infinite) == 0.0);
  CHECK(std::isfinite(exact_exp(infinite)));
  CHECK(exact_exp(0.0) == 1.0);
  CHECK(exact_log(1.0) == 0.0);
  CHECK(exact_log(0.0) == -750.0);
  CHECK(exact_log(-1.0) == -750.0);
  CHECK(exact_log(infinite) == -750.0);
  CHECK(exact_log(5e-324) == Approx(std::log(5e-324)));
  CHECK(exact_pow(0.0, 2.3) == 0.0);
  CHECK(exact_pow(0.0, 0.0) == 1.0);
}
