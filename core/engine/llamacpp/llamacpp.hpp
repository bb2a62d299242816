#pragma once

#include "engine/engine.hpp"
#include "engine/llamacpp/flags.hpp"
#include "engine/llamacpp/version.hpp"

namespace ridgepoint::engine::llamacpp {

/// Memory of a `llama-server` start, see engine::Engine for the errors. The estimate's `non_torch`
/// is what the driver's context takes, its `activation` the compute buffer; llama.cpp claims
/// nothing up front.
Result<MemoryPlan> plan(const Inputs& inputs);

/// How it puts requests into steps (schedule_policy.cpp).
Result<Schedule> schedule(const Inputs& inputs, const MemoryPlan& plan);

}  // namespace ridgepoint::engine::llamacpp
