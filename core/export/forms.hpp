#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "export/table.hpp"
#include "result.hpp"

namespace ridgepoint::exports {

/// Most bytes of a text that is made. Errors of the three below: `too_large`.
constexpr std::size_t kMostOutput = 64U << 20U;

/// One table by RFC 4180, lines ending in CR LF, one line of heads. Numbers are digits without
/// groups, sizes bytes and times seconds as the heads say; a range has three columns. Text that a
/// spreadsheet would take for a formula (it starts with = + - @, or a tab) has an apostrophe before
/// it. `name` empty: the main table. Errors: `unknown_table`.
Result<std::string> csv(const Document& document, std::string_view name);

/// GitHub-flavoured Markdown. What the answer says is text: it makes no markup and no HTML.
Result<std::string> markdown(const Document& document);

/// Plain text in lines of at most `width` columns, but for Code, whose lines stay whole. Without
/// control characters but line ends.
Result<std::string> text(const Document& document, std::size_t width);

}  // namespace ridgepoint::exports
