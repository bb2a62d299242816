#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/latent.hpp"

namespace ridgepoint::model::sarvam_mla {
namespace {

constexpr std::string_view kArchitectures[] = {"SarvamMLAForCausalLM"};
constexpr std::string_view kModelTypes[] = {"sarvam_mla", "sarvam_mla_moe"};

/// Sarvam-105B: latent attention, the expert keys of Bailing (vLLM 0.28 models/sarvam.py).
void read(json::Fields& config, ModelSpec& spec) {
  LatentProfile profile;
  profile.correction_bias = config.boolean_or({"moe_router_enable_expert_bias"}, true);
  read_latent_decoder(config, profile, spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::sarvam_mla
