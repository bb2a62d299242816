#include "model/decoder.hpp"

#include <nlohmann/json.hpp>
#include <string>

namespace ridgepoint::model {

void read_sizes(json::Fields& config, const DecoderDefaults& defaults, ModelSpec& spec) {
  spec.hidden_size = config.require_whole({"hidden_size"}, kHiddenRange);
  spec.vocab_size = config.require_whole({"vocab_size"}, kVocabRange);
  const std::uint64_t layers = config.require_whole({"num_hidden_layers"}, kLayersRange);
  spec.tie_word_embeddings =
      config.boolean_or({"tie_word_embeddings"}, defaults.tie_word_embeddings);
  if (!config.error()) {
    spec.layers.assign(layers, Layer{});
  }
}

Attention read_attention(json::Fields& config, const DecoderDefaults& defaults,
                         const ModelSpec& spec) {
  Attention attention;
  attention.num_attention_heads = config.require_whole({"num_attention_heads"}, kHeadsRange);
  attention.num_key_value_heads =
      config.whole_or({"num_key_value_heads"}, kHeadsRange, attention.num_attention_heads);
  if (attention.num_attention_heads % attention.num_key_value_heads != 0) {
    config.fail("bad_value", "num_key_value_heads",
                "num_attention_heads (" + std::to_string(attention.num_attention_heads) +
                    ") must be a multiple of num_key_value_heads (" +
                    std::to_string(attention.num_key_value_heads) + ").");
  }
  std::uint64_t head_dim = config.whole_or({"head_dim"}, kHeadDimRange, defaults.head_dim);
  if (head_dim == 0) {
    if (spec.hidden_size % attention.num_attention_heads != 0) {
      config.fail("bad_value", "num_attention_heads",
                  "hidden_size (" + std::to_string(spec.hidden_size) +
                      ") is not divisible by num_attention_heads (" +
                      std::to_string(attention.num_attention_heads) +
                      ") and head_dim is not given.");
    }
    head_dim = spec.hidden_size / attention.num_attention_heads;
  }
  attention.head_dim = head_dim;
  attention.v_head_dim = head_dim;
  attention.qkv_bias = defaults.qkv_bias;
  attention.output_bias = defaults.output_bias;
  if (defaults.bias_from_config) {
    const bool bias = config.boolean_or({"attention_bias"}, false);
    attention.qkv_bias = attention.qkv_bias || bias;
    attention.output_bias = attention.output_bias || bias;
  }
  attention.qk_norm = defaults.qk_norm;
  return attention;
}

FeedForward read_dense(json::Fields& config, const DecoderDefaults& defaults) {
  FeedForward ffn;
  ffn.intermediate_size = config.require_whole({"intermediate_size"}, kWidthRange);
  ffn.bias = defaults.bias_from_config && config.boolean_or({"mlp_bias"}, false);
  return ffn;
}

void read_decoder(json::Fields& config, const DecoderDefaults& defaults, ModelSpec& spec) {
  read_sizes(config, defaults, spec);
  Layer layer;
  layer.attention = read_attention(config, defaults, spec);
  layer.feed_forward = read_dense(config, defaults);
  spec.layers.assign(spec.layers.size(), layer);
  apply_windows(config, defaults, spec);
}

void apply_windows(json::Fields& config, const DecoderDefaults& defaults, ModelSpec& spec) {
  if (!config.boolean_or({"use_sliding_window"}, defaults.uses_sliding_window)) {
    return;
  }
  const json::Value* types = config.array("layer_types");
  if (types == nullptr) {
    const std::uint64_t window = config.whole_or({"sliding_window"}, {0, 1ULL << 40U}, 0);
    for (Layer& layer : spec.layers) {
      if (window != 0) {
        layer.attention.kind = AttentionKind::sliding;
        layer.attention.window = window;
      }
    }
    return;
  }
  if (types->size() != spec.layers.size()) {
    config.fail("bad_value", "layer_types",
                "layer_types names " + std::to_string(types->size()) +
                    " layers, and num_hidden_layers is " + std::to_string(spec.layers.size()) +
                    ".");
    return;
  }
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    const json::Value& type = (*types)[i];
    const std::string name = type.is_string() ? type.get<std::string>() : std::string();
    if (name == "sliding_attention") {
      spec.layers[i].attention.kind = AttentionKind::sliding;
      spec.layers[i].attention.window = config.require_whole({"sliding_window"}, kLengthRange);
    } else if (name != "full_attention" && name != "attention") {
      config.fail("unknown_architecture", "layer_types",
                  "The layer type \"" + json::excerpt(name, 40) +
                      "\" is not known to this architecture's reader.");
      return;
    }
  }
}

}  // namespace ridgepoint::model
