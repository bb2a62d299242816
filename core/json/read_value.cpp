#include "json/read_value.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "json/read_number.hpp"

namespace ridgepoint::json {
namespace {

using nlohmann::json;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append_utf8(std::string& out, std::uint32_t code) {
  const auto add = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  const auto add_rest = [&](unsigned shift) { add(0x80U | ((code >> shift) & 0x3FU)); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xC0U | (code >> 6U));
    add_rest(0);
  } else if (code < 0x10000) {
    add(0xE0U | (code >> 12U));
    add_rest(6);
    add_rest(0);
  } else {
    add(0xF0U | (code >> 18U));
    add_rest(12);
    add_rest(6);
    add_rest(0);
  }
}

/// Reads one text from its front; every function is false once it is not JSON.
class ValueReader {
 public:
  explicit ValueReader(std::string_view text) : rest_(text) {}

  bool whole_text(json& out) {
    if (!value(out)) {
      return false;
    }
    skip_space();
    return rest_.empty();
  }

 private:
  void skip_space() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }

  bool take(char c) {
    const bool is = !rest_.empty() && rest_.front() == c;
    rest_.remove_prefix(is ? 1 : 0);
    return is;
  }

  bool next(char c) {
    skip_space();
    return take(c);
  }

  bool value(json& out) {
    skip_space();
    if (rest_.empty()) {
      return false;
    }
    switch (rest_.front()) {
      case '{':
        return object(out);
      case '[':
        return array(out);
      case '"':
        out = std::string();
        return string(out.get_ref<std::string&>());
      case 't':
        return word("true", out, true);
      case 'f':
        return word("false", out, false);
      case 'n':
        return word("null", out, nullptr);
      default:
        return number(out);
    }
  }

  bool word(std::string_view text, json& out, const json& meaning) {
    if (!rest_.starts_with(text)) {
      return false;
    }
    rest_.remove_prefix(text.size());
    out = meaning;
    return true;
  }

  bool object(json& out) {
    out = json::object();
    auto& members = out.get_ref<json::object_t&>();
    take('{');
    if (next('}')) {
      return true;
    }
    do {
      std::string key;
      skip_space();
      if (!string(key) || !next(':') || !value(members[std::move(key)])) {
        return false;
      }
    } while (next(','));
    return take('}');
  }

  bool array(json& out) {
    out = json::array();
    auto& list = out.get_ref<json::array_t&>();
    take('[');
    if (next(']')) {
      return true;
    }
    do {
      list.emplace_back();
      if (!value(list.back())) {
        return false;
      }
    } while (next(','));
    return take(']');
  }

  bool string(std::string& out) {
    if (!take('"')) {
      return false;
    }
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '"') {
        return take('"');
      }
      if (c == '\\') {
        if (!escape(out)) {
          return false;
        }
        continue;
      }
      const std::size_t length = character_length(rest_);
      if (length == 0 || static_cast<unsigned char>(c) < 0x20) {
        return false;
      }
      out += rest_.substr(0, length);
      rest_.remove_prefix(length);
    }
    return false;
  }

  bool escape(std::string& out) {
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    take('\\');
    if (rest_.empty()) {
      return false;
    }
    if (take('u')) {
      std::uint32_t code = 0;
      return code_point(code) && (append_utf8(out, code), true);
    }
    const std::size_t name = kNames.find(rest_.front());
    if (name == std::string_view::npos) {
      return false;
    }
    out += kMeanings[name];
    rest_.remove_prefix(1);
    return true;
  }

  /// After `\u`; characters past the first 65,536 are written as two.
  bool code_point(std::uint32_t& code) {
    if (!four_digits(code) || (code >= 0xDC00 && code <= 0xDFFF)) {
      return false;
    }
    if (code < 0xD800 || code > 0xDFFF) {
      return true;
    }
    std::uint32_t low = 0;
    if (!take('\\') || !take('u') || !four_digits(low) || low < 0xDC00 || low > 0xDFFF) {
      return false;
    }
    code = 0x10000U + ((code - 0xD800U) << 10U) + (low - 0xDC00U);
    return true;
  }

  bool four_digits(std::uint32_t& code) {
    if (rest_.size() < 4) {
      return false;
    }
    for (const char c : rest_.substr(0, 4)) {
      const auto lower = static_cast<unsigned char>(c | 0x20);
      const bool letter = lower >= 'a' && lower <= 'f';
      if (!is_digit(c) && !letter) {
        return false;
      }
      code = code * 16 + static_cast<std::uint32_t>(letter ? lower - 'a' + 10 : c - '0');
    }
    rest_.remove_prefix(4);
    return true;
  }

  /// How many digits are at `at`, which moves past them.
  [[nodiscard]] std::size_t digits(std::size_t& at) const {
    const std::size_t first = at;
    while (at < rest_.size() && is_digit(rest_[at])) {
      ++at;
    }
    return at - first;
  }

  bool number(json& out) {
    const auto is = [&](std::size_t at, char c) { return at < rest_.size() && rest_[at] == c; };
    std::size_t end = is(0, '-') ? 1 : 0;
    const std::size_t first = end;
    const bool zero = is(end, '0');
    const std::size_t whole = digits(end);
    if (whole == 0 || (zero && whole > 1)) {
      return false;
    }
    const std::size_t whole_end = end;
    if (is(end, '.') && digits(++end) == 0) {
      return false;
    }
    if (is(end, 'e') || is(end, 'E')) {
      ++end;
      end += is(end, '+') || is(end, '-') ? 1 : 0;
      if (digits(end) == 0) {
        return false;
      }
    }
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end);
    if (end == whole_end && integer(text, first != 0, out)) {
      return true;
    }
    const double real = nearest_double(text);
    out = real;
    return std::isfinite(real);
  }

  /// False when it does not fit in 64 bits.
  static bool integer(std::string_view text, bool negative, json& out) {
    std::uint64_t size = 0;
    for (const char c : text.substr(negative ? 1 : 0)) {
      const auto digit = static_cast<std::uint64_t>(c - '0');
      if (size > (~0ULL - digit) / 10) {
        return false;
      }
      size = size * 10 + digit;
    }
    if (!negative) {
      out = size;
      return true;
    }
    if (size > 1ULL << 63U) {
      return false;
    }
    out = static_cast<std::int64_t>(~size + 1);
    return true;
  }

  std::string_view rest_;
};

}  // namespace

std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) {
    return 1;
  }
  const std::size_t length = byte(0) >= 0xF0 ? 4 : (byte(0) >= 0xE0 ? 3 : 2);
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < length) {
    return 0;
  }
  std::uint32_t code = byte(0) & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) {
      return 0;
    }
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return overlong || surrogate || code > 0x10FFFF ? 0 : length;
}

bool read_value(std::string_view text, nlohmann::json& value) {
  return ValueReader(text).whole_text(value);
}

}  // namespace ridgepoint::json
