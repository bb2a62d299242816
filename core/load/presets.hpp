#pragma once

#include <span>
#include <string>
#include <string_view>

#include "load/load.hpp"

namespace ridgepoint::load {

/// Lengths by name: of a data set that was published, or of a plain use.
struct Preset {
  std::string_view name;
  std::string_view title;  ///< for people
  LengthRule input;        ///< log-normal
  LengthRule output;       ///< log-normal
  /// Of a prompt, the share that its session usually left in the cache, where a query says none.
  double usual_session_share = 0;
  std::string_view source;
};

std::span<const Preset> presets();

/// Null when there is none of that name.
const Preset* find_preset(std::string_view name);

/// All names, for a message: "chat, coding_agent, …".
std::string preset_names();

}  // namespace ridgepoint::load
