#pragma once

#include <cstdint>
#include <string_view>

#include "engine/constants.hpp"

namespace ridgepoint::engine::sglang {

/// The constant of a version, from core/data/sglang_constants.json; versions are numbered as in
/// version.hpp.
const Constant& constant(std::string_view name, std::uint32_t number);

}  // namespace ridgepoint::engine::sglang
