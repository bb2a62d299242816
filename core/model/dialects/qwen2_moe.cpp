#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model {
namespace {

constexpr std::string_view kArchitectures[] = {"Qwen2MoeForCausalLM"};
constexpr std::string_view kModelTypes[] = {"qwen2_moe"};

void read(json::Fields& config, ModelSpec& spec) {
  DecoderDefaults defaults;
  defaults.qkv_bias = true;
  defaults.bias_from_config = false;
  defaults.uses_sliding_window = false;
  read_decoder(config, defaults, spec);
  FeedForward experts = read_experts(config, {"num_experts", "n_routed_experts"},
                                     {"num_experts_per_tok"}, {"moe_intermediate_size"});
  experts.shared_intermediate_size =
      config.require_whole({"shared_expert_intermediate_size"}, kWidthRange);
  experts.shared_expert_gate = true;
  if (!spec.layers.empty()) {
    const FeedForward dense = spec.layers.front().feed_forward;
    apply_sparse_step(config, dense, experts, spec);
  }
}

}  // namespace

extern const Dialect dialect_qwen2_moe;
const Dialect dialect_qwen2_moe = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model
