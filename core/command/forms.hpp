#pragma once

#include <string>
#include <vector>

#include "command/serve_line.hpp"
#include "command/servers.hpp"
#include "command/setup.hpp"

namespace ridgepoint::command {

/// All that is written: what was estimated, the line that starts it and, for a container, its
/// image. Borrowed for the time of writing.
struct Sheet {
  const Setup& setup;
  const ServeLine& line;
  const ServerImage* image;  ///< null: no container
};

// A command in each form, comments and all. Errors: those of options_text.
Result<std::string> shell_text(const Sheet& sheet);
Result<std::string> docker_text(const Sheet& sheet);
Result<std::string> compose_text(const Sheet& sheet);
Result<std::string> kubernetes_text(const Sheet& sheet);

/// What is said before the command: the setup, its verdict and the notes. Each line begins with
/// `prefix`.
std::string heading(const Sheet& sheet, std::string_view prefix);

/// "--max-model-len 8192: why", as a comment.
std::string reason_comment(const Written& written, std::string_view prefix);

/// The words that start the server in a container, by lines: the program where the image does not
/// start it, the model, each flag.
struct Line {
  std::vector<std::string> words;
  const Written* why = nullptr;
};
std::vector<Line> command_lines(const Sheet& sheet, std::string_view options_path);

/// A folder or file that a container sees.
struct Mount {
  std::string host;       ///< absolute, or below ~ or the working folder
  bool relative = false;  ///< to the working folder
  bool home = false;      ///< below the home folder
  std::string inside;
};

/// Folders of downloaded weights, or of the model's own files where it is a file or a folder.
std::vector<Mount> mounts(const Sheet& sheet);

/// "NAME=value".
std::string variable_text(std::string_view name, std::string_view value);

/// Where a container finds the file of options.
inline constexpr std::string_view kOptionsInside = "/config/extra-llm-api-options.yaml";

}  // namespace ridgepoint::command
