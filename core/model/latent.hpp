#pragma once

#include "json/fields.hpp"
#include "model/spec.hpp"

namespace ridgepoint::model {

/// Multi-head latent attention from DeepSeek's keys. `q_lora_rank` absent or null: queries are
/// projected directly.
Attention read_latent(json::Fields& config);

/// Gives latent layers the indexer of DeepSeek Sparse Attention when `index_topk` is there: which
/// layers own one follows `index_topk_freq` and `index_skip_topk_offset`, or `index_topk_pattern`
/// ("S": takes over an earlier choice). Source: vLLM 0.28 models/deepseek_v2.py.
void apply_indexer(json::Fields& config, ModelSpec& spec);

/// Routed experts from DeepSeek's keys: n_routed_experts, n_shared_experts, topk_method.
FeedForward read_routed(json::Fields& config);

/// Multi-token-prediction modules of `num_nextn_predict_layers`, each a layer like the last one.
void read_mtp(json::Fields& config, bool copies_vocabulary, ModelSpec& spec);

}  // namespace ridgepoint::model
