#pragma once

#include <cstdint>
#include <vector>

#include "engine/vllm/settings.hpp"
#include "weights/weights.hpp"

namespace ridgepoint::engine::vllm {

/// Bytes of the empty LoRA slots one rank makes at start-up: for every linear layer and expert a
/// matrix A (rank x inputs) and a matrix B (outputs x rank) for each slot, in 16 bits; of a layer
/// split by outputs B is divided, of one split by inputs A, and --fully-sharded-loras divides the
/// other too. Tables take rank values a token of the vocabulary. 0 without LoRA.
/// Source: vLLM 0.28 lora/layers/base_linear.py, column_parallel_linear.py, fused_moe.py,
/// vocab_parallel_embedding.py, logits_processor.py.
std::uint64_t lora_bytes(const std::vector<model::Tensor>& tensors, const Settings& settings,
                         const weights::Shard& shard);

}  // namespace ridgepoint::engine::vllm
