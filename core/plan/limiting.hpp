#pragma once

#include <string>
#include <string_view>

#include "plan/fit.hpp"

namespace ridgepoint::plan {

/// The one term that would have to give way first.
struct LimitingTerm {
  /// `weights`, `kv_pool`, `window_pool`, `recurrent_states`, `sequence_cap`, `blocks_as_set`,
  /// `context`, `activation`, `claim`, `free_memory`, `version`.
  std::string_view term;
  std::string words;  ///< "sequence cap (--max-num-seqs)"
};

/// Of a setup that serves: the rule that leaves it the fewest requests at once; `kv_pool` when none
/// takes any but rounding. Of one whose terms leave no pool: `claim` where the memory that the
/// engine is not allowed would be enough, else `activation` where that alone would, else `weights`.
LimitingTerm limiting_term(const engine::Engine& engine, const engine::MemoryPlan& memory);

}  // namespace ridgepoint::plan
