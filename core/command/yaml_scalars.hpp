#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "result.hpp"

namespace ridgepoint::command {

/// The inside of a quoted scalar whose opening quote is at `at`; `at` moves behind the closing one.
/// Lines are folded: a line end is a space, an empty line a line end. Error: `not_yaml` where the
/// quote is not closed or an escape is none.
Result<std::string> yaml_quoted(std::string_view text, std::size_t& at);

/// How a block scalar keeps its lines.
struct BlockStyle {
  bool folded = false;     ///< `>`
  char chomp = ' ';        ///< '-' strip, '+' keep, ' ' one line end
  std::size_t indent = 0;  ///< given, 0: that of the first line
};

/// The lines of a block scalar, their indent taken off, as its text.
std::string yaml_block(const BlockStyle& style, std::string_view lines);

}  // namespace ridgepoint::command
