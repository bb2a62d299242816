#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/tensors.hpp"

namespace ridgepoint::weights {

/// One rank's share of a model.
struct Shard {
  std::uint64_t tensor_parallel = 1;  ///< ranks that split each layer's matrices
  /// Ranks over which whole experts are dealt out (expert parallelism); 1: each expert is split
  /// over `expert_split` ranks instead.
  std::uint64_t expert_ranks = 1;
  std::uint64_t expert_split = 1;
  /// Shared experts whole on every rank, as sequence-parallel mixtures have them.
  bool whole_shared_experts = false;
  std::uint64_t first_layer = 0;
  std::uint64_t end_layer = 0;
  bool first_stage = true;         ///< holds the embedding
  bool last_stage = true;          ///< holds the final norm and the head
  bool mtp = false;                ///< the prediction layers are loaded too, on the last stage
  bool towers = true;              ///< image and audio encoders are loaded
  bool whole_towers = false;       ///< on every rank whole
  std::uint64_t more_experts = 0;  ///< copies of experts that are added before they are dealt out
};

struct WeightBytes {
  std::uint64_t total = 0;
  std::array<std::uint64_t, model::kParts> by_part{};  ///< indexed by model::Part
  std::uint64_t allocator_rest = 0;  ///< beyond `total`, see weights/allocation.hpp
};

/// Bytes of the whole checkpoint as stored: every tensor, multi-token-prediction layers included,
/// in the checkpoint's own formats. Container headers are not counted.
std::uint64_t checkpoint_bytes(const model::ModelSpec& spec,
                               const std::vector<model::Tensor>& tensors);

/// Elements of scales, zero points and index tables that the checkpoint's quantisation stores
/// beside the weights; the total that Hugging Face publishes of FP8 checkpoints counts them.
std::uint64_t scale_parameters(const model::ModelSpec& spec,
                               const std::vector<model::Tensor>& tensors);

/// Elements of all tensors as the checkpoint's quantisation packs them, which the published totals
/// of MLX and NVFP4 repositories count; 0 where nothing is quantised.
std::uint64_t packed_parameters(const model::ModelSpec& spec,
                                const std::vector<model::Tensor>& tensors);

/// Bytes one rank holds after loading in `dtype`. Prediction layers share the model's embedding and
/// head (vLLM 0.28 v1/spec_decode). The heaviest rank where ranks differ: vocabularies are padded
/// to a multiple of 64 and divided up, key/value heads are replicated rather than cut (at least one
/// a rank), and left-over experts go to the lowest ranks. Source: vLLM 0.28
/// model_executor/layers/vocab_parallel_embedding.py, linear.py, fused_moe/expert_map_manager.py.
WeightBytes loaded_bytes(const model::ModelSpec& spec, const std::vector<model::Tensor>& tensors,
                         const Shard& shard, precision::Dtype dtype);

/// Bytes one rank holds of the multi-token-prediction layers when they serve as a draft, without
/// the copies of embedding and head, which a draft shares with the model. Sources: SGLang 0.5.17
/// models/deepseek_nextn.py; TensorRT-LLM 1.2 _torch/models/modeling_deepseekv3.py.
std::uint64_t mtp_bytes(const model::ModelSpec& spec, const std::vector<model::Tensor>& tensors,
                        const Shard& shard, precision::Dtype dtype);

/// Rows of a vocabulary matrix on one rank.
std::uint64_t vocabulary_rows(std::uint64_t vocab_size, std::uint64_t tensor_parallel);

}  // namespace ridgepoint::weights
