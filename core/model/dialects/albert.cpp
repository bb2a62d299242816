#include <string>

#include "model/dialect.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::albert {
namespace {

constexpr std::string_view kArchitectures[] = {"AlbertModel", "AlbertForMaskedLM",
                                               "AlbertForPreTraining"};
constexpr std::string_view kModelTypes[] = {"albert"};

/// Groups of layers that all layers share, and an embedding narrower than they are. Source:
/// transformers AlbertModel.
void read(json::Fields& config, ModelSpec& spec) {
  spec.hidden_size = config.require_whole({"hidden_size"}, kHiddenRange);
  spec.vocab_size = config.require_whole({"vocab_size"}, kVocabRange);
  spec.embedding_size = config.whole_or({"embedding_size"}, kHiddenRange, 128);
  const std::uint64_t layers = config.require_whole({"num_hidden_layers"}, kLayersRange);
  const std::uint64_t heads = config.require_whole({"num_attention_heads"}, kHeadsRange);
  const std::uint64_t width = config.require_whole({"intermediate_size"}, kWidthRange);
  const std::uint64_t groups = config.whole_or({"num_hidden_groups"}, kLayersRange, 1) *
                               config.whole_or({"inner_group_num"}, {1, 1000}, 1);
  if (config.error()) {
    return;
  }
  const std::uint64_t hidden = spec.hidden_size;
  if (hidden % heads != 0 || groups > kLayersRange.most) {
    config.fail("bad_value", "num_attention_heads",
                "hidden_size must be a multiple of num_attention_heads.");
    return;
  }
  Layer layer;
  layer.attention.kind = AttentionKind::bidirectional;
  layer.attention.num_attention_heads = layer.attention.num_key_value_heads = heads;
  layer.attention.head_dim = layer.attention.v_head_dim = hidden / heads;
  layer.attention.qkv_bias = layer.attention.output_bias = true;
  layer.feed_forward.intermediate_size = width;
  layer.feed_forward.gated = false;
  layer.feed_forward.bias = true;
  layer.norms = 4;
  spec.layers.assign(groups, layer);
  spec.final_norms = 0;
  const std::uint64_t rows = 2 + config.whole_or({"max_position_embeddings"}, {1, 1U << 24U}, 512) +
                             config.whole_or({"type_vocab_size"}, {0, 1U << 20U}, 2);
  add_convolution(spec, Part::embedding, "albert.embeddings", spec.embedding_size, rows, false);
  add_linear(spec, Part::embedding, "albert.encoder.embedding_hidden_mapping_in", hidden,
             spec.embedding_size, true);
  spec.encoder_only = true;
  spec.lm_head = spec.architecture != "AlbertModel";
  spec.tie_word_embeddings = true;
  spec.lm_head_bias = spec.lm_head;
  if (spec.lm_head) {
    add_linear(spec, Part::lm_head, "predictions.dense", spec.embedding_size, hidden, true);
    add_values(spec, Part::lm_head, "predictions.LayerNorm", 2 * spec.embedding_size);
  }
  if (spec.architecture != "AlbertForMaskedLM") {
    add_linear(spec, Part::dense_ffn, "albert.pooler", hidden, hidden, true);
  }
  spec.notes.push_back("Its " + std::to_string(layers) + " layers share the weights of " +
                       std::to_string(groups) +
                       ", counted once. An encoder: nothing is cached "
                       "from one token to the next.");
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::albert
