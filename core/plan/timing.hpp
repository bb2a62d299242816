#pragma once

#include <optional>
#include <vector>

#include "engine/schedule.hpp"
#include "plan/fit.hpp"
#include "speed/step_model.hpp"

namespace ridgepoint::plan {

/// The times of the steps of a plan that starts, under a schedule. `request` and `tensors`, which
/// are its model's, must outlive it. Empty where the card's rates are not known or the processor
/// computes a part of the model.
std::optional<speed::KernelTimer> step_timer(const Request& request,
                                             const std::vector<model::Tensor>& tensors,
                                             const engine::MemoryPlan& memory,
                                             const engine::Schedule& schedule);

}  // namespace ridgepoint::plan
