// The reader of JSON against two independent ones: the library's own parser for what is JSON and
// what it means, the C library for the value of a number.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "json/read_number.hpp"
#include "json/read_value.hpp"
#include "sampling.hpp"

namespace {

using ridgepoint::json::nearest_double;
using ridgepoint::json::read_value;

bool agrees(const std::string& text) {
  const nlohmann::json theirs = nlohmann::json::parse(text, nullptr, false);
  nlohmann::json ours;
  const bool read = read_value(text, ours);
  if (theirs.is_discarded() || !read) {
    return theirs.is_discarded() == !read;
  }
  return ours == theirs && ours.dump() == theirs.dump() && ours.type() == theirs.type();
}

std::string digits(std::mt19937_64& random, std::size_t most) {
  std::string text;
  for (std::size_t i = 1 + random() % most; i-- > 0;) {
    text += static_cast<char>('0' + random() % 10);
  }
  return text;
}

std::string number(std::mt19937_64& random) {
  std::string text = random() % 3 == 0 ? "-" : "";
  std::string whole = digits(random, 22);
  whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size() - 1));
  text += whole;
  if (random() % 2 == 0) {
    text += "." + digits(random, 30);
  }
  if (random() % 2 == 0) {
    text += (random() % 2 == 0 ? "e" : "E") + std::string(random() % 2 == 0 ? "-" : "+");
    text += std::to_string(random() % 330);
  }
  return text;
}

}  // namespace

TEST_CASE("JSON is what the grammar says, and nothing beyond it", "[json]") {
  const std::array texts = {R"({})",
                            R"([])",
                            R"([1,2,])",
                            R"({"a":1,})",
                            R"({"a" 1})",
                            R"([01])",
                            R"([-])",
                            R"([1.])",
                            R"([.5])",
                            R"([1e])",
                            R"([1e+])",
                            R"([+1])",
                            R"([0])",
                            R"([-0])",
                            R"([-0.0])",
                            R"(["\u0041"])",
                            R"(["\ud83d\ude00"])",
                            R"(["\ud83d"])",
                            R"(["\ude00"])",
                            R"(["\ud83d\u0041"])",
                            R"(["\x"])",
                            R"(["\u00g0"])",
                            R"(["\u12"])",
                            R"(["\)",
                            R"(["abc)",
                            R"(truth)",
                            R"(true)",
                            R"(nul)",
                            R"( null )",
                            R"([NaN])",
                            R"({"a":1,"a":2})",
                            R"({"a":[1],"a":"x"})",
                            R"([1 2])",
                            R"({1:2})",
                            R"("x" "y")",
                            R"([18446744073709551615])",
                            R"([18446744073709551616])",
                            R"([-9223372036854775808])",
                            R"([-9223372036854775809])",
                            R"([1e400])",
                            R"([1e-400])",
                            R"(// x)",
                            R"([1]/**/)",
                            R"()"};
  for (const char* text : texts) {
    CAPTURE(text);
    CHECK(agrees(text));
  }
  CHECK(agrees("[\"\x01\"]"));
  CHECK(agrees("[\"\t\"]"));
  CHECK(agrees(std::string("[\"\0\"]", 5)));
}

TEST_CASE("Every byte after a lead byte is taken or refused as the library does", "[json]") {
  for (unsigned lead = 0; lead < 256; ++lead) {
    for (unsigned second = 0; second < 256; ++second) {
      for (const char* rest : {"", "\x80", "\x80\x80", "\xBF\xBF"}) {
        const std::string text = "\"" + std::string(1, static_cast<char>(lead)) +
                                 std::string(1, static_cast<char>(second)) + rest + "\"";
        // The library takes a zero byte after a value for the end of the text.
        const bool ended = lead == '"' && second == 0;
        if (!ended && !agrees(text)) {
          CAPTURE(lead, second, rest);
          REQUIRE(agrees(text));
        }
      }
    }
  }
}

TEST_CASE("A number is the nearest double, as the C library has it", "[json]") {
  std::mt19937_64 random(20);
  for (std::uint64_t at = 0; at < 40000; at += tests::sampled(8)) {
    const std::string text = number(random);
    const double ours = nearest_double(text);
    const double theirs = std::strtod(text.c_str(), nullptr);
    if (std::memcmp(&ours, &theirs, sizeof ours) != 0) {
      CAPTURE(text, ours, theirs);
      FAIL("another double");
    }
  }
  // Halfway cases, the edges of the range, and digits far behind that break a tie.
  for (const char* text :
       {"9007199254740993", "9007199254740993.0000000000000000000000000000000000001",
        "2.2250738585072011e-308", "2.2250738585072014e-308", "4.9406564584124654e-324",
        "2.4703282292062327e-324", "2.4703282292062328e-324", "1.7976931348623157e308",
        "1.7976931348623158e308", "1.7976931348623159e308", "0.1", "1e23", "8.5",
        "123456789012345678"}) {
    CAPTURE(text);
    CHECK(nearest_double(text) == std::strtod(text, nullptr));
  }
}

TEST_CASE("Texts that were broken at random are judged as the library judges them", "[json]") {
  std::mt19937_64 random(21);
  const std::string whole =
      R"({"architectures":["LlamaForCausalLM"],"rope":{"factor":8.0,"type":"llama3"},"n":-12,)"
      R"("list":[true,false,null,1e-5,"\u00e9\n"],"big":18446744073709551615,"text":"\\\"/"})";
  const std::string letters = "{}[]:,\"\\0123456789.eE+-truefalsn \n\xC3\xA9";
  for (std::uint64_t at = 0; at < 60000; at += tests::sampled(8)) {
    std::string text = whole;
    for (std::uint64_t edits = 1 + random() % 4; edits-- > 0;) {
      const std::size_t place = random() % text.size();
      const char letter = letters[random() % letters.size()];
      switch (random() % 3) {
        case 0:
          text[place] = letter;
          break;
        case 1:
          text.erase(place, 1 + random() % 5);
          break;
        default:
          text.insert(place, 1, letter);
      }
      if (text.empty()) text = "{}";
    }
    if (!agrees(text)) {
      CAPTURE(text);
      REQUIRE(agrees(text));
    }
  }
}
