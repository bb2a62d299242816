#include "precision/name_expression.hpp"

#include <algorithm>
#include <utility>

namespace ridgepoint::precision {

/// Turns an expression into states, from its end to its start, so that each part knows what follows
/// it. The parts are found by recursion, which the length of an expression bounds.
class ExpressionReader {
 public:
  using Kind = NameExpression::Kind;
  using State = NameExpression::State;

  explicit ExpressionReader(NameExpression& out) : out_(out), text_(out.pattern_) {}

  void read() {
    const std::uint32_t accept = add({Kind::accept});
    out_.start_ = alternatives(0, text_.size(), accept);
  }

 private:
  std::uint32_t add(State state) {
    out_.states_.push_back(state);
    return static_cast<std::uint32_t>(out_.states_.size() - 1);
  }

  /// Past the atom at `at`: an escape, a set, a group or one character.
  [[nodiscard]] std::size_t atom_end(std::size_t at, std::size_t end) const {
    if (text_[at] == '\\') {
      return std::min(at + 2, end);
    }
    if (text_[at] == '[') {
      std::size_t i = at + 1;
      i += i < end && text_[i] == '^' ? 1 : 0;
      i += i < end && text_[i] == ']' ? 1 : 0;
      while (i < end && text_[i] != ']') {
        ++i;
      }
      return std::min(i + 1, end);
    }
    return text_[at] == '(' ? group_end(at, end) : at + 1;
  }

  [[nodiscard]] std::size_t group_end(std::size_t at, std::size_t end) const {
    int depth = 0;
    for (std::size_t i = at; i < end; ++i) {
      if (text_[i] == '\\') {
        ++i;
      } else if (text_[i] == '(') {
        ++depth;
      } else if (text_[i] == ')' && --depth == 0) {
        return i + 1;
      }
    }
    return end;
  }

  std::uint32_t alternatives(std::size_t begin, std::size_t end, std::uint32_t next) {
    std::vector<std::pair<std::size_t, std::size_t>> parts;
    std::size_t start = begin;
    for (std::size_t i = begin; i < end; i = atom_end(i, end)) {
      if (text_[i] == '|') {
        parts.emplace_back(start, i);
        start = i + 1;
      }
    }
    std::uint32_t first = sequence(start, end, next);
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      State split{Kind::split};
      split.next = sequence(part->first, part->second, next);
      split.other = first;
      first = add(split);
    }
    return first;
  }

  struct Item {
    std::size_t begin;
    std::size_t end;
    char repeat;  ///< '*', '+', '?' or none
  };

  std::uint32_t sequence(std::size_t begin, std::size_t end, std::uint32_t next) {
    std::vector<Item> items;
    for (std::size_t i = begin; i < end;) {
      Item item{i, atom_end(i, end), '\0'};
      i = item.end;
      if (i < end && (text_[i] == '*' || text_[i] == '+' || text_[i] == '?')) {
        item.repeat = text_[i++];
        i += i < end && text_[i] == '?' ? 1 : 0;  // lazy or not: whether it matches is the same
      }
      items.push_back(item);
    }
    for (auto item = items.rbegin(); item != items.rend(); ++item) {
      next = repeated(*item, next);
    }
    return next;
  }

  std::uint32_t repeated(const Item& item, std::uint32_t next) {
    if (item.repeat == '\0') {
      return atom(item, next);
    }
    State split{Kind::split};
    split.other = next;
    if (item.repeat == '?') {
      split.next = atom(item, next);
      return add(split);
    }
    const std::uint32_t loop = add(split);
    const std::uint32_t body = atom(item, loop);
    out_.states_[loop].next = body;
    return item.repeat == '+' ? body : loop;
  }

