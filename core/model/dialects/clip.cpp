#include "model/dialect.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::clip {
namespace {

constexpr std::string_view kArchitectures[] = {"CLIPModel", "SiglipModel"};
constexpr std::string_view kModelTypes[] = {"clip", "siglip"};

/// The text side is read as the model, the image side as its tower. Source: transformers CLIPModel,
/// SiglipModel.
void read_text(json::Fields& text, bool siglip, ModelSpec& spec) {
  spec.hidden_size = text.whole_or({"hidden_size"}, kHiddenRange, siglip ? 768 : 512);
  spec.vocab_size = text.whole_or({"vocab_size"}, kVocabRange, siglip ? 32000 : 49408);
  const std::uint64_t layers = text.whole_or({"num_hidden_layers"}, kLayersRange, 12);
  const std::uint64_t heads = text.whole_or({"num_attention_heads"}, kHeadsRange, siglip ? 12 : 8);
  const std::uint64_t length =
      text.whole_or({"max_position_embeddings"}, {1, 1U << 20U}, siglip ? 64 : 77);
  if (text.error() || spec.hidden_size % heads != 0) {
    text.fail("bad_value", "num_attention_heads",
              "hidden_size must be a multiple of num_attention_heads.");
    return;
  }
  Layer layer;
  layer.attention.kind = AttentionKind::bidirectional;
  layer.attention.num_attention_heads = layer.attention.num_key_value_heads = heads;
  layer.attention.head_dim = layer.attention.v_head_dim = spec.hidden_size / heads;
  layer.attention.qkv_bias = layer.attention.output_bias = true;
  layer.feed_forward.intermediate_size =
      text.whole_or({"intermediate_size"}, kWidthRange, siglip ? 3072 : 2048);
  layer.feed_forward.gated = false;
  layer.feed_forward.bias = true;
  layer.norms = 4;
  spec.layers.assign(layers, layer);
  spec.final_norms = 2;
  spec.max_position_embeddings = length;
  add_convolution(spec, Part::embedding, "text_model.embeddings.position_embedding",
                  spec.hidden_size, length, false);
}

void read(json::Fields& config, ModelSpec& spec) {
  const bool siglip = spec.architecture == "SiglipModel" || spec.model_type == "siglip";
  auto text = config.object("text_config");
  auto vision = config.object("vision_config");
  if (!text || !vision) {
    config.fail("missing_field", text ? "vision_config" : "text_config",
                "A model of text and images needs text_config and vision_config.");
    return;
  }
  spec.lm_head = false;
  spec.encoder_only = true;
  read_text(*text, siglip, spec);
  config.adopt(*text);
  const std::uint64_t hidden =
      add_vision_encoder(*vision, siglip ? "siglip_vision_model" : "clip_vision_model", spec);
  config.adopt(*vision);
  if (siglip) {
    add_linear(spec, Part::encoder, "text_model.head", spec.hidden_size, spec.hidden_size, true);
    add_values(spec, Part::encoder, "logit_scale", 2);
  } else {
    const std::uint64_t width = config.whole_or({"projection_dim"}, kHiddenRange, 512);
    add_linear(spec, Part::vision, "visual_projection", width, hidden, false);
    add_linear(spec, Part::encoder, "text_projection", width, spec.hidden_size, false);
    add_values(spec, Part::encoder, "logit_scale", 1);
  }
  spec.names.layers = "text_model.encoder.layers.";
  spec.notes.emplace_back("An encoder: nothing is cached from one token to the next.");
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::clip
