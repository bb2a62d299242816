#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::persimmon {
namespace {

constexpr std::string_view kArchitectures[] = {"PersimmonForCausalLM"};
constexpr std::string_view kModelTypes[] = {"persimmon"};
constexpr ModuleNames kNames{.up = "dense_h_to_4h", .down = "dense_4h_to_h"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.names = &kNames;
  profile.norms = 4;
  profile.final_norms = 2;
  profile.qkv_bias = Bias::always;
  profile.output_bias = Bias::always;
  profile.mlp_bias = Bias::always;
  profile.gated = false;
  return profile;
}();

/// transformers PersimmonConfig: the norms of queries and keys are layer norms of head_dim.
void read(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, kProfile, spec);
  if (config.boolean_or({"qk_layernorm"}, true)) {
    for (Layer& layer : spec.layers) {
      layer.extra.push_back(
          values(Part::attention, "self_attn.q_layernorm", 4 * layer.attention.head_dim));
    }
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::persimmon
