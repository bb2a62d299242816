#include "model/dialect.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::whisper {
namespace {

constexpr std::string_view kArchitectures[] = {"WhisperForConditionalGeneration"};
constexpr std::string_view kModelTypes[] = {"whisper"};

/// Source: transformers WhisperForConditionalGeneration. Keys have no bias; the head is the
/// embedding; both position tables are stored.
void read(json::Fields& config, ModelSpec& spec) {
  spec.hidden_size = config.require_whole({"d_model"}, kHiddenRange);
  spec.vocab_size = config.whole_or({"vocab_size"}, kVocabRange, 51865);
  spec.tie_word_embeddings = true;
  spec.final_norms = 2;
  const std::uint64_t layers = config.require_whole({"decoder_layers"}, kLayersRange);
  const std::uint64_t heads = config.require_whole({"decoder_attention_heads"}, kHeadsRange);
  if (config.error() || spec.hidden_size % heads != 0) {
    config.fail("bad_value", "decoder_attention_heads",
                "d_model must be a multiple of decoder_attention_heads.");
    return;
  }
  Layer layer;
  layer.attention.kind = AttentionKind::full;
  layer.attention.num_attention_heads = layer.attention.num_key_value_heads = heads;
  layer.attention.head_dim = layer.attention.v_head_dim = spec.hidden_size / heads;
  layer.attention.output_bias = true;
  layer.cross = layer.attention;
  layer.cross.kind = AttentionKind::cross;
  layer.feed_forward.intermediate_size = config.require_whole({"decoder_ffn_dim"}, kWidthRange);
  layer.feed_forward.gated = false;
  layer.feed_forward.bias = true;
  layer.norms = 6;
  // Biases of queries and values, twice.
  layer.extra.push_back(values(Part::attention, "qv_bias", 4 * spec.hidden_size, Split::column));
  spec.layers.assign(layers, layer);
  const std::uint64_t length = config.whole_or({"max_target_positions"}, {1, 1U << 20U}, 448);
  add_convolution(spec, Part::embedding, "model.decoder.embed_positions", spec.hidden_size, length,
                  false);
  add_whisper_encoder(config, Part::encoder, "model.encoder.layers.", true, spec);
  spec.encoder_tokens = config.whole_or({"max_source_positions"}, {1, 1U << 20U}, 1500);
  spec.max_position_embeddings = length;
  spec.names.layers = "model.decoder.layers.";
  spec.names.mlp = "";
  spec.names.up = "fc1";
  spec.names.down = "fc2";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::whisper
