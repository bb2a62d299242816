#include "command/shell_expansion.hpp"

#include <algorithm>
#include <utility>

#include "json/fields.hpp"

namespace ridgepoint::command {
namespace {

/// `${…}` and `$(…)` are looked through this far; what is longer is no part of a command line.
constexpr std::size_t kLongestInside = 1000;
constexpr std::size_t kMostNotes = 20;
constexpr std::size_t kDeepest = 4;

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

/// The place behind the bracket that closes the one before `at`; npos when it is too far off.
std::size_t closing(std::string_view text, std::size_t at, char open, char close) {
  std::size_t depth = 1;
  for (std::size_t i = at; i < std::min(text.size(), at + kLongestInside); ++i) {
    depth += text[i] == open ? 1 : 0;
    depth -= text[i] == close ? 1 : 0;
    if (depth == 0) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

std::size_t name_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && (letter(text[length]) || (length != 0 && digit(text[length])))) {
    ++length;
  }
  return length;
}

int hex_value(char c) {
  if (digit(c)) {
    return c - '0';
  }
  const char lower = c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// Up to `most` hexadecimal digits at the front of the text behind `at`, which moves over them.
std::uint32_t take_hex(std::string_view text, std::size_t& at, std::size_t most) {
  std::uint32_t code = 0;
  for (std::size_t n = 0; n < most && at < text.size() && hex_value(text[at]) >= 0; ++n, ++at) {
    code = code * 16 + static_cast<std::uint32_t>(hex_value(text[at]));
  }
  return code;
}

}  // namespace

bool is_variable_name(std::string_view text) {
  return !text.empty() && name_length(text) == text.size();
}

void append_utf8(std::string& out, std::uint32_t code) {
  if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
    out += '?';
  } else if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0U | (code >> 6U));
    out += static_cast<char>(0x80U | (code & 0x3fU));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0U | (code >> 12U));
    out += static_cast<char>(0x80U | ((code >> 6U) & 0x3fU));
    out += static_cast<char>(0x80U | (code & 0x3fU));
  } else {
    out += static_cast<char>(0xf0U | (code >> 18U));
    out += static_cast<char>(0x80U | ((code >> 12U) & 0x3fU));
    out += static_cast<char>(0x80U | ((code >> 6U) & 0x3fU));
    out += static_cast<char>(0x80U | (code & 0x3fU));
  }
}

std::size_t Expansion::single_quoted(std::string_view text, std::size_t at, std::string& inner) {
  const std::size_t end = text.find('\'', at);
  if (end == std::string_view::npos) {
    return end;
  }
  inner = text.substr(at, end - at);
  return end + 1;
}

std::size_t Expansion::double_quoted(std::string_view text, std::size_t at, std::string& inner) {
  list_.clear();
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      return at + 1;
    }
    if (c == '\\' && at + 1 < text.size()) {
      const char next = text[at + 1];
      if (next == '\n') {
        at += 2;
        continue;
      }
      const bool special = next == '"' || next == '\\' || next == '$' || next == '`';
      inner += special ? "" : "\\";
      inner += next;
      at += 2;
    } else if (c == '$') {
      std::vector<std::string> words;
      at = variable(text, at, words);
      for (std::size_t i = 0; i < words.size(); ++i) {
        inner += words[i];
        if (i + 1 < words.size()) {
          list_.push_back(std::exchange(inner, {}));
        }
      }
    } else {
      inner += c;
      ++at;
    }
  }
  return std::string_view::npos;
}

std::size_t Expansion::escaped_quoted(std::string_view text, std::size_t at, std::string& inner) {
  while (at < text.size() && text[at] != '\'') {
    if (text[at] != '\\' || at + 1 == text.size()) {
      inner += text[at++];
      continue;
    }
    const char c = text[at + 1];
    at += 2;
    constexpr std::string_view kLetters = "ntrabfve";
    constexpr std::string_view kMeans = "\n\t\r\a\b\f\v\x1b";
    const std::size_t found = kLetters.find(c);
    if (found != std::string_view::npos) {
      inner += kMeans[found];
    } else if (c == 'x' || c == 'u' || c == 'U') {
      append_utf8(inner, take_hex(text, at, c == 'x' ? 2 : (c == 'u' ? 4 : 8)));
    } else {
      inner += c;
    }
  }
  return at < text.size() ? at + 1 : std::string_view::npos;
}

std::vector<std::string> Expansion::take_list() {
  std::vector<std::string> words = std::exchange(list_, {});
  if (!words.empty()) {
    words.emplace_back();  // the last word is the text that follows
  }
  return words;
}

