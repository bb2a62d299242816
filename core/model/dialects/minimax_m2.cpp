#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::minimax_m2 {
namespace {

constexpr std::string_view kArchitectures[] = {"MiniMaxM2ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"minimax_m2"};

/// MiniMax-M2. Prediction modules that the config counts are in no published checkpoint.
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.qkv_bias = Bias::never;
  profile.output_bias = Bias::never;
  profile.windows = Windows::never;
  if (config.boolean_or({"use_qk_norm"}, true)) {
    profile.qk_norm = config.text({"qk_norm_type"}).value_or("per_layer") == "per_head"
                          ? QkNorm::per_head
                          : QkNorm::full_width;
  }
  read_decoder(config, profile, spec);
  for (const std::uint64_t kind :
       read_per_layer(config, "attn_type_list", spec.layers.size(), {0, 1})) {
    if (kind == 0) {
      config.fail("unknown_architecture", "attn_type_list",
                  "attn_type_list names layers of linear attention, which MiniMax-M2 has not: such "
                  "a model is MiniMaxM1ForCausalLM or MiniMaxText01ForCausalLM.");
      return;
    }
  }
  FeedForward experts = read_mixture(config);
  experts.score_correction_bias = config.boolean_or({"use_routing_bias"}, true);
  place_experts(std::vector<bool>(spec.layers.size(), true), experts, spec);
  spec.names.router = "block_sparse_moe.gate";
  spec.names.experts = "block_sparse_moe.experts.0.";
  spec.names.gate = "w1";
  spec.names.up = "w3";
  spec.names.down = "w2";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::minimax_m2
