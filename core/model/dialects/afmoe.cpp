#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::afmoe {
namespace {

constexpr std::string_view kArchitectures[] = {"AfmoeForCausalLM"};
constexpr std::string_view kModelTypes[] = {"afmoe"};

/// Trinity: gated attention, norms on both sides of each block.
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.qkv_bias = Bias::never;
  profile.output_bias = Bias::never;
  profile.mlp_bias = Bias::never;
  profile.qk_norm = QkNorm::per_head;
  profile.norms = 4;
  profile.windows = Windows::pattern;
  profile.window_pattern = 4;
  read_decoder(config, profile, spec);
  for (Layer& layer : spec.layers) {
    layer.attention.output_gate = true;
  }
  FeedForward experts = read_mixture(config);
  experts.score_correction_bias = true;
  place_experts(sparse_from(config, "num_dense_layers", "", spec.layers.size()), experts, spec);
  spec.names.router = "mlp.router.gate";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::afmoe