  std::uint32_t atom(const Item& item, std::uint32_t next) {
    const char c = text_[item.begin];
    if (c == '(') {
      const bool unnamed = text_.substr(item.begin + 1, 2) == "?:";
      const std::size_t inner = item.begin + (unnamed ? 3 : 1);
      return alternatives(inner, std::max(inner, item.end - 1), next);
    }
    State state{Kind::literal};
    state.literal = c;
    state.next = next;
    if (c == '.') {
      state.kind = Kind::any;
    } else if (c == '^') {
      state.kind = Kind::begin;
    } else if (c == '$') {
      state.kind = Kind::end;
    } else if (c == '[') {
      state.kind = Kind::set;
      state.set_begin = static_cast<std::uint32_t>(item.begin + 1);
      state.set_end = static_cast<std::uint32_t>(item.end - 1);
    } else if (c == '\\' && item.end - item.begin == 2) {
      state.literal = text_[item.begin + 1];
      if (state.literal == 'd') {
        state.kind = Kind::digit;
      } else if (state.literal == 'w') {
        state.kind = Kind::word;
      }
    }
    return add(state);
  }

  NameExpression& out_;
  std::string_view text_;
};

/// The states reached after some characters of a text.
class NameExpression::Ways {
 public:
  explicit Ways(const NameExpression& expression)
      : expression_(expression), seen_(expression.states_.size(), false) {}

  /// Adds a state and all that follow it without a character; true when the match is complete.
  bool add(std::uint32_t from, bool at_start, bool at_end) {
    stack_.push_back(from);
    bool accepted = false;
    while (!stack_.empty()) {
      const std::uint32_t i = stack_.back();
      stack_.pop_back();
      if (seen_[i]) {
        continue;
      }
      seen_[i] = true;
      const State& state = expression_.states_[i];
      switch (state.kind) {
        case Kind::split:
          stack_.push_back(state.other);
          stack_.push_back(state.next);
          break;
        case Kind::begin:
          push_if(at_start, state.next);
          break;
        case Kind::end:
          push_if(at_end, state.next);
          break;
        case Kind::accept:
          accepted = true;
          break;
        default:
          reached.push_back(i);
      }
    }
    return accepted;
  }

  void clear() {
    reached.clear();
    seen_.assign(seen_.size(), false);
  }

  std::vector<std::uint32_t> reached;

 private:
  void push_if(bool holds, std::uint32_t state) {
    if (holds) {
      stack_.push_back(state);
    }
  }

  const NameExpression& expression_;
  std::vector<bool> seen_;
  std::vector<std::uint32_t> stack_;
};

NameExpression::NameExpression(std::string_view pattern) : pattern_(pattern) {
  ExpressionReader(*this).read();
}

bool NameExpression::set_takes(const State& state, char c) const {
  std::size_t i = state.set_begin;
  const bool negated = i < state.set_end && pattern_[i] == '^';
  i += negated ? 1 : 0;
  bool found = false;
  while (i < state.set_end) {
    if (i + 2 < state.set_end && pattern_[i + 1] == '-') {
      found = found || (c >= pattern_[i] && c <= pattern_[i + 2]);
      i += 3;
    } else {
      found = found || pattern_[i] == c;
      ++i;
    }
  }
  return found != negated;
}

bool NameExpression::takes(const State& state, char c) const {
  const bool digit = c >= '0' && c <= '9';
  switch (state.kind) {
    case Kind::any:
      return true;
    case Kind::digit:
      return digit;
    case Kind::word:
      return digit || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    case Kind::set:
      return set_takes(state, c);
    default:
      return state.literal == c;
  }
}

bool NameExpression::matches(std::string_view text) const {
  Ways now(*this);
  Ways then(*this);
  if (now.add(start_, true, text.empty())) {
    return true;
  }
  for (std::size_t at = 0; at < text.size() && !now.reached.empty(); ++at) {
    bool accepted = false;
    for (const std::uint32_t i : now.reached) {
      if (takes(states_[i], text[at])) {
        accepted = then.add(states_[i].next, false, at + 1 == text.size()) || accepted;
      }
    }
    if (accepted) {
      return true;
    }
    std::swap(now.reached, then.reached);
    then.clear();
  }
  return false;
}

bool expressions_here() { return true; }

}  // namespace ridgepoint::precision
