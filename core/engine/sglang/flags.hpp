#pragma once

#include "engine/flags.hpp"

namespace ridgepoint::engine::sglang {

/// Every flag of `sglang serve` that is known, from core/data/sglang_flags.json.
const FlagTable& flags();

}  // namespace ridgepoint::engine::sglang
