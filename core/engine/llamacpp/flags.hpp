#pragma once

#include "engine/flags.hpp"

namespace ridgepoint::engine::llamacpp {

/// Every known flag of `llama-server` and `llama-cli`, compiled from core/data/llamacpp_flags.json;
/// versions are build numbers.
[[nodiscard]] const FlagTable& flags();

}  // namespace ridgepoint::engine::llamacpp
