#pragma once

#include <cstdint>
#include <vector>

#include "engine/llamacpp/budget.hpp"
#include "engine/llamacpp/fit.hpp"
#include "engine/llamacpp/settings.hpp"

namespace ridgepoint::engine::llamacpp {

/// Where the memory of the fullest card goes, in bytes, but for its caches: `plan` has the terms.
/// llama.cpp makes the caches that are asked for; what is left stays free.
std::vector<Charge> charges_of(const Settings& settings, const MemoryPlan& plan,
                               const Fitted& fitted, std::size_t device,
                               std::uint64_t available_bytes);

/// How the requests at once were found.
struct SlotsFound {
  bool as_asked = false;         ///< flags say how many slots there are
  std::uint64_t slots = 0;       ///< of requests of the length asked about
  std::uint64_t most_slots = 0;  ///< that the server takes
  std::uint64_t slot_bytes = 0;  ///< caches of one slot of that length alone, on the fullest card
};

/// Requests of `plan.context` tokens. Where no flag says how many slots there are, memory that
/// stays free counts as if it were cache: further slots would take it. Cells are padded within a
/// slot, so that this rounding is part of a request's bytes.
Holding holding_of(const Settings& settings, const MemoryPlan& plan, const Cells& cells,
                   const SlotsFound& found);

}  // namespace ridgepoint::engine::llamacpp
