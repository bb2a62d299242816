#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command/arguments.hpp"
#include "command/judge.hpp"
#include "command/serving.hpp"
#include "engine/engine.hpp"
#include "result.hpp"

namespace ridgepoint::command {

/// What is pasted, and what is known beside it.
struct Pasted {
  std::string_view text;
  std::string_view engine;   ///< whose flags a text of flags alone has; empty: not said
  std::string_view version;  ///< where the text names none; empty: the newest covered
  Files files;               ///< texts of files that the command names
  std::optional<std::uint64_t> gpu_count;  ///< where the command has no flag that says it
};

/// A command as the parts of a request.
struct ReadCommand {
  Form form = Form::shell;
  const engine::Engine* engine = nullptr;
  std::string version;   ///< as the text writes it; empty: it names none
  std::string model_id;  ///< empty: it names none
  std::string draft_id;  ///< of a second model; empty: none
  std::optional<std::uint64_t> gpu_count;
  std::string gpu_id;  ///< where a manifest asks for a card that is known; else empty
  std::vector<Argument> args;
  std::vector<Assignment> env;
  std::vector<ReadFlag> flags;
  std::vector<ReadVariable> variables;
  std::vector<std::string> notes;
};

/// Reads a pasted command line, compose file or Kubernetes manifest. Every flag and variable is
/// listed with what becomes of it; what is used makes the request. Errors at text: `no_command`,
/// `not_yaml`, `too_long`.
Result<ReadCommand> read_command(const Pasted& pasted);

}  // namespace ridgepoint::command
