#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "command/containers.hpp"
#include "command/programs.hpp"
#include "result.hpp"

namespace ridgepoint::command {

enum class Form : std::uint8_t { shell, docker, compose, kubernetes };
std::string_view form_name(Form form);

/// The command of a text that starts an engine, and what stands around it.
struct Serving {
  Form form = Form::shell;
  Start start;
  std::vector<Assignment> env;        ///< what the engine sees; a later one of a name counts
  std::string version;                ///< of an image or an installation; empty: not said
  std::string version_from;           ///< for people: "the image's tag v0.10.0 says"
  std::optional<std::uint64_t> gpus;  ///< how many it may use; absent: not said, or all
  std::string gpus_said_by;
  std::string gpu_product;
  Files files;                          ///< that the text writes or holds
  std::vector<std::string> unresolved;  ///< variables that are set nowhere
  std::set<std::string> put_in;         ///< variables whose value stands in some word
  std::vector<std::string> notes;
  std::string rest;  ///< the whole text, for a YAML file pasted beside the command
};

/// Finds it: the first of several, with a note. `text` is clean (clean_text.hpp); `engine` (may be
/// empty) is whose flags a text of flags alone has. Errors at text: `no_command` where nothing
/// starts an engine, `not_yaml`, `too_long`.
Result<Serving> find_serving(const std::string& text, std::string_view engine);

}  // namespace ridgepoint::command
