#pragma once

#include <cstdint>

#include "engine/engine.hpp"
#include "engine/sglang/pool.hpp"
#include "engine/sglang/settings.hpp"

namespace ridgepoint::engine::sglang {

/// What tokens and requests take in the whole, unsharded model as this version lays it out, in
/// bytes.
struct Geometry {
  std::uint64_t bytes_per_token = 0;          ///< windowed layers too
  std::uint64_t growing_bytes_per_token = 0;  ///< without what stops at a window
  std::uint64_t state_bytes = 0;              ///< one recurrent state
  std::uint64_t bytes_per_request = 0;        ///< at the length asked about
};

/// Sources as in cell.hpp and state_pool.hpp.
Geometry whole_geometry(const Inputs& inputs, const Settings& settings);

}  // namespace ridgepoint::engine::sglang
