#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ridgepoint::log {

/// What a placeholder of a wording reads.
enum class Hole : std::uint8_t {
  size,    ///< {size}: a number and its unit, as bytes; every unit counts in 1,024s
  gib,     ///< {gib}: a bare number of GiB, as bytes
  mib,     ///< {mib}: a bare number of MiB, as bytes
  number,  ///< {n}: a number, thousands separated by commas or not
  word,    ///< {w}: text up to a space, comma, semicolon, bracket or quote
  name,    ///< {name}: text up to a comma, semicolon or bracket
  rest,    ///< {rest}: all that follows on the line
};

struct Capture {
  Hole hole = Hole::number;
  double value = 0;       ///< of numbers and sizes
  std::string_view text;  ///< of the text; lives as long as the line
};

inline constexpr std::size_t kMostCaptures = 8;

struct Match {
  std::size_t wording = 0;  ///< its place in the list
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t count = 0;
  Capture captures[kMostCaptures];
};

/// Finds wordings such as "Model loading took {size}" anywhere in a line, in time linear in the
/// line whatever it holds. Between literals stand the placeholders of Hole and {~}, which skips a
/// few words. A space in a wording is any number of spaces, or none where a terminal wrapped the
/// line. `{<w}` at the front is the word before the literal that follows. The first four characters
/// of the first literal are matched exactly.
class Wordings {
 public:
  explicit Wordings(const std::vector<std::string_view>& patterns);

  /// Calls `found(match)` for every wording that begins in line[begin, end).
  template <typename Found>
  void search(std::string_view line, std::size_t begin, std::size_t end, Found&& found) const {
    Match match;
    for (std::size_t at = next_candidate(line, begin, end); at < end;
         at = next_candidate(line, at + 1, end)) {
      for (std::uint16_t i = first_[bucket(line.data() + at)]; i != kNone; i = patterns_[i].next) {
        if (matches(patterns_[i], line, at, match)) {
          match.wording = i;
          found(match);
        }
      }
    }
  }

 private:
  enum class Kind : std::uint8_t { literal, hole, skip };
  struct Piece {
    Kind kind = Kind::literal;
    Hole hole = Hole::number;
    std::string_view text;  ///< of a literal
  };
  struct Pattern {
    std::vector<Piece> pieces;
    bool word_before = false;
    std::uint16_t next = kNone;  ///< of the same bucket
  };

  static constexpr std::uint16_t kNone = 0xFFFF;
  static constexpr std::size_t kAnchor = 4;
  static constexpr unsigned kBucketBits = 12;

  static std::size_t bucket(const char* text);
  static Pattern compile(std::string_view pattern);
  static bool matches(const Pattern& pattern, std::string_view line, std::size_t at, Match& match);
  [[nodiscard]] std::size_t next_candidate(std::string_view line, std::size_t at,
                                           std::size_t end) const;

  std::vector<Pattern> patterns_;
  std::vector<std::uint16_t> first_;  ///< by bucket
};

/// The number at the front of `text`: its value, and how many characters it took (0: none).
struct ReadNumber {
  double value = 0;
  std::size_t length = 0;
};
ReadNumber read_number(std::string_view text);

}  // namespace ridgepoint::log
