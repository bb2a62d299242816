#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "result.hpp"

namespace ridgepoint::command {

/// A variable and what it is set to; an array has several words.
using Variables = std::map<std::string, std::vector<std::string>>;

struct Assignment {
  std::string name;
  std::string value;
};

/// `> file`, `2>> file`, `< file`, or a here-document with its text.
struct Redirection {
  std::string op;  ///< ">", ">>", "<", "<<", "<<<"
  std::string target;
  std::string text;  ///< of a here-document or here-string
};

/// One simple command: its words with quotes taken off and variables put in.
struct ShellCommand {
  std::vector<Assignment> assignments;  ///< VAR=x in front
  std::vector<std::string> words;
  std::vector<Redirection> redirections;
};

struct ShellText {
  std::vector<ShellCommand> commands;   ///< in order, whatever ; && || | & or line parts them
  std::vector<Assignment> exported;     ///< export VAR=x, set VAR=x, $env:VAR = "x"
  Variables variables;                  ///< as they are at the end
  std::vector<std::string> unresolved;  ///< variables that are used and never set, each once
  std::set<std::string> put_in;         ///< variables whose value stands in some word
  std::vector<std::string> notes;
};

/// Splits the text of a shell (bash and its kin; PowerShell's and cmd's line continuations are
/// taken too) into simple commands. Nothing runs: what only a running shell knows, `$(…)` and
/// variables that are not set here, stays as it is written. Prompts in front of lines and comments
/// go; a line that begins with a flag belongs to the command before it. `root_prompt` takes "# " at
/// the start of a line for a prompt and not for a comment. Works in time linear in the text and
/// what its variables grow to. Error: `too_long` when that is over 8 MiB.
Result<ShellText> split_shell(std::string_view text, const Variables& variables,
                              bool root_prompt = false);

}  // namespace ridgepoint::command
