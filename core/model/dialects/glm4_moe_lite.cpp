#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/latent.hpp"

namespace ridgepoint::model::glm4_moe_lite {
namespace {

constexpr std::string_view kArchitectures[] = {"Glm4MoeLiteForCausalLM"};
constexpr std::string_view kModelTypes[] = {"glm4_moe_lite"};

/// GLM-4.7-Flash.
void read(json::Fields& config, ModelSpec& spec) {
  LatentProfile profile;
  profile.correction_bias = true;
  read_latent_decoder(config, profile, spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::glm4_moe_lite
