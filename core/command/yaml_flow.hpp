#pragma once

#include <cstddef>
#include <string_view>

#include "json/fields.hpp"

namespace ridgepoint::command {

/// The flow collection or quoted scalar that begins at `at`, which moves behind it, or to where it
/// went wrong. `levels` is how deep it may be nested. Error: `not_yaml`.
Result<json::Value> yaml_flow(std::string_view text, std::size_t& at, std::size_t levels);

}  // namespace ridgepoint::command
