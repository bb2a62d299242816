#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/latent.hpp"

namespace ridgepoint::model::deepseek_v1 {
namespace {

constexpr std::string_view kArchitectures[] = {"DeepseekForCausalLM"};
constexpr std::string_view kModelTypes[] = {"deepseek"};

/// DeepSeek MoE 16B: the mixtures of DeepSeek-V2 on ordinary heads.
void read(json::Fields& config, ModelSpec& spec) {
  LatentProfile profile;
  profile.latent = false;
  read_latent_decoder(config, profile, spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::deepseek_v1
