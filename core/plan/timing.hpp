#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/schedule.hpp"
#include "plan/fit.hpp"
#include "speed/closed_forms.hpp"
#include "speed/step_model.hpp"

namespace ridgepoint::plan {

/// What the times of a plan depend on beside the plan: a request, and the model, its tensors and
/// the card that take the place of the request's own.
struct SpeedInputs {
  const Request& request;
  const model::ModelSpec& model;
  const std::vector<model::Tensor>& tensors;
  const hardware::Device& device;
  std::span<const engine::FlagValue> flags = {};  ///< beside the request's own, and before them
};

/// The times of the steps of a plan that starts. What is referred to must outlive it. Empty where
/// the card's rates are not known or the processor computes a part of the model.
std::optional<speed::KernelTimer> step_timer(const SpeedInputs& inputs,
                                             const engine::MemoryPlan& memory,
                                             const engine::Schedule& schedule);

/// The speed of a plan that starts with every layer on the cards: of one prompt on an idle replica,
/// and of the steps of the workload's requests at once.
speed::ClosedForms speed_of(const SpeedInputs& inputs, const engine::MemoryPlan& memory);

}  // namespace ridgepoint::plan
