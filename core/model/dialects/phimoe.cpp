#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::phimoe {
namespace {

constexpr std::string_view kArchitectures[] = {"PhiMoEForCausalLM", "PhimoeForCausalLM"};
constexpr std::string_view kModelTypes[] = {"phimoe"};

/// Phi-3.5-MoE, Phi-mini-MoE: LayerNorms, and biases everywhere but in the experts.
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.norms = 4;
  profile.final_norms = 2;
  profile.lm_head_bias = config.boolean_or({"lm_head_bias"}, false);
  read_decoder(config, profile, spec);
  place_experts(std::vector<bool>(spec.layers.size(), true), read_mixture(config), spec);
  spec.names.router = "block_sparse_moe.gate";
  spec.names.experts = "block_sparse_moe.experts.0.";
  spec.names.gate = "w1";
  spec.names.up = "w3";
  spec.names.down = "w2";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::phimoe
