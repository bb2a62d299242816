#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/start_log.hpp"
#include "plan/fit.hpp"

namespace ridgepoint::plan {

/// One figure of a log beside the one predicted for the same setup.
struct ComparedTerm {
  std::string_view term;
  std::string_view unit;  ///< "bytes", "tokens", "blocks" or "requests"
  double measured = 0;
  Estimate<double> predicted;
  bool inside = false;    ///< within the predicted range, but for the digits the log prints
  double difference = 0;  ///< measured - best
  std::string cause;      ///< empty within the range; "cause unknown" where no rule knows it
};

struct LogComparison {
  std::vector<ComparedTerm> terms;
  std::vector<std::string> causes;  ///< sentences for people: what happened, and what to do
};

/// A start held against the prediction of its setup: `request` has none of the log's measured
/// terms, `predicted` is its report. Terms are those that the log prints.
LogComparison compare_with_log(const Request& request, const Report& predicted,
                               const engine::StartLog& log);

/// What a log tells without a prediction: other processes on the card, what a refusal lacked, what
/// an allocation failed for.
std::vector<std::string> causes_in_log(const engine::StartLog& log);

/// Differences between what the log ran with and what the request comes to: version, GPUs, flags of
/// the log that the request has otherwise, or lacks where that is not its default. In words, each
/// with both values.
std::vector<std::string> setup_differences(const Request& request, const Report& predicted,
                                           const engine::StartLog& log);

}  // namespace ridgepoint::plan
