#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/trials.hpp"

namespace ridgepoint::plan {

/// Memory, or cards, that a setup that serves does not use.
struct Waste {
  std::string what;            ///< "memory_share", "requests_limit", "cards" …
  std::uint64_t bytes = 0;     ///< of one GPU; of cards and copies, of all
  std::string text;            ///< what is wasted, how it is known, and what the remedy costs
  std::optional<Change> edit;  ///< the remedy, tried out; nothing where there is none
};

/// How often the engine is asked at most.
inline constexpr std::size_t kWastePlans = 120;

/// What a setup that serves wastes, most bytes first. Each figure is the difference that the
/// engine's own answer shows once the remedy is made.
std::vector<Waste> waste(const Request& request, const engine::MemoryPlan& now);

}  // namespace ridgepoint::plan
