#include "command/quote.hpp"

#include <algorithm>
#include <array>

#include "json/fields.hpp"

namespace ridgepoint::command {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

/// Characters that no shell gives a meaning wherever they stand in a word.
bool bare_in_shell(char c) { return is_letter(c) || is_digit(c) || one_of(c, "_./:@%+,-="); }

/// Words that YAML 1.1 or 1.2 takes for something other than text.
bool yaml_word(std::string_view text) {
  constexpr std::array<std::string_view, 11> kWords = {"true", "false", "yes", "no",  "on", "off",
                                                       "null", "y",     "n",   "nan", "inf"};
  if (text.size() > 5) {
    return false;
  }
  std::string lower(text);
  for (char& c : lower) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

bool plain_in_yaml(std::string_view text) {
  if (text.empty() || text.size() > 200 || yaml_word(text)) {
    return false;
  }
  // What begins with a digit, a dot or a sign may be a number, a date or a time; a flag is none.
  const bool flag = text.size() > 1 && text[0] == '-' && (text[1] == '-' || is_letter(text[1]));
  if (!is_letter(text.front()) && text.front() != '/' && !flag) {
    return false;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool inner_colon = c == ':' && i + 1 < text.size();
    if (!is_letter(c) && !is_digit(c) && !one_of(c, "_./@+,-=") && !inner_colon) {
      return false;
    }
  }
  return true;
}

void append_escape(std::string& out, unsigned code, int digits, char letter) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '\\';
  out += letter;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
    out += kHex[(code >> static_cast<unsigned>(shift)) & 15U];
  }
}

struct Character {
  unsigned code = 0;
  std::size_t bytes = 1;
};

/// The character at the front, which is of well-formed UTF-8; above U+FFFF only its length counts.
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned first = byte(0);
  if (first < 0xC0U) {
    return {first, 1};
  }
  if (first < 0xE0U) {
    return {(first & 0x1FU) << 6U | (byte(1) & 0x3FU), 2};
  }
  if (first < 0xF0U) {
    return {(first & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU), 3};
  }
  return {0x10000U, 4};
}

/// Characters that are lost or changed on the way through editors, web pages and YAML readers:
/// controls, other spaces and line ends, curly quotes, marks without a width.
bool fragile(unsigned code) {
  return code < 0x20U || (code >= 0x7FU && code <= 0xA0U) || (code >= 0x2000U && code <= 0x206FU) ||
         code == 0x3000U || code == 0xFEFFU;
}

bool any_fragile(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const Character c = first_of(text.substr(i));
    if (fragile(c.code)) {
      return true;
    }
    i += c.bytes;
  }
  return false;
}

/// A fragile character as both $'…' of bash and double quotes of YAML take it.
void append_fragile(unsigned code, std::string& out) {
  if (code == '\n') {
    out += "\\n";
  } else if (code == '\t') {
    out += "\\t";
  } else if (code < 0x80U) {
    append_escape(out, code, 2, 'x');
  } else {
    append_escape(out, code, 4, 'u');
  }
}

std::string escaped_for_shell(std::string_view word) {
  std::string out = "$'";
  for (std::size_t i = 0; i < word.size();) {
    const Character c = first_of(word.substr(i));
    if (fragile(c.code)) {
      append_fragile(c.code, out);
    } else {
      out += c.code == '\'' || c.code == '\\' ? "\\" : "";
      out += word.substr(i, c.bytes);
    }
    i += c.bytes;
  }
  return out + "'";
}

}  // namespace

std::string quoted_for_shell(std::string_view word) {
  const bool bare =
      !word.empty() && word.front() != '=' && std::all_of(word.begin(), word.end(), bare_in_shell);
  if (bare) {
    return std::string(word);
  }
  if (any_fragile(word)) {
    return escaped_for_shell(word);
  }
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string quoted_for_yaml(std::string_view text, bool in_container) {
  if (plain_in_yaml(text)) {
    return std::string(text);
  }
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const Character c = first_of(text.substr(i));
    if (fragile(c.code)) {
      append_fragile(c.code, out);
    } else {
      out += c.code == '"' || c.code == '\\' ? "\\" : "";
      out += c.code == '$' && in_container ? "$" : "";
      out += text.substr(i, c.bytes);
    }
    i += c.bytes;
  }
  return out + "\"";
}

std::string comment_text(std::string_view text, std::size_t most) {
  const std::string line = json::excerpt(text, most);
  std::string out;
  for (std::size_t i = 0; i < line.size();) {
    const Character c = first_of(std::string_view(line).substr(i));
    // Old YAML readers end a comment at some characters that are no line break elsewhere.
    const bool mark = fragile(c.code) && c.code != 0x2026U;
    out += mark ? std::string_view(" ") : std::string_view(line).substr(i, c.bytes);
    i += c.bytes;
  }
  return out;
}

std::string comment_lines(std::string_view text, std::string_view prefix, std::size_t hanging) {
  constexpr std::size_t kWidth = 100;
  std::string out;
  std::string line(prefix);
  const std::string next = std::string(prefix) + std::string(hanging, ' ');
  bool empty = true;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(std::min(space + 1, text.size()));
    if (word.empty()) {
      continue;
    }
    if (!empty && line.size() + 1 + word.size() > kWidth) {
      out += line + "\n";
      line = next;
      empty = true;
    }
    line += (empty ? "" : " ") + std::string(word);
    empty = false;
  }
  while (!line.empty() && line.back() == ' ') {
    line.pop_back();
  }
  return out + line + "\n";
}

}  // namespace ridgepoint::command
