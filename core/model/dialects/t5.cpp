#include <string>

#include "model/dialect.hpp"
#include "model/tower.hpp"
#include "wording.hpp"

namespace ridgepoint::model::t5 {
namespace {

constexpr std::string_view kArchitectures[] = {
    "T5ForConditionalGeneration",
    "T5Model",
    "T5EncoderModel",
    "MT5ForConditionalGeneration",
    "MT5EncoderModel",
    "UMT5ForConditionalGeneration",
    "UMT5EncoderModel",
    "LongT5ForConditionalGeneration",
    "T5WithLMHeadModel",
};
constexpr std::string_view kModelTypes[] = {"t5", "mt5", "umt5"};

/// Source: transformers T5Config, MT5Config, UMT5Config and their modules: no biases, one vector a
/// norm, a table of relative positions in the first layer of each stack, in UMT5 in every layer.
void read(json::Fields& config, ModelSpec& spec) {
  const std::string_view name =
      spec.architecture.empty() ? std::string_view(spec.model_type) : spec.architecture;
  if (name.starts_with("LongT5")) {
    config.fail("unknown_architecture", "architectures",
                "LongT5's local and global attention is not known to this version.");
    return;
  }
  const bool umt5 = name.starts_with("UMT5") || name == "umt5";
  const bool encoder_only = name.ends_with("EncoderModel");
  spec.hidden_size = config.require_whole({"d_model"}, kHiddenRange);
  spec.vocab_size = config.require_whole({"vocab_size"}, kVocabRange);
  const std::uint64_t hidden = spec.hidden_size;
  const std::uint64_t heads = config.require_whole({"num_heads"}, kHeadsRange);
  const std::uint64_t head_dim = config.whole_or({"d_kv"}, kHeadDimRange, 64);
  const std::uint64_t encoder_layers = config.require_whole({"num_layers"}, kLayersRange);
  const std::uint64_t layers =
      config.whole_or({"num_decoder_layers"}, kLayersRange, encoder_layers);
  const std::uint64_t buckets =
      config.whole_or({"relative_attention_num_buckets"}, {1, 1U << 20U}, 32);
  const bool modern = umt5 || name.starts_with("MT5") || name == "mt5";
  const auto projection = config.text({"feed_forward_proj"});
  if (!projection && !config.has("is_gated_act") && !modern) {
    spec.confidence = Confidence::assumed;
    spec.notes.emplace_back(
        "feed_forward_proj is absent: T5's own feed-forward of two matrices was assumed, where "
        "Flan-T5 and T5 1.1 have three.");
  }
  spec.tie_word_embeddings = config.boolean_or({"tie_word_embeddings"}, true);
  Layer layer;
  layer.attention.kind = AttentionKind::full;
  layer.attention.num_attention_heads = layer.attention.num_key_value_heads = heads;
  layer.attention.head_dim = layer.attention.v_head_dim = head_dim;
  layer.feed_forward.intermediate_size = config.require_whole({"d_ff"}, kWidthRange);
  layer.feed_forward.gated =
      projection ? projection->starts_with("gated") : config.boolean_or({"is_gated_act"}, modern);
  layer.norms = 2;
  if (config.error()) {
    return;
  }
  const std::uint64_t tables = buckets * heads;
  if (umt5) {
    layer.extra.push_back(
        values(Part::attention, "relative_attention_bias", tables, Split::column));
  }
  spec.names.attention = "layer.0.SelfAttention.";
  spec.names.mlp = "layer.1.DenseReluDense.";
  spec.names.gate = "wi_0";
  spec.names.up = layer.feed_forward.gated ? "wi_1" : "wi";
  spec.names.down = "wo";
  if (encoder_only) {
    layer.attention.kind = AttentionKind::bidirectional;
    spec.layers.assign(encoder_layers, layer);
    spec.names.layers = "encoder.block.";
    spec.lm_head = false;
    spec.encoder_only = true;
    spec.notes.emplace_back("An encoder alone: nothing is cached from one token to the next.");
    if (!umt5) {
      add_values(spec, Part::attention, "encoder.block.0.relative_attention_bias", tables);
    }
    return;
  }
  layer.cross = layer.attention;
  layer.cross.kind = AttentionKind::cross;
  layer.norms = 3;
  spec.layers.assign(layers, layer);
  spec.names.layers = "decoder.block.";
  spec.lm_head = name != "T5Model";
  Tower encoder;
  encoder.part = Part::encoder;
  encoder.prefix = "encoder.block.";
  encoder.attention = "layer.0.SelfAttention.";
  encoder.mlp = "layer.1.DenseReluDense.";
  encoder.layers = encoder_layers;
  encoder.hidden = hidden;
  encoder.width = layer.feed_forward.intermediate_size;
  encoder.attention_width = heads * head_dim;
  encoder.gated = layer.feed_forward.gated;
  encoder.qkv_bias = encoder.output_bias = encoder.mlp_bias = false;
  encoder.norms = 2;
  encoder.rest = umt5 ? tables : 0;
  add_tower(encoder, spec);
  add_values(spec, Part::encoder, "encoder.final_layer_norm", hidden);
  if (!umt5) {
    add_values(spec, Part::encoder, "encoder.block.0.relative_attention_bias", tables);
    add_values(spec, Part::attention, "decoder.block.0.relative_attention_bias", tables);
  }
  spec.encoder_tokens = config.whole_or({"n_positions"}, {1, 1U << 20U}, 512);
  spec.notes.emplace_back(worded(
      {"Relative positions set no limit to the input; keys and values of the encoder's output are "
       "counted for ",
       spec.encoder_tokens, " tokens, the length it was trained with."}));
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::t5
