#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "command/options_file.hpp"
#include "command/servers.hpp"
#include "command/serving.hpp"
#include "command/setup.hpp"

namespace ridgepoint::command {

/// A flag of the command, or an option of the engine's file, and why it is there.
struct Written {
  std::string flag;                 ///< "--max-model-len", or of a file "kv_cache_config.dtype"
  std::vector<std::string> values;  ///< words behind it; none: a switch
  std::string why;                  ///< one sentence or two
};

/// What starts the server, whatever form it is written in.
struct ServeLine {
  std::string program;     ///< words by spaces, as a shell starts it: "vllm serve"
  bool serves = true;      ///< false: a tool that answers and ends
  std::string model_flag;  ///< "--model-path"; empty: the model stands alone behind the program
  std::string model;       ///< empty: a flag among the others names it
  std::vector<Written> flags;
  std::vector<FileOption> file;         ///< options of extra_llm_api_options
  std::vector<engine::FlagValue> args;  ///< all that is said, as a reader must find it
  std::vector<std::pair<std::string, std::string>> env;
  std::vector<std::string> notes;
  std::uint64_t port = 0;
};

/// `original` tells the spelling that flags were given in: of an engine's several names the one
/// that its version has is the user's to know. Containers listen to all addresses. Errors:
/// `not_writable` (engine.args.…) for what the engine's command line has no words for, and
/// `bad_value` for a text with a NUL byte, which no argument can hold.
Result<ServeLine> serve_line(const Setup& setup, const plan::Request& original, Form form);

}  // namespace ridgepoint::command
