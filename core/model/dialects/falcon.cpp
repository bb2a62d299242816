#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::falcon {
namespace {

constexpr std::string_view kArchitectures[] = {"FalconForCausalLM", "RWForCausalLM",
                                               "FalconForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"falcon", "RefinedWeb", "RefinedWebModel"};
constexpr ModuleNames kNames{.layers = "transformer.h.",
                             .attention = "self_attention.",
                             .mlp = "mlp.",
                             .up = "dense_h_to_4h",
                             .down = "dense_4h_to_h"};

/// transformers FalconConfig and modeling_falcon; vLLM 0.28 models/falcon.py. The new decoder
/// architecture (40B, 180B, 11B) has groups of queries, else one key head for all (7B) or one for
/// each (RW); `num_kv_heads` counts only in the new one, and 7B configs give it as 71.
void read(json::Fields& config, ModelSpec& spec) {
  const bool grouped = config.boolean_or({"new_decoder_architecture"}, config.has("n_head_kv"));
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.intermediate_factor = 4;
  profile.qkv_bias = Bias::by_key;
  profile.output_bias = Bias::by_key;
  profile.mlp_bias = Bias::by_key;
  profile.qkv_bias_key = "bias";
  profile.output_bias_key = "bias";
  profile.mlp_bias_key = "bias";
  profile.gated = false;
  profile.final_norms = 2;
  profile.windows = Windows::never;
  profile.names = &kNames;
  const bool parallel = config.boolean_or({"parallel_attn"}, true);
  const std::uint64_t norms = config.whole_or({"num_ln_in_parallel_attn"}, {1, 2}, grouped ? 2 : 1);
  profile.norms = 2 * (parallel ? norms : 2);
  read_decoder(config, profile, spec);
  if (!grouped) {
    for (Layer& layer : spec.layers) {
      Attention& a = layer.attention;
      a.num_key_value_heads = config.boolean_or({"multi_query"}, true) ? 1 : a.num_attention_heads;
    }
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::falcon
