#include "log/settings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "log/wording.hpp"

namespace ridgepoint::log {
namespace {

constexpr std::size_t kMostSettings = 600;
constexpr std::size_t kMostValue = 4096;

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

bool is_quote(char c) { return c == '\'' || c == '"'; }

/// Past the string that begins at `at` with a quote.
std::size_t past_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      return at + 1;
    }
  }
  return text.size();
}

int bracket_step(char c) {
  if (c == '(' || c == '[' || c == '{') {
    return 1;
  }
  return c == ')' || c == ']' || c == '}' ? -1 : 0;
}

/// The end of the value that begins at `at`: a comma, or the bracket that closes the list.
std::size_t value_end(std::string_view text, std::size_t at) {
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (is_quote(c)) {
      at = past_string(text, at);
      continue;
    }
    depth += bracket_step(c);
    if (depth < 0 || (depth == 0 && c == ',')) {
      return at;
    }
    ++at;
  }
  return at;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') {
    text.remove_prefix(1);
  }
  while (!text.empty() && text.back() == ' ') {
    text.remove_suffix(1);
  }
  return text;
}

std::string unquoted(std::string_view text) {
  std::string out;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == '\\' && i + 2 < text.size()) {
      ++i;
    }
    out += text[i];
  }
  return out;
}

void read_value(std::string_view text, Setting& setting) {
  if (text == "None" || text == "null" || text.empty()) {
    setting.value = Nothing{};
  } else if (text == "True" || text == "true") {
    setting.value = true;
  } else if (text == "False" || text == "false") {
    setting.value = false;
  } else if (is_quote(text.front()) && text.size() >= 2) {
    setting.value = unquoted(text);
  } else {
    const ReadNumber number = read_number(text);
    if (number.length != text.size()) {
      setting.value = Source{std::string(text)};
    } else if (text.find('.') == std::string_view::npos && std::abs(number.value) < 9e15) {
      setting.value = static_cast<std::int64_t>(number.value);
    } else {
      setting.value = number.value;
    }
  }
}

/// A word of Python outside strings as JSON; empty when it is no literal.
std::string_view literal_as_json(std::string_view word) {
  if (word == "True" || word == "true") {
    return "true";
  }
  if (word == "False" || word == "false") {
    return "false";
  }
  if (word == "None" || word == "null") {
    return "null";
  }
  return read_number(word).length == word.size() ? word : std::string_view();
}

}  // namespace

std::vector<Setting> read_settings(std::string_view text) {
  std::vector<Setting> settings;
  std::size_t at = 0;
  while (at < text.size() && settings.size() < kMostSettings) {
    const char c = text[at];
    if (c == ' ' || c == ',' || (settings.empty() && bracket_step(c) > 0)) {
      ++at;
      continue;
    }
    const bool quoted = is_quote(c);
    const std::size_t begin = quoted ? at + 1 : at;
    std::size_t end = begin;
    while (end < text.size() && is_name(text[end])) {
      ++end;
    }
    std::size_t mark = quoted ? end + 1 : end;
    while (mark < text.size() && text[mark] == ' ') {
      ++mark;
    }
    if (end == begin || mark >= text.size() || (text[mark] != '=' && text[mark] != ':')) {
      // Words between the settings, or the bracket that ends them.
      if (bracket_step(c) < 0) {
        break;
      }
      at = std::max(end, at + 1);
      continue;
    }
    Setting setting;
    setting.name = std::string(text.substr(begin, std::min<std::size_t>(end - begin, 128)));
    const std::size_t stop = value_end(text, mark + 1);
    read_value(trimmed(text.substr(mark + 1, std::min(stop - mark - 1, kMostValue))), setting);
    settings.push_back(std::move(setting));
    at = stop;
  }
  return settings;
}

int open_brackets(std::string_view text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (is_quote(text[at])) {
      at = past_string(text, at);
      continue;
    }
    depth += bracket_step(text[at]);
    ++at;
  }
  return depth;
}

std::string python_as_json(std::string_view source) {
  std::string out;
  for (std::size_t at = 0; at < source.size();) {
    const char c = source[at];
    if (is_quote(c)) {
      const std::size_t end = past_string(source, at);
      out += '"';
      for (const char inside : unquoted(source.substr(at, end - at))) {
        if (inside == '"' || inside == '\\') {
          out += '\\';
        }
        out += inside;
      }
      out += '"';
      at = end;
    } else if (is_name(c)) {
      std::size_t end = at;
      while (end < source.size() && is_name(source[end])) {
        ++end;
      }
      const std::string_view word = literal_as_json(source.substr(at, end - at));
      if (word.empty()) {
        return {};
      }
      out += word;
      at = end;
    } else if (c == '[' || c == ']' || c == '{' || c == '}' || c == ',' || c == ':' || c == ' ') {
      out += c;
      ++at;
    } else {
      return {};
    }
  }
  return out;
}

}  // namespace ridgepoint::log
