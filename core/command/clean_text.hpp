#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ridgepoint::command {

/// No command, compose file or manifest is as long; what is longer is refused.
inline constexpr std::size_t kMostText = std::size_t{4} << 20U;

/// Pasted text as a shell or an editor would have it: valid UTF-8 with `\n` line ends, without byte
/// order marks, zero-width and no-break spaces and NUL bytes, with straight quotes for curly ones,
/// and without the lines that fence code in Markdown.
std::string clean_text(std::string_view text);

}  // namespace ridgepoint::command
