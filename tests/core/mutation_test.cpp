// A short run of what tests/fuzz.sh does for long: every fixture with a few changes each.
#include "../fuzz/mutation.hpp"

#include <catch2/catch.hpp>

#include "fixtures.hpp"
#include "soundness.hpp"

using fixtures::Json;

TEST_CASE("a fixture with a few changes is answered soundly or refused") {
  constexpr std::uint64_t kRounds = 12;
  const auto& names = fixtures::models();
  std::size_t sized = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Json original = fixtures::config(names[i]);
    for (std::uint64_t round = 0; round < kRounds; ++round) {
      mutation::Dice dice(i * kRounds + round + 1);
      const Json other = fixtures::config(names[dice.below(names.size())]);
      Json config = original;
      for (std::size_t change = 0; change <= dice.below(4); ++change) {
        mutation::mutate(config, other, dice);
      }
      Json request = fixtures::request();
      request["model"]["config"] = config;
      INFO(names[i] << " round " << round << ": " << config.dump().substr(0, 3000));
      const Json said = fixtures::answer(request);
      CHECK(soundness::unsound(said) == "");
      sized += said.contains("error") ? 0 : 1;
    }
  }
  // Most changes leave a model that can be sized; else the run would only test refusals.
  CHECK(sized * 4 >= names.size() * kRounds);
}
