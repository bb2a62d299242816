#pragma once

#include <string_view>

#include "command/arguments.hpp"

namespace ridgepoint::command {

/// An environment variable by what it does to an estimate, compiled from
/// core/data/environment.json.
struct VariableFacts {
  std::string_view name;    ///< one that ends in `*` is the beginning of names
  std::string_view engine;  ///< empty: any
  Use use;                  ///< used, no_effect or unmodelled
  std::string_view note;    ///< one plain sentence
};

/// By name, for an engine: a whole name before the beginning of one, the longest of those. Null
/// when nothing is known of it.
const VariableFacts* find_variable(std::string_view name, std::string_view engine);

}  // namespace ridgepoint::command
