#pragma once

#include "engine/engine.hpp"
#include "engine/sglang/flags.hpp"
#include "engine/sglang/version.hpp"

namespace ridgepoint::engine::sglang {

/// The whole plan of one request to SGLang 0.4.0 to 0.5.17; errors as engine::Engine says.
Result<MemoryPlan> plan(const Inputs& inputs);

/// How it puts requests into steps (schedule_policy.cpp).
Result<Schedule> schedule(const Inputs& inputs, const MemoryPlan& plan);

}  // namespace ridgepoint::engine::sglang
