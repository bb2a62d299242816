#pragma once

#include "engine/engine.hpp"
#include "engine/vllm/flags.hpp"
#include "engine/vllm/version.hpp"

namespace ridgepoint::engine::vllm {

/// What vLLM's start-up makes of the request: the budget of the tightest GPU, the KV cache as its
/// planner lays it out, what it prints, and whether it starts. Rules: vLLM 0.9.1 to 0.29.
Result<MemoryPlan> plan(const Inputs& inputs);

/// How it puts requests into steps (schedule_policy.cpp).
Result<Schedule> schedule(const Inputs& inputs, const MemoryPlan& plan);

}  // namespace ridgepoint::engine::vllm
