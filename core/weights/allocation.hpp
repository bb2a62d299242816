#pragma once

#include <cstdint>

#include "model/tensor.hpp"

namespace ridgepoint::weights {

/// What PyTorch's caching allocator counts beyond the bytes of the tensors themselves. It takes
/// memory in multiples of 2 MiB and gives a tensor of 10 MiB or more the rest too when that is 1
/// MiB or less, since it splits off nothing so small (c10/cuda/CUDACachingAllocator.cpp,
/// get_allocation_size and should_split). Engines keep queries, keys and values of a layer in one
/// tensor, and gate and up.
///
/// Confirmed by weights that vLLM prints: Qwen3-32B over two ranks 30.59 GiB, of which 64 x 1 MiB
/// are such rests (12,800 x 5,120 x 2 bytes = 125 MiB in 126); Qwen3-4B 7.556, Gemma-3-27B 51.45.
class Allocation {
 public:
  /// Tensors in the order in which a layer holds them: `bytes` of one of `layers` equal ones.
  void add(const model::Tensor& tensor, std::uint64_t bytes, std::uint64_t layers);

  /// The sum over what was added.
  std::uint64_t rest_bytes();

 private:
  void close();

  model::Tensor open_;  ///< the last tensor, which the next may continue
  std::uint64_t open_bytes_ = 0;
  std::uint64_t open_layers_ = 0;
  std::uint64_t rest_ = 0;
};

}  // namespace ridgepoint::weights
