#pragma once

#include <cstdint>
#include <string_view>

#include "engine/constants.hpp"

namespace ridgepoint::engine::trtllm {

/// The constant of a version, from core/data/trtllm_constants.json; versions are numbered as
/// Version::number.
const Constant& constant(std::string_view name, std::uint32_t version);

}  // namespace ridgepoint::engine::trtllm