std::string Expansion::value_of(const std::string& name) const {
  const auto found = variables_.find(name);
  std::string value;
  if (found != variables_.end()) {
    for (std::size_t i = 0; i < found->second.size(); ++i) {
      value += (i == 0 ? "" : " ") + found->second[i];
    }
  }
  return value;
}

void Expansion::note_once(const std::string& note) {
  if (out_.notes.size() < kMostNotes &&
      std::find(out_.notes.begin(), out_.notes.end(), note) == out_.notes.end()) {
    out_.notes.push_back(note);
  }
}

std::vector<std::string> Expansion::look_up(const std::string& name, std::string_view written) {
  const auto found = variables_.find(name);
  if (found != variables_.end()) {
    for (const std::string& word : found->second) {
      grown_ += word.size();
    }
    out_.put_in.insert(name);
    return found->second;
  }
  auto& missing = out_.unresolved;
  constexpr std::size_t kMost = 100;
  if (missing.size() < kMost && std::find(missing.begin(), missing.end(), name) == missing.end()) {
    missing.push_back(name);
  }
  return {std::string(written)};
}

std::size_t Expansion::variable(std::string_view text, std::size_t at,
                                std::vector<std::string>& words) {
  const char next = at + 1 < text.size() ? text[at + 1] : '\0';
  if (next == '(' || next == '{') {
    const std::size_t end = closing(text, at + 2, next, next == '(' ? ')' : '}');
    if (end == std::string_view::npos) {
      const std::string_view rest = text.substr(at, kLongestInside);
      const std::size_t line = at + std::min(rest.find_first_of("\n\""), rest.size());
      words.emplace_back(text.substr(at, line - at));
      return line;
    }
    const std::string_view inside = text.substr(at + 2, end - at - 3);
    if (next == '{') {
      words = braced(inside);
    } else {
      words.emplace_back(text.substr(at, end - at));
      note_once("What " + json::excerpt(words[0], 60) + " gives is not known here.");
    }
    return end;
  }
  const std::size_t length = name_length(text.substr(at + 1));
  if (length != 0) {
    words = look_up(std::string(text.substr(at + 1, length)), text.substr(at, length + 1));
    return at + 1 + length;
  }
  if (next == '@' || next == '*') {
    note_once("The script's own arguments ($@) are not known here.");
    return at + 2;
  }
  words.emplace_back("$");
  return at + 1;
}

std::vector<std::string> Expansion::braced(std::string_view inside) {
  const std::string written = "${" + std::string(inside) + "}";
  const std::size_t length = name_length(inside);
  const std::string name(inside.substr(0, length));
  std::string_view rest = inside.substr(length);
  if (length == 0) {
    note_once("What " + json::excerpt(written, 60) + " gives is not known here.");
    return {written};
  }
  if (rest.empty() || rest == "[@]" || rest == "[*]") {
    return look_up(name, written);
  }
  const bool colon = rest.starts_with(':');
  const std::string_view operation = colon ? rest.substr(1) : rest;
  const char kind = operation.empty() ? '\0' : operation.front();
  const bool has = is_set(name) && !(colon && value_of(name).empty());
  if (kind == '-' || kind == '=' || kind == '+' || kind == '?') {
    if (kind == '?' || (has && kind != '+')) {
      return look_up(name, written);
    }
    if (has != (kind == '+') || depth_ >= kDeepest) {
      return {};
    }
    ++depth_;
    std::string_view other = operation.substr(1);
    const bool quoted = other.size() > 1 && other.front() == other.back() &&
                        (other.front() == '"' || other.front() == '\'');
    std::string value = in_text(quoted ? other.substr(1, other.size() - 2) : other);
    --depth_;
    if (kind == '=') {
      set(name, {value});
    }
    return {value};
  }
  if (rest.starts_with("##*/") && is_set(name)) {
    const std::string value = value_of(name);
    const std::size_t slash = value.rfind('/');
    return {slash == std::string::npos ? value : value.substr(slash + 1)};
  }
  note_once("What " + json::excerpt(written, 60) + " gives is not known here.");
  return {written};
}

std::string Expansion::in_text(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '\\' && at + 1 < text.size() &&
        (text[at + 1] == '$' || text[at + 1] == '`' || text[at + 1] == '\\')) {
      out += text[at + 1];
      at += 2;
    } else if (c == '$') {
      std::vector<std::string> words;
      at = variable(text, at, words);
      for (std::size_t i = 0; i < words.size(); ++i) {
        out += (i == 0 ? "" : " ") + words[i];
      }
    } else {
      out += c;
      ++at;
    }
  }
  return out;
}

}  // namespace ridgepoint::command
