#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hardware/device.hpp"

namespace ridgepoint::api {

/// The id of a model on a hub that a name or path stands for: "org/name" as it is, and what a
/// cache folder "models--org--name" holds; empty for any other path.
std::string hub_id(const std::string& model);

/// The known card that a name of a driver means ("NVIDIA H100 80GB HBM3"); null when it is not
/// known, or is of another size than the log says.
const hardware::DeviceFacts* card_of_name(const std::string& name,
                                          std::optional<std::uint64_t> total_bytes);

}  // namespace ridgepoint::api
