#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::mpt {
namespace {

constexpr std::string_view kArchitectures[] = {"MPTForCausalLM", "MptForCausalLM"};
constexpr std::string_view kModelTypes[] = {"mpt"};
constexpr ModuleNames kNames{.layers = "transformer.blocks.",
                             .attention = "attn.",
                             .mlp = "ffn.",
                             .up = "up_proj",
                             .down = "down_proj"};

/// vLLM 0.28 models/mpt.py; transformers MptConfig. Key heads and ALiBi hide in `attn_config`.
void read(json::Fields& config, ModelSpec& spec) {
  const bool bias = !config.boolean_or({"no_bias"}, true);
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.intermediate_factor = config.whole_or({"expansion_ratio"}, {1, 64}, 4);
  profile.qkv_bias = bias ? Bias::always : Bias::never;
  profile.output_bias = profile.qkv_bias;
  profile.mlp_bias = profile.qkv_bias;
  profile.gated = false;
  profile.norms = bias ? 4 : 2;
  profile.final_norms = bias ? 2 : 1;
  profile.windows = Windows::never;
  profile.names = &kNames;
  bool positions = config.boolean_or({"learned_pos_emb"}, true);
  if (auto attention = config.object("attn_config")) {
    const auto heads = attention->whole({"kv_n_heads"}, kHeadsRange);
    profile.key_value_heads = heads.value_or(0);
    if (!heads && attention->text({"attn_type"}) == "multiquery_attention") {
      profile.key_value_heads = 1;
    }
    if (attention->boolean_or({"qk_ln"}, false)) {
      profile.qk_norm = QkNorm::full_width;
    }
    if (attention->boolean_or({"qk_gn"}, false) || (bias && profile.qk_norm != QkNorm::none)) {
      attention->fail("unknown_architecture", "qk_gn",
                      "Norms of groups of queries, or with biases, are not known to this reader.");
    }
    positions = positions && !attention->boolean_or({"alibi"}, false) &&
                !attention->boolean_or({"rope"}, false);
    config.adopt(*attention);
  }
  read_decoder(config, profile, spec);
  if (positions && !config.error()) {
    const std::uint64_t length = config.whole_or({"max_seq_len"}, {1, 1U << 24U}, 2048);
    spec.extra.push_back(values(Part::embedding, "transformer.wpe", length * spec.hidden_size));
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::mpt
