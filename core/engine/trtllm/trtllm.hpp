#pragma once

#include <span>
#include <string_view>

#include "engine/engine.hpp"

namespace ridgepoint::engine::trtllm {

/// What TensorRT-LLM makes of a card's memory: the PyTorch backend's dry run or an engine built by
/// TensorRT. Errors as Engine::plan says.
Result<MemoryPlan> plan(const Inputs& inputs);

/// How it puts requests into steps (schedule_policy.cpp).
Result<Schedule> schedule(const Inputs& inputs, const MemoryPlan& plan);

}  // namespace ridgepoint::engine::trtllm
