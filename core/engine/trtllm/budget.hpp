#pragma once

#include <cstdint>
#include <string_view>

#include "engine/engine.hpp"
#include "engine/trtllm/settings.hpp"
#include "engine/trtllm/token_cost.hpp"
#include "weights/weights.hpp"

namespace ridgepoint::engine::trtllm {

/// What one rank of a stage makes of its memory before the cache, in bytes.
struct StageBudget {
  Stage stage;
  TokenCost cost;
  weights::WeightBytes weights_detail;
  std::uint64_t guessing_bytes = 0;    ///< of the weights: prediction layers or draft model
  std::uint64_t absorbed_bytes = 0;    ///< of the weights: copies of latent attention's matrices
  std::uint64_t padding_bytes = 0;     ///< of the weights: experts rounded up to the kernels' tiles
  std::uint64_t workspace_bytes = 0;   ///< of the weights: buffers that go by max_num_tokens
  Bytes weights;                       ///< torch memory after loading
  Bytes activation;                    ///< torch peak of the dry run above that
  Bytes non_torch;                     ///< outside torch but for graphs: context, NCCL, buffers,
                                       ///< other users, the temporary cache
  std::string_view activation_source;  ///< of the figures behind the two terms above
  std::string_view outside_source;
  Bytes cuda_graphs;
  Bytes cuda_graphs_charged;
  std::uint64_t transfer_bytes = 0;   ///< of non_torch: buffers for KV cache between servers
  std::uint64_t others_bytes = 0;     ///< of non_torch: what is used before the engine starts
  std::uint64_t temporary_bytes = 0;  ///< of non_torch: the dry run's own cache
  bool adds_back = true;              ///< the temporary cache is added to what is left
  Bytes available;                    ///< for the cache: fraction x (total - peak + temporary)
  std::uint64_t reserve_bytes = 0;    ///< taken off it for the FP8 context MLA workspace
  bool short_of_memory = false;       ///< the best peak is beyond the card
};

/// The budget of one stage. Sources: TensorRT-LLM 1.2 _torch/pyexecutor/_util.py
/// (configure_kv_cache_capacity, _cal_max_memory); the C++ runtime's kvCacheManager.cpp
/// (calculateMaxNumBlocks); terms a rule does not give are fitted to measured starts
/// (core/data/trtllm_constants.json).
StageBudget stage_budget(const Inputs& inputs, const Settings& settings, const Stage& stage);

}  // namespace ridgepoint::engine::trtllm
