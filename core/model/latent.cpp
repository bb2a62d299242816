#include "model/latent.hpp"

#include <string_view>

#include "model/decoder.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model {

namespace {

/// Whether heads keep keys and values of their own in a model of a latent class. Source: vLLM 0.28
/// models/deepseek_v2.py; DeepSeek-VL2 and DeepSeek-OCR write `use_mla` besides.
bool plain_heads(json::Fields& config, const LatentProfile& profile) {
  return !profile.latent || !config.boolean_or({"use_mla"}, true) ||
         (config.whole_or({"qk_nope_head_dim"}, {0, kHeadDimRange.most}, 1) == 0 &&
          config.whole_or({"qk_rope_head_dim"}, {0, kHeadDimRange.most}, 1) == 0);
}

}  // namespace

Attention read_latent(json::Fields& config, std::uint64_t v_head_dim) {
  Attention a;
  a.kind = AttentionKind::latent;
  a.num_attention_heads = config.require_whole({"num_attention_heads"}, kHeadsRange);
  a.num_key_value_heads = a.num_attention_heads;
  a.q_lora_rank =
      config.whole_or({"q_lora_rank", "attention_q_lora_dim"}, {0, kHiddenRange.most}, 0);
  a.kv_lora_rank = config.require_whole({"kv_lora_rank", "attention_kv_lora_dim"}, kHiddenRange);
  a.qk_nope_head_dim =
      config.require_whole({"qk_nope_head_dim", "attention_qk_dim"}, kHeadDimRange);
  a.qk_rope_head_dim =
      config.require_whole({"qk_rope_head_dim", "attention_qk_rope_dim"}, kHeadDimRange);
  a.v_head_dim = v_head_dim != 0
                     ? config.whole_or({"v_head_dim"}, kHeadDimRange, v_head_dim)
                     : config.require_whole({"v_head_dim", "attention_v_dim"}, kHeadDimRange);
  a.head_dim = a.qk_nope_head_dim + a.qk_rope_head_dim;
  const bool bias = config.boolean_or({"attention_bias"}, false);
  a.qkv_bias = bias;
  a.output_bias = bias;
  return a;
}

void read_latent_decoder(json::Fields& config, const LatentProfile& profile, ModelSpec& spec) {
  const bool plain = plain_heads(config, profile);
  if (!plain && !config.has("kv_lora_rank") && !config.has("attention_kv_lora_dim")) {
    config.fail("missing_field", "kv_lora_rank",
                "kv_lora_rank is missing: without it this is not the latent attention that the "
                "architecture's name promises.");
    return;
  }
  read_sizes(config, profile.decoder, spec);
  Layer layer;
  layer.attention = plain ? read_attention(config, profile.decoder, spec) : read_latent(config);
  layer.feed_forward = read_dense(config, profile.decoder, spec);
  layer.norms = profile.decoder.norms;
  spec.layers.assign(spec.layers.size(), layer);
  if (config.has("n_routed_experts") || config.has("num_experts") ||
      config.has("num_routed_experts")) {
    FeedForward experts = read_mixture(config);
    experts.score_correction_bias = experts.score_correction_bias || profile.correction_bias;
    place_experts(sparse_layers(config, profile.first_sparse, spec.layers.size()), experts, spec);
  }
  read_mtp(config, profile.mtp_copies, spec);
  apply_indexer(config, spec);
}

void apply_indexer(json::Fields& config, ModelSpec& spec) {
  if (!config.has("index_topk")) {
    return;
  }
  Indexer indexer;
  indexer.heads = config.require_whole({"index_n_heads"}, kHeadsRange);
  indexer.head_dim = config.whole_or({"index_head_dim"}, kHeadDimRange, 128);
  indexer.chosen = config.whole_or({"index_topk"}, {0, 1ULL << 32U}, 0);
  const std::uint64_t every = config.whole_or({"index_topk_freq"}, kLayersRange, 1);
  const std::uint64_t offset = config.whole_or({"index_skip_topk_offset"}, {0, 1000}, 2);
  const std::string_view pattern = config.text({"index_topk_pattern"}).value_or("");
  const auto types = read_names(config, "indexer_types", spec.layers.size());
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    const std::uint64_t after = i + 1 > offset ? i + 1 - offset : 0;
    const bool owns = i < types.size()     ? types[i] != "shared"
                      : i < pattern.size() ? pattern[i] != 'S'
                                           : after % every == 0;
    if (owns && spec.layers[i].attention.kind == AttentionKind::latent) {
      spec.layers[i].attention.indexer = indexer;
    }
  }
  for (Layer& layer : spec.mtp.layers) {
    if (layer.attention.kind == AttentionKind::latent) {
      layer.attention.indexer = indexer;
    }
  }
}

void read_mtp(json::Fields& config, bool copies_vocabulary, ModelSpec& spec) {
  const std::uint64_t modules =
      config.whole_or({"num_nextn_predict_layers", "num_mtp_layers"}, {0, 100}, 0);
  if (modules == 0 || spec.layers.empty()) {
    return;
  }
  spec.mtp.layers.assign(modules, spec.layers.back());
  spec.mtp.modules = modules;
  spec.mtp.copies_embedding = copies_vocabulary;
  spec.mtp.copies_lm_head = copies_vocabulary;
}

}  // namespace ridgepoint::model
