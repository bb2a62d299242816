#include "engine/llamacpp/version.hpp"

#include <array>

#include "json/fields.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::llamacpp {
namespace {

constexpr std::array<std::string_view, 13> kCovered = {"b4000", "b4016", "b5000", "b5427", "b6325",
                                                       "b6933", "b7000", "b7412", "b7886", "b9313",
                                                       "b9377", "b9409", "b10470"};
constexpr std::uint32_t kOldest = 4000;
constexpr std::uint32_t kNewest = 10470;

Error bad_version(std::string_view text) {
  return Error{
      "bad_version",
      worded({"\"", json::excerpt(text, 40),
              "\" is not a llama.cpp build; write it like b6300 (covered: b4000 to b10470)."}),
      "engine.version"};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

/// A commit behind the number: "-0123abc", or " (0123abc)" as --version prints it.
bool is_commit(std::string_view text) {
  if (text.empty()) {
    return true;
  }
  if (text.starts_with(" (") && text.ends_with(")")) {
    text = text.substr(2, text.size() - 3);
  } else if (text.front() == '-') {
    text.remove_prefix(1);
  } else {
    return false;
  }
  if (text.size() < 4 || text.size() > 40) {
    return false;
  }
  for (const char c : text) {
    if (!is_hex(c)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::span<const std::string_view> covered_versions() { return kCovered; }

Result<Version> parse_version(std::string_view text) {
  if (text.empty()) {
    return Version{kNewest, std::string(kCovered.back()), false};
  }
  std::string_view rest = text;
  if (rest.starts_with("build ")) {
    rest.remove_prefix(6);
  }
  if (!rest.empty() && (rest.front() == 'b' || rest.front() == 'B')) {
    rest.remove_prefix(1);
  }
  std::uint32_t number = 0;
  std::size_t digits = 0;
  while (digits < rest.size() && is_digit(rest[digits]) && digits < 8) {
    number = number * 10 + static_cast<std::uint32_t>(rest[digits] - '0');
    ++digits;
  }
  if (digits == 0 || digits > 7 || !is_commit(rest.substr(digits))) {
    return bad_version(text);
  }
  const std::string name = worded({"b", number});
  if (number < kOldest) {
    return Error{"version_too_old",
                 worded({"llama.cpp ", name, " is older than the oldest build covered, b4000."}),
                 "engine.version"};
  }
  if (number > kNewest) {
    return Version{kNewest, name, true};
  }
  return Version{number, name, false};
}

}  // namespace ridgepoint::engine::llamacpp
