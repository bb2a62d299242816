#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::gptj {
namespace {

constexpr std::string_view kArchitectures[] = {"GPTJForCausalLM", "CodeGenForCausalLM",
                                               "GPTJForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"gptj", "codegen"};
constexpr ModuleNames kNames{.layers = "transformer.h.",
                             .attention = "attn.",
                             .mlp = "mlp.",
                             .up = "fc_in",
                             .down = "fc_out"};
/// Attention and feed-forward beside each other after one norm; biases but in attention.
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.intermediate_factor = 4;
  profile.qkv_bias = Bias::never;
  profile.output_bias = Bias::never;
  profile.mlp_bias = Bias::always;
  profile.gated = false;
  profile.final_norms = 2;
  profile.lm_head_bias = true;
  profile.windows = Windows::never;
  profile.names = &kNames;
  return profile;
}();

void read(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, kProfile, spec);
  spec.rope.rotary_dim = config.whole_or({"rotary_dim"}, kHeadDimRange, 64);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::gptj
