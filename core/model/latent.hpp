#pragma once

#include "json/fields.hpp"
#include "model/decoder.hpp"
#include "model/spec.hpp"

namespace ridgepoint::model {

/// A decoder of DeepSeek's shape: what its class has that no key tells.
struct LatentProfile {
  DecoderProfile decoder;
  bool latent = true;            ///< false: heads of their own cache (DeepSeek V1)
  bool correction_bias = false;  ///< of the router, whatever `topk_method` says
  bool mtp_copies = true;        ///< prediction modules store embedding and head again
  std::string_view first_sparse = "first_k_dense_replace";
};

/// The whole of such a decoder: sizes, attention, mixtures, indexer, prediction modules.
void read_latent_decoder(json::Fields& config, const LatentProfile& profile, ModelSpec& spec);

/// Multi-head latent attention from DeepSeek's keys. `q_lora_rank` absent or null: queries are
/// projected directly. `v_head_dim`: what the class fills in; 0: the key must be there.
Attention read_latent(json::Fields& config, std::uint64_t v_head_dim = 0);

/// Gives latent layers the indexer of DeepSeek Sparse Attention when `index_topk` is there: which
/// layers own one follows `index_topk_freq` and `index_skip_topk_offset`, or `index_topk_pattern`
/// ("S": takes over an earlier choice) or `indexer_types` ("shared"); prediction layers always own
/// one. Source: vLLM 0.28 models/deepseek_v2.py, transformers GlmMoeDsaConfig.
void apply_indexer(json::Fields& config, ModelSpec& spec);

/// Multi-token-prediction modules of `num_nextn_predict_layers`, each a layer like the last one.
void read_mtp(json::Fields& config, bool copies_vocabulary, ModelSpec& spec);

}  // namespace ridgepoint::model
