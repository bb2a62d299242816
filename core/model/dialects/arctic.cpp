#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::arctic {
namespace {

constexpr std::string_view kArchitectures[] = {"ArcticForCausalLM"};
constexpr std::string_view kModelTypes[] = {"arctic"};

/// Arctic: every `moe_layer_frequency`-th layer a mixture, and beside it a dense network as wide as
/// the model with a norm of its own.
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.qkv_bias = Bias::never;
  profile.output_bias = Bias::never;
  profile.windows = Windows::never;
  read_decoder(config, profile, spec);
  FeedForward experts = read_mixture(config);
  const std::uint64_t every = config.whole_or({"moe_layer_frequency"}, kLayersRange, 2);
  const bool residual = config.boolean_or({"use_residual"}, true) &&
                        config.boolean_or({"parallel_attn_mlp_res"}, true);
  experts.intermediate_size = residual ? spec.hidden_size : 0;
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    if ((i + 1) % every == 0) {
      spec.layers[i].feed_forward = experts;
      spec.layers[i].norms = residual ? 3 : 2;
    }
  }
  spec.names.mlp = "residual_mlp.";
  spec.names.router = "block_sparse_moe.gate";
  spec.names.experts = "block_sparse_moe.experts.0.";
  spec.names.gate = "w1";
  spec.names.up = "w3";
  spec.names.down = "w2";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::arctic
