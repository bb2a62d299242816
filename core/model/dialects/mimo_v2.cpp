#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::mimo_v2 {
namespace {

constexpr std::string_view kArchitectures[] = {"MiMoV2FlashForCausalLM", "MiMoV2ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"mimo_v2_flash", "mimo_v2"};

/// MiMo-V2: layers that hybrid_layer_pattern marks see a window, have heads of their own number,
/// and sinks. Source: vLLM 0.28 models/mimo_v2.py.
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.output_bias = Bias::never;
  profile.windows = Windows::never;
  read_decoder(config, profile, spec);
  if (spec.layers.empty()) {
    return;
  }
  Attention full = spec.layers.front().attention;
  Attention sliding = full;
  full.v_head_dim = config.whole_or({"v_head_dim"}, kHeadDimRange, full.head_dim);
  full.sinks = config.boolean_or({"add_full_attention_sink_bias"}, false);
  sliding.kind = AttentionKind::sliding;
  sliding.num_attention_heads =
      config.whole_or({"swa_num_attention_heads"}, kHeadsRange, full.num_attention_heads);
  sliding.num_key_value_heads =
      config.whole_or({"swa_num_key_value_heads"}, kHeadsRange, full.num_key_value_heads);
  sliding.head_dim = config.whole_or({"swa_head_dim"}, kHeadDimRange, full.head_dim);
  sliding.v_head_dim = config.whole_or({"swa_v_head_dim"}, kHeadDimRange, full.v_head_dim);
  sliding.sinks = config.boolean_or({"add_swa_attention_sink_bias"}, false);
  if (sliding.num_attention_heads % sliding.num_key_value_heads != 0) {
    config.fail("bad_value", "swa_num_key_value_heads",
                "swa_num_attention_heads must be a multiple of swa_num_key_value_heads.");
    return;
  }
  const auto pattern = read_per_layer(config, "hybrid_layer_pattern", spec.layers.size(), {0, 1});
  if (pattern.empty()) {
    config.fail("missing_field", "hybrid_layer_pattern",
                "hybrid_layer_pattern, which says what layers have a window, is missing.");
    return;
  }
  sliding.window = config.require_whole({"sliding_window_size", "sliding_window"}, kLengthRange);
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    spec.layers[i].attention = pattern[i] == 1 ? sliding : full;
  }
  FeedForward experts = read_mixture(config);
  experts.score_correction_bias = true;
  place_experts(sparse_from(config, "first_k_dense_replace", "moe_layer_freq", spec.layers.size()),
                experts, spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::mimo_v2
