#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ridgepoint::log {

inline constexpr std::size_t kMostLineBytes = 64U << 10U;

struct Line {
  std::uint64_t number = 0;  ///< from 1, counted by line feeds
  std::string_view text;     ///< cleaned; lives until the next line is read
  bool cut = false;          ///< was longer than kMostLineBytes, and is not whole
};

/// The lines of a log one by one, in one pass and with no copy of the whole: without colour codes,
/// control characters and bytes that are no UTF-8. A line is cut at kMostLineBytes. A carriage
/// return ends a piece of a line too, as a progress bar rewrites its own. Null bytes are left out,
/// so that Latin text in UTF-16 reads as well.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}

  /// False at the end.
  bool next(Line& line);

  [[nodiscard]] bool cut_any() const { return cut_any_; }

 private:
  std::string_view take_piece();
  std::string_view cleaned(std::string_view piece);

  std::string_view rest_;
  std::size_t to_line_feed_ = 0;  ///< of rest_; found once for all pieces of a line
  bool line_feed_known_ = false;
  bool new_line_ = true;
  std::uint64_t number_ = 0;
  bool cut_any_ = false;
  std::string buffer_;
};

/// `text` up to the first of `most` bytes, not cutting a UTF-8 character.
std::string_view head_of(std::string_view text, std::size_t most);

}  // namespace ridgepoint::log
