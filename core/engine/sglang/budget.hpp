#pragma once

#include <cstdint>

#include "engine/engine.hpp"
#include "engine/sglang/settings.hpp"
#include "engine/sglang/stages.hpp"
#include "weights/weights.hpp"

namespace ridgepoint::engine::sglang {

/// Bytes that may be below zero.
struct SignedRange {
  double low = 0;
  double best = 0;
  double high = 0;
};

/// The memory of one GPU of one stage when the pool is sized. Every term is in bytes.
struct StageBudget {
  Stage stage;
  weights::WeightBytes weights_detail;
  std::uint64_t rope_bytes = 0;      ///< float32 tables of positions
  std::uint64_t absorbed_bytes = 0;  ///< copies of latent attention's up-projection by heads
  std::uint64_t scale_copies = 0;    ///< second copies of NVFP4 experts' block scales
  std::uint64_t draft_weights = 0;   ///< loaded before the pool is sized (0.5.13 and later)
  Bytes weights;
  Bytes context;     ///< CUDA context, NCCL, and the operating system's share of unified memory
  Bytes before;      ///< free memory before the weights, on the rank with the least ("pre")
  SignedRange rest;  ///< what is left for caches and states
};

/// What the draft's weights take on one rank, in bytes; 0 without one.
std::uint64_t draft_weight_bytes(const Inputs& inputs, const Settings& settings);

/// Sources: SGLang 0.5.17 mem_cache/kv_cache_configurator.py, _profile_available_bytes (earlier
/// model_executor/model_runner.py, profile_max_num_token): rest = pre x fraction - weights.
/// NVFP4 experts keep their block scales twice: layers/quantization/modelopt_quant.py.
/// Sharding: layers/dp_attention.py, layers/vocab_parallel_embedding.py, models/deepseek_v2.py.
StageBudget stage_budget(const Inputs& inputs, const Settings& settings, const Stage& stage);

}  // namespace ridgepoint::engine::sglang
