#pragma once

#include <cstdint>
#include <string>

#include "model/spec.hpp"

namespace ridgepoint::engine::vllm {

/// Why a version of vLLM does not start this model whatever the memory; empty when it does, or when
/// nothing is known against it. Sources: vLLM 0.28 model_executor/models/registry.py
/// (_PREVIOUSLY_SUPPORTED_MODELS and plugins), models/chatglm.py, models/qwen2.py.
std::string refused_architecture(const model::ModelSpec& model, std::uint32_t minor);

}  // namespace ridgepoint::engine::vllm
