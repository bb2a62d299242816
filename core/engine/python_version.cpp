#include "engine/python_version.hpp"

namespace ridgepoint::engine {
namespace {

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

}  // namespace

std::optional<PythonVersion> parse_python_version(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  if (text.empty() || text.size() > kLongest) {
    return std::nullopt;
  }
  take(text, "v");
  PythonVersion version;
  version.text = text;
  const auto major = take_number(text);
  if (!major || !take(text, ".")) {
    return std::nullopt;
  }
  const auto minor = take_number(text);
  if (!minor) {
    return std::nullopt;
  }
  version.major = *major;
  version.minor = *minor;
  if (text.size() > 1 && text[0] == '.' && digit(text[1])) {
    text.remove_prefix(1);
    version.patch = take_number(text);
    if (!version.patch) {
      return std::nullopt;
    }
  }
  const Suffix suffix = read_suffix(text);
  if (!suffix.valid) {
    return std::nullopt;
  }
  version.development = suffix.development;
  if (!version.patch && !suffix.development) {
    version.text += ".0";
  }
  return version;
}

}  // namespace ridgepoint::engine
