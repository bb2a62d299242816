#pragma once

#include <string>
#include <vector>

#include "plan/change_path.hpp"
#include "plan/pool_terms.hpp"
#include "plan/request_terms.hpp"

namespace ridgepoint::plan {

/// Two setups side by side. Everything is the second's less the first's.
struct Comparison {
  std::vector<TermDifference> pool;      ///< adds up to the difference of kv_pool.best, in bytes
  std::vector<TermDifference> requests;  ///< adds up to that of max_requests.best
  std::vector<PathStep> changes;         ///< adds up to both
  std::vector<std::string> text;         ///< two to five sentences, the largest term first
};

/// Labels are what the sentences call the setups.
Comparison compare(const Setup& from, const Setup& to, const std::string& from_label,
                   const std::string& to_label);

}  // namespace ridgepoint::plan
