#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::grok1 {
namespace {

constexpr std::string_view kArchitectures[] = {"Grok1ModelForCausalLM", "Grok1ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"grok-1", "grok_1"};

/// Grok-1 and Grok-2: norms on both sides of each block; Grok-2 has a dense network beside the
/// experts (`residual_moe`).
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.qkv_bias = Bias::never;
  profile.output_bias = Bias::never;
  profile.norms = 4;
  profile.windows = Windows::never;
  read_decoder(config, profile, spec);
  FeedForward experts = read_mixture(config);
  if (config.boolean_or({"residual_moe"}, false)) {
    experts.intermediate_size = config.require_whole({"intermediate_size"}, kWidthRange);
  }
  place_experts(std::vector<bool>(spec.layers.size(), true), experts, spec);
  spec.names.attention = "attn.";
  spec.names.router = "moe_block.gate";
  spec.names.experts = "moe_block.experts.0.";
  spec.names.gate = "linear";
  spec.names.up = "linear_v";
  spec.names.down = "linear_1";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::grok1
