#include "model/latent.hpp"

#include <string_view>

#include "model/decoder.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model {

Attention read_latent(json::Fields& config) {
  Attention a;
  a.kind = AttentionKind::latent;
  a.num_attention_heads = config.require_whole({"num_attention_heads"}, kHeadsRange);
  a.num_key_value_heads = a.num_attention_heads;
  a.q_lora_rank = config.whole_or({"q_lora_rank"}, {0, kHiddenRange.most}, 0);
  a.kv_lora_rank = config.require_whole({"kv_lora_rank"}, kHiddenRange);
  a.qk_nope_head_dim = config.require_whole({"qk_nope_head_dim"}, kHeadDimRange);
  a.qk_rope_head_dim = config.require_whole({"qk_rope_head_dim"}, kHeadDimRange);
  a.v_head_dim = config.require_whole({"v_head_dim"}, kHeadDimRange);
  a.head_dim = a.qk_nope_head_dim + a.qk_rope_head_dim;
  const bool bias = config.boolean_or({"attention_bias"}, false);
  a.qkv_bias = bias;
  a.output_bias = bias;
  return a;
}

void apply_indexer(json::Fields& config, ModelSpec& spec) {
  if (!config.has("index_topk")) {
    return;
  }
  Indexer indexer;
  indexer.heads = config.require_whole({"index_n_heads"}, kHeadsRange);
  indexer.head_dim = config.whole_or({"index_head_dim"}, kHeadDimRange, 128);
  const std::uint64_t every = config.whole_or({"index_topk_freq"}, kLayersRange, 1);
  const std::uint64_t offset = config.whole_or({"index_skip_topk_offset"}, {0, 1000}, 2);
  const std::string_view pattern = config.text({"index_topk_pattern"}).value_or("");
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    const std::uint64_t after = i + 1 > offset ? i + 1 - offset : 0;
    const bool owns = i < pattern.size() ? pattern[i] != 'S' : after % every == 0;
    if (owns && spec.layers[i].attention.kind == AttentionKind::latent) {
      spec.layers[i].attention.indexer = indexer;
    }
  }
}

FeedForward read_routed(json::Fields& config) {
  FeedForward experts = read_experts(config, {"n_routed_experts"}, {"num_experts_per_tok"},
                                     {"moe_intermediate_size"});
  experts.shared_intermediate_size =
      config.whole_or({"n_shared_experts"}, {0, kExpertsRange.most}, 0) *
      experts.moe_intermediate_size;
  experts.score_correction_bias = config.text({"topk_method"}).value_or("") == "noaux_tc";
  return experts;
}

void read_mtp(json::Fields& config, bool copies_vocabulary, ModelSpec& spec) {
  const std::uint64_t modules = config.whole_or({"num_nextn_predict_layers"}, {0, 100}, 0);
  if (modules == 0 || spec.layers.empty()) {
    return;
  }
  spec.mtp.layers.assign(modules, spec.layers.back());
  spec.mtp.modules = modules;
  spec.mtp.copies_embedding = copies_vocabulary;
  spec.mtp.copies_lm_head = copies_vocabulary;
}

}  // namespace ridgepoint::model
