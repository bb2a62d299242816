#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/llamacpp/budget.hpp"

namespace ridgepoint::engine::llamacpp {

/// What --fit makes of a start.
struct Fitted {
  std::uint64_t context = 0;  ///< n_ctx to ask for
  Placement placement;
  bool changed_context = false;
  bool changed_layers = false;
  std::string refusal;            ///< why it gives up and goes on with the values given; else empty
  std::uint64_t use_at_full = 0;  ///< bytes of all devices at the model's own length
  std::uint64_t use_at_least = 0;  ///< and at --fit-ctx
};

/// Leaves --fit-target free on each device: first a shorter context, by interpolation between
/// --fit-ctx and the model's own length, then fewer layers. `free_bytes` of one device as the
/// engine sees it once its context is made. Source: llama.cpp common/fit.cpp.
Fitted fit_to_memory(const Projector& projector, const Settings& settings, std::uint64_t free_bytes,
                     std::uint64_t experts);

}  // namespace ridgepoint::engine::llamacpp
