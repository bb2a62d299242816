#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::step3_text {
namespace {

constexpr std::string_view kArchitectures[] = {"Step3TextForCausalLM"};
constexpr std::string_view kModelTypes[] = {"step3_text"};

/// Step-3: one key/value head, and queries from a bottleneck all heads share (vLLM 0.28
/// models/step3_text.py).
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.head_dim = 256;
  profile.key_value_heads = 1;
  profile.qkv_bias = Bias::never;
  profile.output_bias = Bias::never;
  profile.windows = Windows::never;
  read_decoder(config, profile, spec);
  const std::uint64_t head_dim = spec.layers.empty() ? 1 : spec.layers.front().attention.head_dim;
  const std::uint64_t shared = config.whole_or({"share_q_dim"}, kHiddenRange, head_dim);
  for (Layer& layer : spec.layers) {
    if (layer.attention.num_key_value_heads != 1) {
      config.fail("unknown_architecture", "num_attention_groups",
                  "Step-3 attention with more than one key/value head is not known.");
      return;
    }
    layer.attention.q_lora_rank = shared;
  }
  FeedForward experts = read_mixture(config);
  experts.shared_intermediate_size =
      config.whole_or({"share_expert_dim"}, kOptionalWidthRange, experts.moe_intermediate_size);
  place_experts(step_mixtures(config, spec.layers.size()), experts, spec);
  spec.names.shared = "share_expert.";
  spec.names.experts = "moe.";
  spec.names.router = "moe.gate";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::step3_text
