#include <string>

#include "model/dialect.hpp"
#include "model/encoder.hpp"
#include "model/tower.hpp"
#include "wording.hpp"

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
  if (groups > kLayersRange.most) {
    config.fail("bad_value", "num_hidden_groups",
                "num_hidden_groups times inner_group_num makes more than 1000 layers.");
    return;
  }
  const Layer layer = bert_layer(config, hidden, heads, width);
  if (config.error()) {
    return;
  }
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
  spec.notes.push_back(worded({"Its ", layers, " layers share the weights of ", groups,
                               (", counted once. An encoder: nothing is cached "
                                "from one token to the next.")}));
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::albert
