#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>

#include "json/read_number.hpp"
#include "json/read_value.hpp"

// The core's own reader of JSON against nlohmann's, and its numbers against the C library's.

namespace {

using nlohmann::json;
using ridgepoint::json::nearest_double;
using ridgepoint::json::read_value;

std::uint64_t bits_of(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

void check_number(const std::string& text) {
  INFO(text.substr(0, 60));
  CHECK(bits_of(nearest_double(text)) == bits_of(std::strtod(text.c_str(), nullptr)));
}

/// The same trees, down to the kind of each number.
bool same(const json& one, const json& other) {
  if (one.type() != other.type() || one.size() != other.size()) {
    return false;
  }
  if (one.is_object()) {
    for (const auto& item : one.items()) {
      if (!other.contains(item.key()) || !same(item.value(), other[item.key()])) {
        return false;
      }
    }
    return true;
  }
  if (one.is_array()) {
    for (std::size_t i = 0; i < one.size(); ++i) {
      if (!same(one[i], other[i])) {
        return false;
      }
    }
    return true;
  }
  if (one.is_number_float()) {
    return bits_of(one.get<double>()) == bits_of(other.get<double>());
  }
  return one == other;
}

/// Whether both readers take the text, and to the same value.
void check_text(const std::string& text) {
  INFO(text.substr(0, 200));
  const json expected = json::parse(text, nullptr, false);
  json given;
  const bool taken = read_value(text, given);
  REQUIRE(taken == !expected.is_discarded());
  if (taken) {
    CHECK(same(given, expected));
  }
}

}  // namespace

TEST_CASE("numbers are the nearest doubles") {
  for (const char* text :
       {"0", "-0", "-0.0", "0.000", "0e9", "1e400", "1e-400", "0e999999999", "0.1", "1e-05",
        "500000.0", "1e22", "1e23", "8.5e22", "9007199254740993", "9007199254740992.5",
        "1.7976931348623157e308", "1.7976931348623159e308", "4.9e-324", "2.5e-324", "2.4e-324",
        "2.2250738585072014e-308", "2.2250738585072011e-308", "123456789012345678901234567890",
        "1e99999999999", "1e-99999999999",
        // Half-way between two doubles, where the even one counts, and a little past it.
        "5.00000000000000166533453693773481063544750213623046875",
        "5.00000000000000166533453693773481063544750213623046876"}) {
    check_number(text);
  }
  check_number("0." + std::string(2000, '0') + "1e2001");
  check_number("1" + std::string(2000, '0') + "e-2000");
  check_number("0." + std::string(999, '9'));
  check_number("9007199254740993" + std::string(1000, '0') + "e-1000");
  check_number("9007199254740993." + std::string(1000, '0') + "1");

  std::mt19937_64 random(1);
  for (int i = 0; i < 5000; ++i) {
    const auto whole = random() >> (random() % 64);
    const auto part = random() >> (random() % 64);
    const auto exponent = static_cast<int>(random() % 700) - 350;
    check_number(std::to_string(whole) + "." + std::to_string(part) + "e" +
                 std::to_string(exponent));
  }
}

TEST_CASE("texts are read as the library reads them") {
  for (const char* text : {"",
                           " ",
                           "null",
                           "nul",
                           "nulll",
                           "true",
                           "false ",
                           "[]",
                           "[ ]",
                           "[1,]",
                           "[,1]",
                           "[1 2]",
                           "{}",
                           "{ }",
                           R"({"a":1})",
                           R"({"a":1,})",
                           R"({"a" : [1, 2.5, -3, {"b": null}]})",
                           R"({"a":1,"a":{"b":2}})",
                           R"({"a":1 "b":2})",
                           R"({a:1})",
                           R"({"a"})",
                           "[1]]",
                           "[1] x",
                           "01",
                           "-",
                           "-0",
                           "-01",
                           "+1",
                           ".5",
                           "1.",
                           "1.e5",
                           "1e",
                           "1e+",
                           "1E+5",
                           "1e5",
                           "18446744073709551615",
                           "18446744073709551616",
                           "-9223372036854775808",
                           "-9223372036854775809",
                           "1e999",
                           R"("\u00e9\ud83d\ude00\n\/\\\"\b\f\r\t")",
                           R"("\ud83d")",
                           R"("\ud83d\u0041")",
                           R"("\ude00")",
                           R"("\u00g0")",
                           R"("\x")",
                           R"("\u12)",
                           "\"a\nb\"",
                           "\"\x7f\"",
                           "\"é…😀\"",
                           "\"\xc0\x80\"",
                           "\"\xed\xa0\x80\"",
                           "\"\xf5\x80\x80\x80\"",
                           "\"\xe2\x82\"",
                           "\"",
                           "\"\\",
                           "// comment\n1"}) {
    check_text(text);
  }
}

TEST_CASE("broken texts are refused as the library refuses them") {
  const std::string whole = R"({"architectures":["LlamaForCausalLM"],"rope_theta":5e5,)"
                            R"("eps":1e-05,"tie":false,"name":"\u00e9 \"x\"","n":[1,-2,3.25],)"
                            R"("none":null,"nested":{"deep":[[],{}]}})";
  check_text(whole);
  std::mt19937 random(7);
  constexpr std::string_view kBytes = "{}[]\",:\\e+-.0123u \n\x80\xc3tfn";
  for (int i = 0; i < 20000; ++i) {
    std::string text = whole;
    for (unsigned edits = 1 + random() % 3; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0) {
        text.erase(at, 1 + random() % 4);
      } else {
        text[at] = kBytes[random() % kBytes.size()];
      }
    }
    check_text(text);
  }
}
