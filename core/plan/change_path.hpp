#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plan/pool_terms.hpp"

namespace ridgepoint::plan {

/// One step of the way from a setup to another.
struct PathStep {
  std::string what;  ///< "card", "--max-num-seqs", "model, parallelism"
  std::string from;  ///< for people, as is `to`; the state of each thing named, in its order
  std::string to;
  std::int64_t pool_difference = 0;      ///< in bytes of one GPU's pool
  std::int64_t requests_difference = 0;  ///< of the whole deployment
};

/// The way from one request to another, one edit at a time: model, card, GPUs and how they work
/// together, engine and version, each flag, each environment variable, workload, measured terms.
/// With another engine everything that is said in its terms changes at once. Each state is asked of
/// the engine: a state that it refuses to compute (heads that do not divide, a flag that the
/// version lacks) is passed over, and its edit named together with the next. The differences add up
/// to those of kv_pool.best and max_requests.best. An edit that changes neither stays in the list.
/// More than 48 flags or 16 variables that differ are one edit.
std::vector<PathStep> change_path(const Setup& from, const Setup& to);

}  // namespace ridgepoint::plan
