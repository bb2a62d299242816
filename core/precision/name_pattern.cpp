#include "precision/name_pattern.hpp"

#include <cstddef>
#include <functional>

namespace ridgepoint::precision {
namespace {

constexpr std::size_t kMaxLength = 1000;  ///< of a pattern and of a module's name

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// A backtracking matcher over a pattern that is short by nature; `steps_` bounds hostile ones.
class Regex {
 public:
  Regex(std::string_view pattern, std::string_view text) : pattern_(pattern), text_(text) {}

  bool matches_at_start() {
    return alternatives(0, pattern_.size(), 0, [](std::size_t) { return true; });
  }

 private:
  using Next = std::function<bool(std::size_t)>;

  static constexpr int kMaxSteps = 4000;
  static constexpr int kMaxDepth = 400;

  std::size_t atom_end(std::size_t at, std::size_t end) const {
    if (pattern_[at] == '\\') {
      return at + 2 <= end ? at + 2 : end;
    }
    if (pattern_[at] == '[') {
      std::size_t i = at + 1;
      if (i < end && pattern_[i] == '^') {
        ++i;
      }
      if (i < end && pattern_[i] == ']') {
        ++i;
      }
      while (i < end && pattern_[i] != ']') {
        ++i;
      }
      return i < end ? i + 1 : end;
    }
    if (pattern_[at] == '(') {
      int depth = 0;
      for (std::size_t i = at; i < end; ++i) {
        if (pattern_[i] == '\\') {
          ++i;
        } else if (pattern_[i] == '(') {
          ++depth;
        } else if (pattern_[i] == ')' && --depth == 0) {
          return i + 1;
        }
      }
      return end;
    }
    return at + 1;
  }

  bool class_matches(std::size_t at, std::size_t end, char c) const {
    std::size_t i = at + 1;
    const bool negated = i < end && pattern_[i] == '^';
    if (negated) {
      ++i;
    }
    bool found = false;
    while (i + 1 < end) {
      if (i + 3 < end && pattern_[i + 1] == '-') {
        found = found || (c >= pattern_[i] && c <= pattern_[i + 2]);
        i += 3;
      } else {
        found = found || pattern_[i] == c;
        ++i;
      }
    }
    return found != negated;
  }

  bool single_matches(std::size_t at, std::size_t end, char c) const {
    switch (pattern_[at]) {
      case '.':
        return true;
      case '[':
        return class_matches(at, end, c);
      case '\\': {
        const char escaped = at + 1 < end ? pattern_[at + 1] : '\\';
        if (escaped == 'd') {
          return c >= '0' && c <= '9';
        }
        return escaped == 'w' ? is_word(c) : c == escaped;
      }
      default:
        return pattern_[at] == c;
    }
  }

  bool alternatives(std::size_t begin, std::size_t end, std::size_t pos, const Next& next) {
    if (++steps_ > kMaxSteps || depth_ > kMaxDepth) {
      return false;
    }
    std::size_t start = begin;
    for (std::size_t i = begin; i < end; i = atom_end(i, end)) {
      if (pattern_[i] == '|') {
        if (sequence(start, i, pos, next)) {
          return true;
        }
        start = i + 1;
      }
    }
    return sequence(start, end, pos, next);
  }

  bool one_atom(std::size_t at, std::size_t end, std::size_t pos, const Next& next) {
    if (pattern_[at] == '(') {
      std::size_t inner = at + 1;
      if (inner + 1 < end && pattern_[inner] == '?' && pattern_[inner + 1] == ':') {
        inner += 2;
      }
      return alternatives(inner, end > inner ? end - 1 : inner, pos, next);
    }
    return pos < text_.size() && single_matches(at, end, text_[pos]) && next(pos + 1);
  }

  bool sequence(std::size_t at, std::size_t end, std::size_t pos, const Next& next) {
    if (++steps_ > kMaxSteps || ++depth_ > kMaxDepth) {
      return false;
    }
    const bool matched = sequence_step(at, end, pos, next);
    --depth_;
    return matched;
  }

  bool sequence_step(std::size_t at, std::size_t end, std::size_t pos, const Next& next) {
    if (at >= end) {
      return next(pos);
    }
    if (pattern_[at] == '^') {
      return pos == 0 && sequence(at + 1, end, pos, next);
    }
    if (pattern_[at] == '$') {
      return pos == text_.size() && sequence(at + 1, end, pos, next);
    }
    const std::size_t after = atom_end(at, end);
    const char repeat = after < end ? pattern_[after] : '\0';
    if (repeat == '*' || repeat == '+' || repeat == '?') {
      std::size_t rest = after + 1;
      if (rest < end && pattern_[rest] == '?') {
        ++rest;
      }
      return repeated(at, after, rest, end, pos, repeat == '+' ? 1 : 0, repeat == '?' ? 1 : -1,
                      next);
    }
    return one_atom(at, after, pos,
                    [&, after, end](std::size_t p) { return sequence(after, end, p, next); });
  }

  bool repeated(std::size_t at, std::size_t after, std::size_t rest, std::size_t end,
                std::size_t pos, int least, int most, const Next& next) {
    if (++steps_ > kMaxSteps || ++depth_ > kMaxDepth) {
      return false;
    }
    const bool matched = repeated_step(at, after, rest, end, pos, least, most, next);
    --depth_;
    return matched;
  }

  bool repeated_step(std::size_t at, std::size_t after, std::size_t rest, std::size_t end,
                     std::size_t pos, int least, int most, const Next& next) {
    if (most != 0 && one_atom(at, after, pos, [&](std::size_t p) {
          return p != pos &&
                 repeated(at, after, rest, end, p, least > 0 ? least - 1 : 0, most - 1, next);
        })) {
      return true;
    }
    return least == 0 && sequence(rest, end, pos, next);
  }

  std::string_view pattern_;
  std::string_view text_;
  int steps_ = 0;
  int depth_ = 0;
};

}  // namespace

namespace {

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
  return Regex(pattern, text).matches_at_start();
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
