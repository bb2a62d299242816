#include <string>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"
#include "model/mixers.hpp"
#include "wording.hpp"

namespace ridgepoint::model::lfm2 {
namespace {

constexpr std::string_view kArchitectures[] = {"Lfm2ForCausalLM", "Lfm2Model", "Lfm2MoeForCausalLM",
                                               "Lfm2MoeModel"};
constexpr std::string_view kModelTypes[] = {"lfm2", "lfm2_moe"};
constexpr std::uint64_t kMostMultiple = 1U << 16U;

/// The dense width: two thirds of what the config says, times a factor, rounded up to a multiple
/// (transformers Lfm2MLP).
std::uint64_t adjusted_width(json::Fields& config) {
  std::uint64_t width = config.require_whole({"block_ff_dim", "intermediate_size"}, kWidthRange);
  if (!config.boolean_or({"block_auto_adjust_ff_dim"}, true)) {
    return width;
  }
  width = 2 * width / 3;
  if (const auto factor = config.number({"block_ffn_dim_multiplier"}, 0.0, 1024.0)) {
    width = static_cast<std::uint64_t>(*factor * static_cast<double>(width));
  }
  const std::uint64_t multiple = config.whole_or({"block_multiple_of"}, {1, kMostMultiple}, 256);
  return (width + multiple - 1) / multiple * multiple;
}

FeedForward read_mixture(json::Fields& config) {
  FeedForward experts =
      read_experts(config, {"num_experts"}, {"num_experts_per_tok"}, {"moe_intermediate_size"});
  experts.score_correction_bias = config.boolean_or({"use_expert_bias"}, true);
  return experts;
}

/// Which layers have attention, by `layer_types` or the older `full_attn_idxs`.
std::vector<bool> attending(json::Fields& config, std::size_t layers) {
  const auto names = read_names(config, "layer_types", layers);
  if (names.empty()) {
    return read_layer_set(config, "full_attn_idxs", layers);
  }
  std::vector<bool> full(layers, false);
  for (std::size_t i = 0; i < layers; ++i) {
    full[i] = names[i] == "full_attention";
    if (!full[i] && names[i] != "conv" && names[i] != "short_conv") {
      config.fail("unknown_architecture", "layer_types",
                  worded({"The layer type \"", json::excerpt(names[i], 40),
                          "\" is not known to this architecture's reader."}));
    }
  }
  return full;
}

void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.key_value_heads = 8;
  profile.qkv_bias = Bias::never;
  profile.output_bias = Bias::never;
  profile.qk_norm = QkNorm::per_head;
  read_sizes(config, profile, spec);
  spec.tie_word_embeddings =
      config.boolean_or({"tie_word_embeddings", "tie_embedding"}, spec.tie_word_embeddings);
  if (config.whole_or({"conv_dim"}, kWidthRange, spec.hidden_size) != spec.hidden_size) {
    config.fail("unknown_architecture", "conv_dim",
                "A convolution of another width than hidden_size is not known to this reader.");
  }
  const bool moe = config.has("num_experts") || config.has("moe_intermediate_size");
  Layer full;
  full.attention = read_attention(config, profile, spec);
  FeedForward dense;
  dense.intermediate_size =
      moe ? config.require_whole({"intermediate_size"}, kWidthRange) : adjusted_width(config);
  State state;
  state.kind = StateKind::short_conv;
  state.inner_size = spec.hidden_size;
  state.conv_kernel = config.whole_or({"conv_L_cache"}, {1, 1024}, 3);
  state.conv_bias = config.boolean_or({"conv_bias"}, false);
  state.projection_bias = state.conv_bias;
  const auto attends = attending(config, spec.layers.size());
  if (attends.empty() && !config.error()) {
    config.fail("missing_field", "layer_types",
                "layer_types (or full_attn_idxs) is missing: it says which layers have attention.");
    return;
  }
  const FeedForward experts = moe ? read_mixture(config) : dense;
  const std::uint64_t first = moe ? config.whole_or({"num_dense_layers"}, {0, 1000}, 2) : 0;
  for (std::size_t i = 0; i < spec.layers.size() && i < attends.size(); ++i) {
    spec.layers[i] = attends[i] ? full : state_layer(state, {}, 2);
    spec.layers[i].feed_forward = i < first ? dense : experts;
  }
  spec.names.state = "conv.";
  spec.names.mlp = "feed_forward.";
  spec.names.router = "feed_forward.gate";
  spec.names.experts = "feed_forward.experts.0.";
  spec.names.gate = "w1";
  spec.names.up = "w3";
  spec.names.down = "w2";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read, nullptr, true};

}  // namespace ridgepoint::model::lfm2
