#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/spec.hpp"

namespace ridgepoint::model {

/// Every tensor of the model, logically: no quantiser's scales, a tied head once.
std::vector<Tensor> tensors(const ModelSpec& spec);

struct ParameterCounts {
  std::uint64_t total = 0;   ///< as published: without multi-token-prediction layers
  std::uint64_t active = 0;  ///< what one token's forward pass uses: k of n experts
  std::uint64_t mtp = 0;     ///< further parameters of the checkpoint
  std::array<std::uint64_t, kParts> by_part{};         ///< indexed by Part
  std::array<std::uint64_t, kParts> active_by_part{};  ///< likewise
};

ParameterCounts count_parameters(const std::vector<Tensor>& list);

}  // namespace ridgepoint::model
