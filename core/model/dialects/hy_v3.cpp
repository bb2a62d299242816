#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"
#include "model/latent.hpp"

namespace ridgepoint::model::hy_v3 {
namespace {

constexpr std::string_view kArchitectures[] = {"HYV3ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"hy_v3"};

/// Hy3. Source: vLLM 0.28 models/hy_v3.py, transformers HYV3Config.
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.qk_norm = config.boolean_or({"qk_norm"}, true) ? QkNorm::per_head : QkNorm::none;
  read_decoder(config, profile, spec);
  FeedForward experts = read_mixture(config);
  experts.score_correction_bias = true;
  auto sparse = sparse_layers(config, "first_k_dense_replace", spec.layers.size());
  if (!sparse.empty() && !config.has("first_k_dense_replace") && !config.has("mlp_layer_types")) {
    sparse[0] = false;
  }
  place_experts(sparse, experts, spec);
  read_mtp(config, false, spec);
  spec.names.shared = "mlp.shared_mlp.";
  spec.names.router = "mlp.router.gate";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::hy_v3
