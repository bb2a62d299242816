#include <iterator>

#include "model/dialect.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::bart {
namespace {

constexpr std::string_view kArchitectures[] = {
    "BartForConditionalGeneration",
    "BartModel",
    "BartForSequenceClassification",
    "MBartForConditionalGeneration",
    "MBartModel",
    "M2M100ForConditionalGeneration",
    "MarianMTModel",
    "MarianModel",
    "PegasusForConditionalGeneration",
    "PegasusXForConditionalGeneration",
    "BlenderbotForConditionalGeneration",
};
constexpr std::string_view kModelTypes[] = {"bart",   "mbart",   "m2m_100",
                                            "marian", "pegasus", "blenderbot"};

/// How the members of BART's family differ: where positions come from and which norms there are.
/// Source: transformers, modeling_bart.py, _mbart.py, _m2m_100.py, _marian.py, _pegasus.py,
/// _blenderbot.py.
struct Variant {
  std::string_view name;
  std::uint64_t position_offset;  ///< rows that the learned table has beyond its length
  bool learned;                   ///< false: computed positions, which no checkpoint needs
  std::uint64_t norms;            ///< vectors of hidden outside the layers, each of both stacks
};
constexpr Variant kVariants[] = {
    {"mbart", 2, true, 4}, {"m2m", 0, false, 2},       {"marian", 0, false, 0},
    {"bart", 2, true, 2},  {"blenderbot", 0, true, 2}, {"pegasus", 0, false, 2},
};

const Variant& variant_of(std::string_view model_type, std::string_view architecture) {
  constexpr std::string_view kClasses[] = {"MBart", "M2M100",     "Marian",
                                           "Bart",  "Blenderbot", "Pegasus"};
  for (std::size_t i = 0; i < std::size(kVariants); ++i) {
    if (architecture.starts_with(kClasses[i]) ||
        (architecture.empty() && model_type.starts_with(kVariants[i].name))) {
      return kVariants[i];
    }
  }
  return kVariants[3];
}

Attention attention_of(std::uint64_t hidden, std::uint64_t heads) {
  Attention attention;
  attention.kind = AttentionKind::full;
  attention.num_attention_heads = attention.num_key_value_heads = heads;
  attention.head_dim = attention.v_head_dim = hidden / heads;
  attention.qkv_bias = attention.output_bias = true;
  return attention;
}

void read(json::Fields& config, ModelSpec& spec) {
  const Variant& variant = variant_of(spec.model_type, spec.architecture);
  spec.hidden_size = config.require_whole({"d_model"}, kHiddenRange);
  spec.vocab_size = config.require_whole({"vocab_size"}, kVocabRange);
  const std::uint64_t hidden = spec.hidden_size;
  const std::uint64_t layers = config.require_whole({"decoder_layers"}, kLayersRange);
  const std::uint64_t heads = config.require_whole({"decoder_attention_heads"}, kHeadsRange);
  const std::uint64_t length = config.whole_or({"max_position_embeddings"}, {1, 1U << 24U}, 1024);
  if (config.error()) {
    return;
  }
  if (hidden % heads != 0) {
    config.fail("bad_value", "decoder_attention_heads",
                "d_model must be a multiple of decoder_attention_heads.");
    return;
  }
  const bool shares = config.boolean_or({"share_encoder_decoder_embeddings"}, true);
  if (!shares) {
    config.fail("unknown_architecture", "share_encoder_decoder_embeddings",
                "Encoder and decoder with vocabularies of their own are not known to this "
                "version.");
    return;
  }
  spec.tie_word_embeddings = config.boolean_or({"tie_word_embeddings"}, true);
  spec.lm_head = !spec.architecture.ends_with("Model") || spec.architecture == "MarianMTModel";
  Layer layer;
  layer.attention = attention_of(hidden, heads);
  layer.cross = layer.attention;
  layer.cross.kind = AttentionKind::cross;
  layer.feed_forward.intermediate_size = config.require_whole({"decoder_ffn_dim"}, kWidthRange);
  layer.feed_forward.gated = false;
  layer.feed_forward.bias = true;
  layer.norms = 6;
  spec.layers.assign(layers, layer);
  spec.final_norms = variant.norms;
  Tower encoder;
  encoder.part = Part::encoder;
  encoder.prefix = "model.encoder.layers.";
  encoder.mlp = "";
  encoder.hidden = hidden;
  encoder.layers = config.require_whole({"encoder_layers"}, kLayersRange);
  encoder.width = config.require_whole({"encoder_ffn_dim"}, kWidthRange);
  if (variant.learned) {
    add_convolution(spec, Part::embedding, "model.decoder.embed_positions", hidden,
                    length + variant.position_offset, false);
    add_convolution(spec, Part::encoder, "model.encoder.embed_positions", hidden,
                    length + variant.position_offset, false);
  }
  if (variant.norms != 0) {
    add_values(spec, Part::encoder, "model.encoder.layer_norm", variant.norms * hidden);
  }
  add_tower(encoder, spec);
  if (spec.architecture.ends_with("ForSequenceClassification")) {
    spec.lm_head = false;
    add_linear(spec, Part::lm_head, "classification_head.dense", hidden, hidden, true);
    add_linear(spec, Part::lm_head, "classification_head.out_proj",
               config.whole_or({"num_labels"}, kWidthRange, 3), hidden, true);
  }
  spec.encoder_tokens = length;
  spec.names.layers = "model.decoder.layers.";
  spec.names.mlp = "";
  spec.names.up = "fc1";
  spec.names.down = "fc2";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::bart
