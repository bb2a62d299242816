#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::olmoe {
namespace {

constexpr std::string_view kArchitectures[] = {"OlmoeForCausalLM", "FlexOlmoForCausalLM"};
constexpr std::string_view kModelTypes[] = {"olmoe", "flex_olmo"};

/// OLMoE and FlexOlmo: every layer a mixture, norms over whole queries and keys. FlexOlmo's block
/// norms come after the blocks, and are as many.
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.qk_norm = QkNorm::full_width;
  profile.windows = Windows::never;
  read_decoder(config, profile, spec);
  place_experts(std::vector<bool>(spec.layers.size(), true), read_mixture(config), spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::olmoe
