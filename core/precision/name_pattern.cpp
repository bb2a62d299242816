#include "precision/name_pattern.hpp"

#include <cstddef>

#include "precision/name_expression.hpp"

namespace ridgepoint::precision {
namespace {

constexpr std::size_t kMaxLength = 1000;  ///< of a pattern and of a module's name

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Brackets that close what they open, and repeats that have something to repeat.
bool balanced(std::string_view pattern) {
  int depth = 0;
  bool in_class = false;
  bool repeatable = false;
  char before = '\0';
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\') {
      if (++i == pattern.size()) {
        return false;
      }
      repeatable = true;
    } else if (in_class) {
      in_class = c != ']';
    } else if (c == '*' || c == '+' || c == '?') {
      // "(?:" opens a group, "*?" is a lazy repeat.
      const bool lazy = c == '?' && (before == '*' || before == '+' || before == '?');
      if (!repeatable && !lazy && !(c == '?' && before == '(')) {
        return false;
      }
      repeatable = false;
    } else {
      in_class = c == '[';
      depth += c == '(' ? 1 : (c == ')' ? -1 : 0);
      if (depth < 0) {
        return false;
      }
      repeatable = c != '|' && c != '^' && c != '(';
    }
    before = c;
  }
  return depth == 0 && !in_class;
}

}  // namespace

bool regex_is_understood(std::string_view pattern) {
  if (pattern.size() > kMaxLength) {
    return false;
  }
  if (!balanced(pattern)) {
    return false;
  }
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const std::string_view rest = pattern.substr(i);
    if (rest.front() == '\\') {
      if (rest.size() > 1 && is_word(rest[1]) && rest[1] != 'd' && rest[1] != 'w') {
        return false;
      }
      ++i;
    } else if (rest.front() == '{' || (rest.starts_with("(?") && !rest.starts_with("(?:"))) {
      return false;
    }
  }
  return true;
}

bool regex_matches(std::string_view pattern, std::string_view text) {
  if (pattern.size() > kMaxLength || text.size() > kMaxLength) {
    return false;
  }
  return NameExpression(pattern).matches(text);
}

bool glob_matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == text[t] || pattern[p] == '?')) {
      ++p;
      ++t;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') {
    ++p;
  }
  return p == pattern.size();
}

bool has_components(std::string_view name, std::string_view part) {
  if (part.empty()) {
    return false;
  }
  for (std::size_t at = name.find(part); at != std::string_view::npos;
       at = name.find(part, at + 1)) {
    const std::size_t end = at + part.size();
    if ((at == 0 || name[at - 1] == '.') && (end == name.size() || name[end] == '.')) {
      return true;
    }
  }
  return false;
}

}  // namespace ridgepoint::precision
