#include "command/yaml_scalars.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>

#include "command/shell_expansion.hpp"
#include "command/yaml.hpp"

namespace ridgepoint::command {
namespace {

Error not_yaml(const char* message) { return {"not_yaml", message, ""}; }

bool digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?, put as JSON writes it; empty: it is none.
std::string json_number(std::string_view text) {
  std::string out;
  if (text.starts_with('-') || text.starts_with('+')) {
    out = text.front() == '-' ? "-" : "";
    text.remove_prefix(1);
  }
  const std::size_t exponent = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, exponent);
  const std::size_t dot = mantissa.find('.');
  const std::string_view whole = mantissa.substr(0, dot);
  const std::string_view fraction =
      dot == std::string_view::npos ? std::string_view() : mantissa.substr(dot + 1);
  const bool bare = whole.empty() && fraction.empty();
  if (bare || (!whole.empty() && !digits(whole)) || (!fraction.empty() && !digits(fraction))) {
    return {};
  }
  const std::size_t first = whole.find_first_not_of('0');
  out += first == std::string_view::npos ? "0" : std::string(whole.substr(first));
  if (!fraction.empty()) {
    out += "." + std::string(fraction);
  } else if (dot != std::string_view::npos) {
    out += ".0";
  }
  if (exponent != std::string_view::npos) {
    std::string_view power = text.substr(exponent + 1);
    const bool sign = power.starts_with('-') || power.starts_with('+');
    if (!digits(power.substr(sign ? 1 : 0))) {
      return {};
    }
    out += "e" + std::string(power);
  }
  return out;
}

std::optional<std::uint64_t> based(std::string_view text, unsigned base) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::uint64_t number = 0;
  for (const char c : text) {
    const char lower = c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
    const std::size_t digit = kDigits.find(lower);
    if (digit >= base || number >> 59U != 0) {
      return std::nullopt;
    }
    number = number * base + digit;
  }
  return text.empty() ? std::nullopt : std::optional(number);
}

/// One escape of a double-quoted scalar; `at` is behind the backslash.
bool append_escape(std::string& out, std::string_view text, std::size_t& at) {
  constexpr std::string_view kLetters = "0abtnvfre \"/\\N_LP\t";
  constexpr std::uint32_t kCodes[] = {0,    7,   8,   9,    10,   11,   12,     13,     27,
                                      0x20, '"', '/', '\\', 0x85, 0xa0, 0x2028, 0x2029, 9};
  const char c = text[at++];
  const std::size_t letter = kLetters.find(c);
  if (letter != std::string_view::npos) {
    append_utf8(out, kCodes[letter]);
    return true;
  }
  const std::size_t length = c == 'x' ? 2 : (c == 'u' ? 4 : (c == 'U' ? 8 : 0));
  const auto code = based(text.substr(at, length), 16);
  if (length == 0 || !code || at + length > text.size()) {
    return false;
  }
  at += length;
  auto point = static_cast<std::uint32_t>(*code);
  // JSON writes what is above U+FFFF as two surrogates.
  if (c == 'u' && point >= 0xd800 && point < 0xdc00 && text.substr(at, 2) == "\\u") {
    const auto low = based(text.substr(at + 2, 4), 16);
    if (low && *low >= 0xdc00 && *low < 0xe000) {
      point = 0x10000 + ((point - 0xd800) << 10U) + (static_cast<std::uint32_t>(*low) - 0xdc00);
      at += 6;
    }
  }
  append_utf8(out, point);
  return true;
}

/// A line end within quotes: blanks around it go, and it is a space, or n - 1 line ends of n.
void fold(std::string& out, std::string_view text, std::size_t& at, std::size_t kept) {
  while (out.size() > kept && (out.back() == ' ' || out.back() == '\t')) {
    out.pop_back();
  }
  std::size_t ends = 0;
  while (at < text.size() && (text[at] == '\n' || text[at] == ' ' || text[at] == '\t')) {
    ends += text[at] == '\n' ? 1 : 0;
    ++at;
  }
  out += ends == 1 ? std::string(1, ' ') : std::string(ends - 1, '\n');
}

}  // namespace

json::Value yaml_scalar(std::string_view text) {
  for (const std::string_view none : {"", "~", "null", "Null", "NULL"}) {
    if (text == none) {
      return nullptr;
    }
  }
  for (const std::string_view yes : {"true", "True", "TRUE"}) {
    if (text == yes) {
      return true;
    }
  }
  for (const std::string_view no : {"false", "False", "FALSE"}) {
    if (text == no) {
      return false;
    }
  }
  constexpr std::size_t kLongestNumber = 60;
  if (text.size() <= kLongestNumber) {
    if (text.starts_with("0x") || text.starts_with("0o")) {
      if (const auto number = based(text.substr(2), text[1] == 'x' ? 16 : 8)) {
        return *number;
      }
    }
    if (const std::string number = json_number(text); !number.empty()) {
      const auto value = json::parse(number, "");
      if (value && value->is_number()) {
        return value.value();
      }
    }
  }
  return std::string(text);
}

Result<std::string> yaml_quoted(std::string_view text, std::size_t& at) {
  const char mark = text[at++];
  std::string out;
  std::size_t kept = 0;  // escaped blanks are no blanks at a line's end
  while (at < text.size()) {
    const char c = text[at];
    if (c == mark) {
      ++at;
      if (mark == '\'' && at < text.size() && text[at] == '\'') {
        out += '\'';
        ++at;
        continue;
      }
      return out;
    }
    if (c == '\n') {
      fold(out, text, at, kept);
    } else if (c == '\\' && mark == '"') {
      ++at;
      if (at < text.size() && text[at] == '\n') {
        while (at < text.size() && (text[at] == '\n' || text[at] == ' ' || text[at] == '\t')) {
          ++at;
        }
      } else if (at == text.size() || !append_escape(out, text, at)) {
        return not_yaml("A backslash in double quotes is followed by what is no escape.");
      }
      kept = out.size();
    } else {
      out += c;
      ++at;
    }
  }
  return not_yaml("A quote is opened and not closed.");
}

std::string yaml_block(const BlockStyle& style, std::string_view lines) {
  std::string out;
  std::size_t trailing = 0;  // line ends after the last line with text
  bool first = true;
  bool was_indented = false;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 1, lines.size()));
    if (line.empty()) {
      ++trailing;
      continue;
    }
    const bool indented = line.front() == ' ' || line.front() == '\t';
    if (first) {
      out.append(trailing, '\n');
    } else if (style.folded && !indented && !was_indented) {
      out += trailing == 0 ? std::string(1, ' ') : std::string(trailing, '\n');
    } else {
      out.append(trailing + 1, '\n');
    }
    out += line;
    trailing = 0;
    first = false;
    was_indented = indented;
  }
  if (style.chomp == '+') {
    out.append(first ? trailing : trailing + 1, '\n');
  } else if (style.chomp != '-' && !first) {
    out += '\n';
  }
  return out;
}

}  // namespace ridgepoint::command
