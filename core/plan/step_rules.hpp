#pragma once

#include <string_view>

#include "model/tensor.hpp"
#include "plan/explain.hpp"

namespace ridgepoint::plan {

struct StepRule {
  std::string_view engine;  ///< empty: any
  std::string_view term;    ///< with a dot at its end: every term that begins so
  StepGroup group;
  std::string_view rule;
};

/// The rule of a term by an engine; null when there is none, which no term of an engine may be.
const StepRule* find_step_rule(std::string_view engine, std::string_view term);

/// How engines divide a part of a model over ranks, in words.
std::string_view sharding_rule(model::Part part);

}  // namespace ridgepoint::plan
