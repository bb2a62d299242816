#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plan/fit.hpp"
#include "plan/trials.hpp"

namespace ridgepoint::plan {

/// A change that mends a setup. Figures are those of the changed setup, as the engine answered.
struct Proposal {
  std::string change;  ///< as people type it
  std::string how;
  std::string cost;
  std::string effect;
  Level level = Level::share;  ///< of two changes, the one that goes further
  Change edit;
  engine::Parallelism parallelism;
  Count max_requests;
  std::uint64_t max_context = 0;
  std::uint64_t context = 0;  ///< the length that max_requests are of
  Bytes kv_pool;
};

struct Proposals {
  Trouble trouble = Trouble::none;
  std::vector<Proposal> list;  ///< by level; empty when there is no trouble, or no help
  /// Nothing gives all the requests asked for, and the list makes it start.
  bool only_starts = false;
  std::size_t asked = 0;  ///< how often the engine was asked
};

/// How often the engine is asked at most: for a report, and for the whole list.
inline constexpr std::size_t kReportPlans = 16;
inline constexpr std::size_t kAdvicePlans = 320;

/// The smallest changes after which a request serves what is asked of it, each tried out: single
/// ones, and two at once where no single one helps that leaves speed and machine as they are. Where
/// a flag is a number it is changed no further than is needed. The engine is asked at most `most`
/// times; with fewer questions the list is shorter, and the same as far as it goes.
Proposals propose(const Request& request, const engine::MemoryPlan& now, std::size_t most);

/// The first single changes of the list for a report, cheaply; empty when the request starts,
/// whether or not it holds as many requests as are asked for.
std::vector<Advice> advise(const Request& request, const engine::MemoryPlan& memory);

}  // namespace ridgepoint::plan
