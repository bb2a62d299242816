#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "result.hpp"

namespace ridgepoint::engine {

enum class FlagType : std::uint8_t {
  boolean,  ///< a switch: true/false; on a command line `--name` or `--no-name`
  integer,
  number,
  text,
  json,  ///< a JSON object or a dotted form of it
};

enum class FlagEffect : std::uint8_t {
  used,       ///< the estimate follows it
  no_effect,  ///< known to change neither memory nor capacity (logging, HTTP, sampling defaults …)
  unmodelled,  ///< changes memory in a way this build does not compute: an honest error
};

/// One flag of an engine by its own name, compiled from core/data/<engine>_flags.json.
struct FlagFacts {
  std::string_view name;     ///< without leading dashes, e.g. "max-model-len"
  std::string_view aliases;  ///< space-separated other spellings, e.g. "tp" for -tp
  FlagType type;
  FlagEffect effect;
  std::string_view choices;       ///< "a|b|c" when only these are accepted; else empty
  std::string_view default_text;  ///< for people; "" when it depends
  std::uint32_t since;    ///< first version that has it, as the engine numbers them; 0: always
  std::uint32_t until;    ///< last version that has it; 0: still there
  std::string_view help;  ///< one plain sentence, ours
};

/// Every known flag of one engine.
struct FlagTable {
  std::string_view engine;  ///< for people: "vLLM"
  std::span<const FlagFacts> flags;
  /// How the engine writes the version that `since` and `until` number: 28 is "0.28" for vLLM.
  std::string (*version_text)(std::uint32_t number);
  /// The number of a version as a request gives it; empty text is the newest covered. Errors:
  /// `bad_version`, `version_too_old` (engine.version).
  Result<std::uint32_t> (*version_number)(std::string_view text);
};

/// The flags of a table that the build wrote from core/data/<engine>_flags.json.
[[nodiscard]] std::vector<FlagFacts> read_flags(std::string_view table);

/// By name or alias, without leading dashes; `_` and `-` are alike, and nothing else is forgiven.
/// Null when the engine has no such flag. The negative of a switch (`no-x`) is not a name: whoever
/// reads a command line takes it apart.
[[nodiscard]] const FlagFacts* find_flag(const FlagTable& table, std::string_view name);

/// Up to three names close to `name`, nearest first, as "a, b, c"; empty when none is close.
[[nodiscard]] std::string nearest_flags(const FlagTable& table, std::string_view name);

}  // namespace ridgepoint::engine
