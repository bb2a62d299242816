#include "serve/bisection.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using ridgepoint::serve::Bisection;

namespace {

struct Sought {
  std::optional<double> best;
  int questions = 0;
};

Sought seek(const Bisection::Bounds& bounds, double guess, double limit) {
  Bisection bisection(bounds, guess);
  Sought sought;
  while (const auto value = bisection.next()) {
    REQUIRE(*value >= bounds.least);
    REQUIRE(*value <= bounds.most);
    REQUIRE(++sought.questions < 60);
    bisection.told(*value <= limit);
  }
  sought.best = bisection.best();
  return sought;
}

}  // namespace

TEST_CASE("a bisection finds the largest value that holds, wherever it starts", "[serve]") {
  const Bisection::Bounds bounds{1e-4, 1e6, 0.01, false};
  for (const double limit : {2e-4, 0.3, 1.0, 17.3, 4000.0}) {
    for (const double guess : {1e-9, 1e-4, 0.5, 17.0, 1e6, 1e12}) {
      const Sought sought = seek(bounds, guess, limit);
      CAPTURE(limit, guess);
      REQUIRE(sought.best);
      CHECK(*sought.best <= limit);
      CHECK(*sought.best * 1.01 >= limit * (1 - 1e-12));
    }
  }
  CHECK(seek(bounds, 20.0, 18.0).questions <= 8);
}

TEST_CASE("whole numbers are found exactly", "[serve]") {
  const Bisection::Bounds bounds{1, 100000, 0.0001, true};
  for (const double limit : {1.0, 2.0, 3.0, 63.0, 64.0, 999.0}) {
    for (const double guess : {0.0, 1.0, 50.0, 5000.0}) {
      const Sought sought = seek(bounds, guess, limit);
      CAPTURE(limit, guess);
      REQUIRE(sought.best);
      CHECK(*sought.best == limit);
    }
  }
}

TEST_CASE("a bisection ends where nothing or everything holds", "[serve]") {
  const Bisection::Bounds bounds{1, 1000, 0.01, false};
  CHECK_FALSE(seek(bounds, 50, 0.5).best);
  CHECK(seek(bounds, 50, 1e9).best == 1000.0);
  CHECK(seek(bounds, std::nan(""), 1e9).best == 1000.0);
  CHECK(seek({5, 5, 0.01, true}, 5, 5).best == 5.0);
  CHECK_FALSE(seek({5, 5, 0.01, true}, 5, 4).best);
}
