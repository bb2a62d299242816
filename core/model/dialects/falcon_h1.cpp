#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/mixers.hpp"

namespace ridgepoint::model::falcon_h1 {
namespace {

constexpr std::string_view kArchitectures[] = {"FalconH1ForCausalLM", "FalconH1Model"};
constexpr std::string_view kModelTypes[] = {"falcon_h1"};

/// The mixer's width: `mamba_d_ssm`, or what `mamba_expand` makes when that is null. Where the key
/// is left out the heads say it, for the class refuses any other width.
std::uint64_t mixer_width(json::Fields& config, const ModelSpec& spec) {
  const auto given = config.whole({"mamba_d_ssm"}, kWidthRange);
  if (given) {
    return *given;
  }
  const bool from_heads = config.has("mamba_n_heads") && config.has("mamba_d_head");
  return from_heads ? 0 : expanded(config, {"mamba_expand"}, spec);
}

/// Attention and Mamba-2 side by side in every layer.
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.key_value_heads = 8;
  read_decoder(config, profile, spec);
  if (config.has("attn_layer_indices")) {
    config.fail("unknown_architecture", "attn_layer_indices",
                "Falcon-H1 has attention in every layer; a list of layers with attention is not "
                "known to this reader.");
    return;
  }
  State state = read_mamba2(config, {"mamba_d_head", mixer_width(config, spec), 128, 1, 256});
  state.inner_norm = config.boolean_or({"mamba_rms_norm"}, false);
  if (config.boolean_or({"projectors_bias"}, false) != state.projection_bias) {
    config.fail("unknown_architecture", "projectors_bias",
                "A bias of only one of the mixer's projections (mamba_proj_bias and "
                "projectors_bias differ) is not known to this reader.");
  }
  for (Layer& layer : spec.layers) {
    layer.state = state;
  }
  spec.names.state = "mamba.";
  spec.names.mlp = "feed_forward.";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read, nullptr, true};

}  // namespace ridgepoint::model::falcon_h1
