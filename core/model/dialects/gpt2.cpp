#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::gpt2 {
namespace {

constexpr std::string_view kArchitectures[] = {"GPT2LMHeadModel",
                                               "GPT2Model",
                                               "GPT2ForSequenceClassification",
                                               "GPTBigCodeForCausalLM",
                                               "GPTBigCodeLMHeadModel",
                                               "JAISLMHeadModel"};
constexpr std::string_view kModelTypes[] = {"gpt2", "gpt_bigcode", "jais"};
constexpr ModuleNames kNames{.layers = "transformer.h.",
                             .attention = "attn.",
                             .mlp = "mlp.",
                             .gate = "c_fc2",
                             .up = "c_fc",
                             .down = "c_proj"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.intermediate_factor = 4;
  profile.qkv_bias = Bias::always;
  profile.output_bias = Bias::always;
  profile.mlp_bias = Bias::always;
  profile.gated = false;
  profile.norms = 4;
  profile.final_norms = 2;
  profile.windows = Windows::never;
  profile.names = &kNames;
  return profile;
}();

bool named(const ModelSpec& spec, std::string_view start, std::string_view model_type) {
  return spec.architecture.empty() ? spec.model_type == model_type
                                   : spec.architecture.starts_with(start);
}

/// GPT-2 with learned positions; StarCoder's multi-query (transformers GPTBigCodeConfig, true by
/// default); Jais with a gate and ALiBi (vLLM models/jais.py, until 0.22).
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile = kProfile;
  bool positions = true;
  if (named(spec, "GPTBigCode", "gpt_bigcode") && config.boolean_or({"multi_query"}, true)) {
    profile.key_value_heads = 1;
  } else if (named(spec, "JAIS", "jais")) {
    profile.gated = config.text({"activation_function"}) == "swiglu";
    positions = config.text({"position_embedding_type"}).value_or("learned") != "alibi";
  }
  read_decoder(config, profile, spec);
  if (positions) {
    const std::uint64_t length =
        config.whole_or({"n_positions", "max_position_embeddings", "n_ctx"}, {1, 1U << 24U}, 1024);
    spec.extra.push_back(values(Part::embedding, "transformer.wpe", length * spec.hidden_size));
  }
  if (spec.architecture == "GPT2Model") {
    spec.lm_head = false;
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::gpt2
