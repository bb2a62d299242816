#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "command/programs.hpp"
#include "command/value.hpp"
#include "engine/engine.hpp"

namespace ridgepoint::command {

/// No engine has as many; what is above is not read, and refused.
inline constexpr std::size_t kMostFlags = 2000;

/// A flag as the words give it, before it is judged.
struct GivenFlag {
  std::string written;  ///< with its dashes
  std::string name;     ///< the table's; as written, with dashes for underscores, if it has none
  const engine::FlagFacts* facts = nullptr;
  std::vector<std::string> below;  ///< members of --name.member.member
  bool adds = false;               ///< --name.member+ puts its value into a list
  std::vector<Value> values;       ///< none: a flag without a value; several: a list of words
  std::string note;
};

struct GivenFlags {
  std::vector<GivenFlag> flags;
  std::vector<std::string> words;  ///< bare words that no flag takes
};

/// Takes words apart into flags of `engine` and bare words. `model_word`: the first bare word is
/// the model, unless a flag that takes lists comes right before it.
GivenFlags take_flags(std::span<const std::string> words, const engine::Engine& engine,
                      Dialect dialect, bool model_word);

/// One flag by the name a file gives it, without dashes.
GivenFlag flag_of_file(const std::string& key, const engine::Engine& engine);

/// Whether a word is a flag and no value: "-1" and "-.5" are values.
bool is_flag(std::string_view word);

}  // namespace ridgepoint::command
