#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "engine/vllm/settings.hpp"
#include "weights/weights.hpp"

namespace ridgepoint::engine::vllm {

/// One pipeline stage's layers.
struct Stage {
  std::uint64_t first_layer = 0;
  std::uint64_t end_layer = 0;
  bool first = true;
  bool last = true;

  [[nodiscard]] std::uint64_t layers() const { return end_layer - first_layer; }
};

/// How `layers` are split over stages: remainders go to the stages before the last, then backwards.
/// Source: vLLM 0.28 distributed/utils.py, get_pp_indices.
/// VLLM_PP_LAYER_PARTITION gives them instead.
std::vector<Stage> pipeline_stages(std::uint64_t layers, const Settings& settings);

/// The parts of the activation peak, each in bytes; the peak is the largest of the transient ones
/// plus what stays.
struct ActivationParts {
  Bytes forward;     ///< the forward pass of max_num_batched_tokens tokens
  Bytes compile;     ///< torch.compile's first run; a later start finds its cache and skips it
  Bytes sampler;     ///< logits and sorting for max_num_seqs rows
  Bytes media;       ///< embeddings of images, videos or sounds held while the model runs
  Bytes persistent;  ///< expert workspaces and sampler state that stay and are charged
};

/// The memory of one GPU of one stage before the KV cache.
struct StageBudget {
  Stage stage;
  weights::WeightBytes weights_detail;
  std::uint64_t rope_bytes = 0;
  std::uint64_t absorbed_bytes = 0;   ///< 16-bit copies of MLA's up-projection (quantised only)
  std::uint64_t padding_bytes = 0;    ///< kernels' rounding of expert sizes
  std::uint64_t draft_bytes = 0;      ///< of a second model that drafts
  std::uint64_t lora_bytes = 0;       ///< slots for adapters
  std::uint64_t offloaded_bytes = 0;  ///< of weights kept in host memory
  Bytes weights;
  ActivationParts parts;
  Bytes activation;
  Bytes non_torch;
  Bytes cuda_graphs;             ///< what they take
  Bytes cuda_graphs_charged;     ///< what this version subtracts from the pool
  Bytes kv_available;            ///< low/best/high of what is left; 0 where nothing is
  bool short_of_memory = false;  ///< the best estimate leaves nothing
  std::uint64_t shortfall_bytes = 0;
};

/// `ceil(total x utilization)`, or the float product before 0.14 (v1/worker/utils.py).
std::uint64_t requested_bytes(const Settings& settings, const hardware::Device& device);

StageBudget stage_budget(const Inputs& inputs, const Settings& settings, const Stage& stage,
                         std::uint64_t requested);

}  // namespace ridgepoint::engine::vllm
