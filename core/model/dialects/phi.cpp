#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::phi {
namespace {

constexpr std::string_view kArchitectures[] = {"PhiForCausalLM", "PhiForSequenceClassification",
                                               "PhiForTokenClassification"};
constexpr std::string_view kModelTypes[] = {"phi", "phi-msft"};
constexpr ModuleNames kNames{.up = "fc1", .down = "fc2"};
/// Phi-1, 1.5 and 2: attention and feed-forward beside each other after one layer norm.
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.intermediate_factor = 4;
  profile.qkv_bias = Bias::always;
  profile.output_bias = Bias::always;
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
  if (config.boolean_or({"qk_layernorm"}, false)) {
    for (Layer& layer : spec.layers) {
      layer.extra.push_back(
          values(Part::attention, "self_attn.q_layernorm", 4 * layer.attention.head_dim));
    }
  }
  if (const auto rotary = config.whole({"rotary_dim"}, kHeadDimRange)) {
    spec.rope.rotary_dim = *rotary;
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::phi
