#pragma once

#include <string>

#include "engine/vllm/version.hpp"
#include "model/spec.hpp"

namespace ridgepoint::engine::vllm {

/// Why a version of vLLM does not start this model whatever the memory; empty when it does, or when
/// nothing is known against it. Sources: vLLM 0.28 model_executor/models/registry.py
/// (_PREVIOUSLY_SUPPORTED_MODELS and plugins), models/chatglm.py, models/qwen2.py; first versions
/// by the release notes. A development build may have what its number does not say, and is not
/// refused for being too old.
std::string refused_architecture(const model::ModelSpec& model, const Version& version);

}  // namespace ridgepoint::engine::vllm
