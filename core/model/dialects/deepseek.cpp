#include <string>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model {
namespace {

constexpr std::string_view kArchitectures[] = {"DeepseekV2ForCausalLM", "DeepseekV3ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"deepseek_v2", "deepseek_v3", "kimi_k2"};

Attention read_latent(json::Fields& config) {
  Attention a;
  a.kind = AttentionKind::latent;
  a.num_attention_heads = config.require_whole({"num_attention_heads"}, kHeadsRange);
  a.num_key_value_heads =
      config.whole_or({"num_key_value_heads"}, kHeadsRange, a.num_attention_heads);
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

FeedForward read_routed(json::Fields& config) {
  FeedForward experts = read_experts(config, {"n_routed_experts"}, {"num_experts_per_tok"},
                                     {"moe_intermediate_size"});
  experts.shared_intermediate_size =
      config.whole_or({"n_shared_experts"}, {0, kExpertsRange.most}, 0) *
      experts.moe_intermediate_size;
  experts.score_correction_bias = config.text({"topk_method"}).value_or("") == "noaux_tc";
  return experts;
}

void read(json::Fields& config, ModelSpec& spec) {
  const DecoderDefaults defaults;
  if (config.has("index_topk")) {
    config.fail("unknown_architecture", "index_topk",
                "This DeepSeek model has a sparse-attention indexer (index_topk), which this "
                "version does not size.");
    return;
  }
  if (!config.has("kv_lora_rank")) {
    config.fail("missing_field", "kv_lora_rank",
                "kv_lora_rank is missing: without it this is not the latent attention that the "
                "architecture's name promises.");
    return;
  }
  read_sizes(config, defaults, spec);
  Layer layer;
  layer.attention = read_latent(config);
  layer.feed_forward = read_dense(config, defaults);
  spec.layers.assign(spec.layers.size(), layer);
  if (config.has("n_routed_experts")) {
    const FeedForward experts = read_routed(config);
    const std::uint64_t first = config.whole_or({"first_k_dense_replace"}, {0, 10000}, 0);
    const std::uint64_t every = config.whole_or({"moe_layer_freq"}, kLayersRange, 1);
    for (std::size_t i = first; i < spec.layers.size(); ++i) {
      if (i % every == 0) {
        spec.layers[i].feed_forward = experts;
      }
    }
  }
  spec.mtp_layers = config.whole_or({"num_nextn_predict_layers"}, {0, 100}, 0);
}

}  // namespace

extern const Dialect dialect_deepseek;
const Dialect dialect_deepseek = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model
