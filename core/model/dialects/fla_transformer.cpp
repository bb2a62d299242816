#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::fla_transformer {
namespace {

constexpr std::string_view kArchitectures[] = {"TransformerForCausalLM"};
constexpr std::string_view kModelTypes[] = {"transformer"};

/// The plain transformer of flash-linear-attention: Llama with other keys. Where the width is
/// absent it is hidden_ratio times two thirds of hidden_size, rounded up to a multiple of 256.
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.output_bias = Bias::never;
  profile.mlp_bias = Bias::never;
  profile.qkv_bias_key = config.has("qkv_bias") ? "qkv_bias" : "attention_bias";
  profile.qk_norm = QkNorm::per_head;
  profile.qk_norm_key = "qk_norm";
  profile.windows = Windows::never;
  spec.hidden_size = config.require_whole({"hidden_size"}, kHiddenRange);
  spec.vocab_size = config.whole_or({"vocab_size"}, kVocabRange, 32000);
  spec.tie_word_embeddings = config.boolean_or({"tie_word_embeddings"}, false);
  const std::uint64_t layers = config.require_whole(keys::kLayers, kLayersRange);
  Layer layer;
  layer.attention = read_attention(config, profile, spec);
  const std::uint64_t ratio = config.whole_or({"hidden_ratio"}, {1, 64}, 4);
  layer.feed_forward.intermediate_size = config.whole_or(
      {"intermediate_size"}, kWidthRange, (spec.hidden_size * ratio * 2 / 3 + 255) / 256 * 256);
  if (config.error()) {
    return;
  }
  spec.layers.assign(layers, layer);
  apply_window_list(config, "window_size", spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::fla_transformer
