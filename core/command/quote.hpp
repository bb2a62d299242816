#pragma once

#include <string>
#include <string_view>

namespace ridgepoint::command {

/// A word as a shell takes it: bare where no character means anything, else in single quotes; in
/// $'…' (bash, zsh, ksh) where it holds characters that do not survive being pasted, such as line
/// breaks. The word must hold no NUL byte, for no argument can, and be valid UTF-8.
std::string quoted_for_shell(std::string_view word);

/// A YAML scalar that every reader takes for the same text: plain where that is plain text, else in
/// double quotes with escapes. `in_container`: a dollar is doubled, as Compose and Kubernetes want
/// it of values they would put variables into.
std::string quoted_for_yaml(std::string_view text, bool in_container);

/// Text for a comment: one line, whatever it holds, and at most `most` characters.
std::string comment_text(std::string_view text, std::size_t most);

/// Lines of at most 100 characters, broken between words, each behind `prefix`; those behind the
/// first are indented by `hanging` more spaces. Ends with a line break.
std::string comment_lines(std::string_view text, std::string_view prefix, std::size_t hanging);

}  // namespace ridgepoint::command
