#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/fit.hpp"

namespace ridgepoint::plan {

/// Where a step belongs in the way from a model to a verdict.
enum class StepGroup : std::uint8_t {
  model,     ///< parameters and checkpoint
  weights,   ///< what one GPU holds of them
  claim,     ///< what the engine takes of a card up front
  terms,     ///< what lies in it beside weights and cache
  pool,      ///< what is left for the cache
  cache,     ///< what tokens and requests take
  capacity,  ///< blocks, tokens, requests
  verdict,
  speed,
};
std::string_view step_group_name(StepGroup group);

/// A step of the derivation with what it is about.
struct Derived {
  StepGroup group = StepGroup::model;
  std::string rule;  ///< the rule in words, one sentence
  engine::Step step;
};

/// The whole way from parameters to speed, in an order in which every step follows from those
/// before it: groups one after the other, in the order in which the engine works. The engine's own
/// steps are among them unchanged. `report` is that of the request.
std::vector<Derived> explain(const Request& request, const Report& report);

}  // namespace ridgepoint::plan
