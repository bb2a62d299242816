#pragma once

#include <cstdint>
#include <string_view>

#include "engine/constants.hpp"

namespace ridgepoint::engine::llamacpp {

/// A number of the rules at a build, from core/data/llamacpp_constants.json.
const Constant& constant(std::string_view name, std::uint32_t build);

/// Whether a build has a rule that came with the build kept as `since_<name>`.
bool has_rule(std::string_view name, std::uint32_t build);

}  // namespace ridgepoint::engine::llamacpp
