#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::qwen2_moe {
namespace {

constexpr std::string_view kArchitectures[] = {
    "Qwen2MoeForCausalLM", "Qwen2MoeForSequenceClassification", "Qwen2MoeForTokenClassification"};
constexpr std::string_view kModelTypes[] = {"qwen2_moe"};

void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.qkv_bias = Bias::always;
  profile.output_bias = Bias::never;
  profile.mlp_bias = Bias::never;
  profile.uses_sliding_window = false;
  read_decoder(config, profile, spec);
  FeedForward experts = read_experts(config, {"num_experts", "n_routed_experts"},
                                     {"num_experts_per_tok"}, {"moe_intermediate_size"});
  experts.shared_intermediate_size =
      config.require_whole({"shared_expert_intermediate_size"}, kWidthRange);
  experts.shared_expert_gate = true;
  spec.names.shared = "mlp.shared_expert.";
  if (!spec.layers.empty()) {
    const FeedForward dense = spec.layers.front().feed_forward;
    apply_sparse_step(config, dense, experts, spec);
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::qwen2_moe
