#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint::precision {

/// False in a program that is built without them.
bool expressions_here();

/// A regular expression over tensor names, made once and matched often. Understands what
/// regex_is_understood lets through: literals, ., [..], \d \w \., the repeats * + ?, groups, | and
/// the anchors ^ $. All ways through it are followed at once, so that no expression takes more than
/// its length times that of the name.
class NameExpression {
 public:
  explicit NameExpression(std::string_view pattern);

  /// Whether it matches at the start of `text`, as Python's re.match does.
  [[nodiscard]] bool matches(std::string_view text) const;

 private:
  friend class ExpressionReader;
  class Ways;

  enum class Kind : std::uint8_t { literal, any, digit, word, set, split, begin, end, accept };

  struct State {
    Kind kind;
    char literal = '\0';
    std::uint32_t next = 0;
    std::uint32_t other = 0;      ///< of a split
    std::uint32_t set_begin = 0;  ///< of a set: where it stands in the pattern
    std::uint32_t set_end = 0;
  };

  [[nodiscard]] bool takes(const State& state, char c) const;
  [[nodiscard]] bool set_takes(const State& state, char c) const;

  std::string pattern_;
  std::vector<State> states_;
  std::uint32_t start_ = 0;
};

}  // namespace ridgepoint::precision
