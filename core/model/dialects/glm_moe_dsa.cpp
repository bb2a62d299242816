#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/latent.hpp"

namespace ridgepoint::model::glm_moe_dsa {
namespace {

constexpr std::string_view kArchitectures[] = {"GlmMoeDsaForCausalLM"};
constexpr std::string_view kModelTypes[] = {"glm_moe_dsa"};

/// GLM-5: DeepSeek-V3.2's shape; its prediction module shares the model's embedding and head.
void read(json::Fields& config, ModelSpec& spec) {
  LatentProfile profile;
  profile.correction_bias = true;
  profile.mtp_copies = false;
  read_latent_decoder(config, profile, spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::glm_moe_dsa
