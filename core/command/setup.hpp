#pragma once

#include <string>
#include <vector>

#include "plan/fit.hpp"

namespace ridgepoint::command {

/// The text of a request's answer, error or report: api::write_report behind plan::fit.
using ReportText = std::string (*)(const plan::Request& request);

/// A request as a command says it: flags in their normal spelling (normal_args.hpp), those that say
/// the version's default left out, and what the estimate took for granted written as flags, for an
/// engine does not know what was asked about.
struct Setup {
  plan::Request request;             ///< args normal; the version is the one that was estimated
  std::vector<std::string> derived;  ///< flags the request did not have
  std::vector<std::string> notes;
  plan::Report plan;   ///< of `request`
  std::string report;  ///< of `request`, as text
};

/// Leaves a flag out only where the report is the same to the byte without it, and adds one only
/// where nothing but the report's assumptions changes. Errors: those of the estimate.
Result<Setup> normal_setup(const plan::Request& request, ReportText report_of);

/// Whether two reports differ in their assumptions at most.
bool same_but_assumptions(const std::string& left, const std::string& right);

}  // namespace ridgepoint::command
