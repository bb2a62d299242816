#include "engine/vllm/version.hpp"

#include <array>
#include <optional>

#include "json/fields.hpp"

namespace ridgepoint::engine::vllm {
namespace {

constexpr std::array<std::string_view, 21> kCovered = {
    "0.9.1",  "0.9.2",  "0.10.0", "0.10.1", "0.10.2", "0.11.0", "0.12.0",
    "0.13.0", "0.14.0", "0.15.0", "0.16.0", "0.17.0", "0.18.0", "0.19.0",
    "0.20.0", "0.21.0", "0.22.0", "0.23.0", "0.24.0", "0.25.0", "0.26.0"};
constexpr std::array<std::string_view, 3> kNewest = {"0.27.0", "0.28.0", "0.29.0"};

constexpr auto kAll = [] {
  std::array<std::string_view, kCovered.size() + kNewest.size()> all{};
  std::size_t at = 0;
  for (const auto v : kCovered) {
    all[at++] = v;
  }
  for (const auto v : kNewest) {
    all[at++] = v;
  }
  return all;
}();

constexpr std::uint32_t kNewestMinor = 29;
constexpr std::uint32_t kOldestMinor = 9;

bool digit(char c) { return c >= '0' && c <= '9'; }

/// A number of at most six digits at the front of `text`, which is shortened by it.
std::optional<std::uint32_t> take_number(std::string_view& text) {
  std::size_t length = 0;
  std::uint32_t value = 0;
  while (length < text.size() && digit(text[length])) {
    if (length == 6) {
      return std::nullopt;
    }
    value = value * 10 + static_cast<std::uint32_t>(text[length] - '0');
    ++length;
  }
  if (length == 0) {
    return std::nullopt;
  }
  text.remove_prefix(length);
  return value;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) {
    return false;
  }
  text.remove_prefix(prefix.size());
  return true;
}

struct Suffix {
  bool valid;
  bool development;
};

/// Python's version suffixes: rcN, aN, bN, .postN, .devN, +local.
Suffix read_suffix(std::string_view text) {
  bool development = false;
  while (!text.empty()) {
    if (text.front() == '+') {
      for (const char c : text.substr(1)) {
        const bool allowed = digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                             c == '.' || c == '-' || c == '_';
        if (!allowed) {
          return {false, false};
        }
      }
      return {text.size() > 1, development};
    }
    const bool post = take(text, ".post");
    const bool early = !post && (take(text, "rc") || take(text, ".dev") || take(text, "dev") ||
                                 take(text, "a") || take(text, "b"));
    if (!post && !early) {
      return {false, false};
    }
    development = development || early;
    if (!take_number(text) && !early) {
      return {false, false};
    }
  }
  return {true, development};
}

Error bad_version(std::string_view text) {
  return Error{"bad_version",
               "\"" + json::excerpt(text, 40) +
                   "\" is not a vLLM version; write it like 0.28.0 (covered: 0.9.1 to " +
                   std::string(kAll.back()) + ").",
               "engine.version"};
}

}  // namespace

std::span<const std::string_view> covered_versions() { return kAll; }

Result<Version> parse_version(std::string_view text) {
  const std::string_view given = text;
  if (text.empty()) {
    return Version{kNewestMinor, 0, std::string(kAll.back()), false};
  }
  if (text.size() > 80) {
    return bad_version(given);
  }
  if (text.front() == 'v') {
    text.remove_prefix(1);
  }
  const auto major = take_number(text);
  if (!major || !take(text, ".")) {
    return bad_version(given);
  }
  const auto minor = take_number(text);
  if (!minor) {
    return bad_version(given);
  }
  std::optional<std::uint32_t> patch;
  if (text.size() > 1 && text[0] == '.' && digit(text[1])) {
    text.remove_prefix(1);
    patch = take_number(text);
    if (!patch) {
      return bad_version(given);
    }
  }
  const Suffix suffix = read_suffix(text);
  if (!suffix.valid) {
    return bad_version(given);
  }
  std::string shown(given.front() == 'v' ? given.substr(1) : given);
  if (!patch && !suffix.development) {
    shown += ".0";
  }
  // Builds from the main branch without tags call themselves 0.1.devN.
  const bool untagged = *major == 0 && *minor == 1 && suffix.development;
  if (*major > 0 || *minor > kNewestMinor || untagged) {
    return Version{kNewestMinor, 0, shown, true};
  }
  const bool before_fix = *minor == kOldestMinor && patch.value_or(2) == 0;
  if (*minor < kOldestMinor || before_fix) {
    return Error{"version_too_old",
                 "vLLM " + shown + " is older than the oldest version covered, 0.9.1.",
                 "engine.version"};
  }
  return Version{*minor, patch.value_or(0), shown, suffix.development};
}

}  // namespace ridgepoint::engine::vllm
