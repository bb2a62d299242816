#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "command/arguments.hpp"
#include "command/given_flags.hpp"

namespace ridgepoint::command {

/// One environment variable of the command, whatever became of it.
struct ReadVariable {
  std::string name;
  std::string value;
  Use use = Use::unknown;
  std::string note;
};

/// Says of each flag and variable whether the estimate follows it.
class Judge {
 public:
  /// `version_said`: the text or the asker names it; otherwise it is the newest covered, and a flag
  /// that it no longer has is no fault of the command.
  Judge(const engine::Engine& engine, std::uint32_t version, bool version_said,
        std::vector<std::string> unresolved)
      : engine_(engine),
        version_(version),
        version_said_(version_said),
        unresolved_(std::move(unresolved)) {}

  ReadFlag flag(const GivenFlag& given, Value value, bool has_value);
  [[nodiscard]] ReadVariable variable(const std::string& name, const std::string& value) const;

  /// A `$NAME` in a text whose value the command does not tell; empty: none.
  [[nodiscard]] std::string unresolved_in(std::string_view text) const;

 private:
  [[nodiscard]] std::string outside_version(const engine::FlagFacts& facts) const;

  const engine::Engine& engine_;
  std::uint32_t version_;
  bool version_said_;
  std::vector<std::string> unresolved_;
  std::size_t named_near_ = 0;
};

/// Whether a value is better not shown again: keys, tokens, passwords.
bool is_secret(std::string_view name);

}  // namespace ridgepoint::command
