#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "command/programs.hpp"
#include "command/value.hpp"
#include "engine/engine.hpp"
#include "json/fields.hpp"

namespace ridgepoint::command {

/// What becomes of a flag or a variable.
enum class Use : std::uint8_t {
  used,        ///< the estimate follows it
  no_effect,   ///< known to change neither memory nor capacity
  unmodelled,  ///< changes memory in a way this build does not compute; left out
  unknown,     ///< the engine, or this version of it, does not have it so; left out
};
std::string_view use_name(Use use);

/// One flag of the command, whatever became of it.
struct ReadFlag {
  std::string flag;  ///< as written: "-tp"; without dashes where a file says it
  Value value;
  Use use = Use::unknown;
  std::string name;  ///< the table's; empty where it has none
  std::string note;
};

/// A flag that goes into the request, by the table's name.
struct Argument {
  std::string name;
  Value value;
};

struct Arguments {
  std::vector<ReadFlag> flags;     ///< each flag once, in the order of its first place
  std::vector<std::string> words;  ///< bare words that no flag takes
  std::vector<std::string> notes;

  /// The value of a flag that is used, by the table's name; null when it is not.
  [[nodiscard]] const Value* used(std::string_view name) const;
};

/// What else tells how flags are read.
struct ArgumentRules {
  const engine::Engine* engine = nullptr;
  std::uint32_t version = 0;  ///< as the engine's flags number it
  bool version_said = false;  ///< false: it is only the newest covered
  Dialect dialect = Dialect::serve;
  std::vector<std::string> unresolved;  ///< variables without a value
  /// Options of a YAML file, a JSON object. With vLLM and SGLang the command line goes before it,
  /// with TensorRT-LLM it goes before the command line. Null: none.
  const json::Value* file = nullptr;
};

/// Words behind a program's name as flags of an engine: typed as its table says, the last of one
/// that is repeated (llama.cpp's --override-tensor adds up), --no-x of a switch, short names with a
/// number attached (-O3), lists of words, members of JSON flags (--name.member value), and
/// unambiguous beginnings of names where the engine's parser takes them. Each is judged once: a
/// value of the wrong kind, or none of the flag's choices, makes it `unknown` with a note.
/// Error: `too_long` over 2,000 flags.
Result<Arguments> read_arguments(std::span<const std::string> words, const ArgumentRules& rules);

}  // namespace ridgepoint::command
