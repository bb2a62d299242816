#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"
#include "model/latent.hpp"

namespace ridgepoint::model::glm4_moe {
namespace {

constexpr std::string_view kArchitectures[] = {"Glm4MoeForCausalLM"};
constexpr std::string_view kModelTypes[] = {"glm4_moe", "glm4v_moe_text"};

/// GLM-4.5, 4.6, 4.7. Prediction modules of most checkpoints store embedding and head again; those
/// of GLM-4.6 do not, and no key tells.
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.output_bias = Bias::never;
  if (config.boolean_or({"use_qk_norm"}, false)) {
    profile.qk_norm = QkNorm::per_head;
  }
  read_decoder(config, profile, spec);
  FeedForward experts = read_mixture(config);
  experts.score_correction_bias = true;
  place_experts(sparse_layers(config, "first_k_dense_replace", spec.layers.size()), experts, spec);
  read_mtp(config, true, spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::glm4_moe
