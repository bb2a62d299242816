#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint::exports {

/// Text without what would steer a terminal or turn the direction of writing: control characters,
/// escapes and invisible marks become one space for each run of them. With `lines` the line ends
/// stay. Text must be valid UTF-8.
std::string harmless(std::string_view text, bool lines = false);

/// At most `most` characters, cut with an ellipsis.
std::string cut(std::string_view text, std::size_t most);

/// Columns that text takes on a terminal: wide characters take two, marks none.
std::size_t columns_of(std::string_view text);

/// Text broken at spaces into lines of at most `width` columns; a word that is longer is broken
/// where it must. Never without a line.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// Columns of the longest word.
std::size_t longest_word(std::string_view text);

}  // namespace ridgepoint::exports
