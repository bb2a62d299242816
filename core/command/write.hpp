#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "command/serve_line.hpp"
#include "command/setup.hpp"

namespace ridgepoint::command {

/// A command written out.
struct WrittenCommand {
  std::string text;
  std::vector<Written> flags;      ///< of the command, then those of the options' file
  std::vector<std::string> notes;  ///< what the command cannot carry or is to be known of it
  std::string model;               ///< as the text names it; empty: by a flag
  std::string version;             ///< in the image's name; empty: there is none
  /// What the text says: the request with flags in their normal spelling, and nothing it left out.
  plan::Request request;
  std::string report;  ///< of that request
};

/// The command that starts a request's setup. Errors: those of the estimate, and `not_writable`,
/// `not_supported`, `bad_value` of what no command of that engine or form can say.
Result<WrittenCommand> write_command(const plan::Request& request, Form form, ReportText report_of);

}  // namespace ridgepoint::command
