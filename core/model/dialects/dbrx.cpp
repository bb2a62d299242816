#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::dbrx {
namespace {

constexpr std::string_view kArchitectures[] = {"DbrxForCausalLM"};
constexpr std::string_view kModelTypes[] = {"dbrx"};

/// DBRX: sizes of attention and mixture lie in objects of their own; LayerNorms without bias.
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.qkv_bias = Bias::never;
  profile.output_bias = Bias::never;
  profile.windows = Windows::never;
  read_sizes(config, profile, spec);
  Layer layer;
  layer.attention = read_attention(config, profile, spec);
  auto attention = config.object("attn_config");
  auto ffn = config.object("ffn_config");
  if (!attention || !ffn) {
    config.fail("missing_field", attention ? "ffn_config" : "attn_config",
                "DBRX keeps its key/value heads in attn_config and its experts in ffn_config.");
    return;
  }
  Attention& a = layer.attention;
  a.num_key_value_heads = attention->whole_or({"kv_n_heads"}, kHeadsRange, 1);
  if (a.num_attention_heads % a.num_key_value_heads != 0) {
    attention->fail("bad_value", "kv_n_heads", "n_heads must be a multiple of kv_n_heads.");
  }
  layer.feed_forward = read_experts(*ffn, {"moe_num_experts"}, {"moe_top_k"}, {"ffn_hidden_size"});
  config.adopt(*attention);
  config.adopt(*ffn);
  spec.layers.assign(spec.layers.size(), layer);
  spec.names.layers = "transformer.blocks.";
  spec.names.attention = "norm_attn_norm.attn.";
  spec.names.router = "ffn.router.layer";
  spec.names.experts = "ffn.experts.mlp.";
  spec.names.gate = "w1";
  spec.names.up = "v1";
  spec.names.down = "w2";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::dbrx
