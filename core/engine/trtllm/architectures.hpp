#pragma once

#include <cstdint>
#include <string>

namespace ridgepoint::engine::trtllm {

/// A sentence when the PyTorch backend's documented list of models has no such architecture in that
/// version, empty when it has. The list is no promise either way: further classes are registered
/// than it names. Source: TensorRT-LLM documentation 1.0, 1.2, 1.3.0rc13 and 1.3.0rc24, supported
/// models; release notes before.
std::string not_listed(const std::string& architecture, std::uint32_t version);

}  // namespace ridgepoint::engine::trtllm
