#include <nlohmann/json.hpp>

#include "model/dialect.hpp"
#include "model/encoder.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::bert {
namespace {

constexpr std::string_view kArchitectures[] = {
    "BertModel",
    "BertForMaskedLM",
    "BertForPreTraining",
    "BertForSequenceClassification",
    "BertForTokenClassification",
    "RobertaModel",
    "RobertaForMaskedLM",
    "RobertaForSequenceClassification",
    "XLMRobertaModel",
    "XLMRobertaForMaskedLM",
    "XLMRobertaForSequenceClassification",
    "CamembertModel",
    "DistilBertModel",
    "DistilBertForMaskedLM",
    "DistilBertForSequenceClassification",
    "MPNetModel",
    "MPNetForMaskedLM",
    "ElectraModel",
    "NomicBertModel",
    "NewModel",
    "GteModel",
    "DebertaV2Model",
    "DebertaV2ForSequenceClassification",
    "ModernBertModel",
    "ModernBertForMaskedLM",
    "ModernBertForSequenceClassification",
};
constexpr std::string_view kModelTypes[] = {"bert",  "roberta",    "xlm-roberta", "camembert",
                                            "mpnet", "distilbert", "nomic_bert",  "modernbert",
                                            "new",   "deberta-v2", "gte"};

constexpr std::string_view kHidden[] = {"hidden_size", "dim", "n_embd"};
constexpr std::string_view kLayerKeys[] = {"num_hidden_layers", "n_layers", "n_layer"};
constexpr std::string_view kHeadKeys[] = {"num_attention_heads", "n_heads", "n_head"};
constexpr std::string_view kWidthKeys[] = {"intermediate_size", "hidden_dim", "n_inner"};

struct Head {
  ModelSpec& spec;
  std::uint64_t hidden;
  bool bias = true;

  void dense(std::string_view name) const {
    add_linear(spec, Part::lm_head, name, hidden, hidden, bias);
  }
};

/// What the class puts on top. Source: transformers, modeling_bert.py, modeling_roberta.py,
/// modeling_distilbert.py, modeling_modernbert.py.
void add_head(json::Fields& config, std::string_view name, ModelSpec& spec) {
  const Head head{spec, spec.hidden_size, !name.starts_with("ModernBert")};
  const bool roberta = name.find("oberta") != std::string_view::npos;
  const bool distil = name.starts_with("Distil");
  if (name.ends_with("ForMaskedLM") || name.ends_with("ForPreTraining")) {
    spec.lm_head = true;
    spec.tie_word_embeddings = true;
    spec.lm_head_bias = true;
    head.dense("lm_head.dense");
    add_values(spec, Part::lm_head, "lm_head.layer_norm", (head.bias ? 2 : 1) * spec.hidden_size);
    return;
  }
  if (name.ends_with("Classification")) {
    const std::uint64_t labels = config.whole_or(
        {"num_labels"}, kWidthRange, config.has("id2label") ? config.find("id2label")->size() : 2);
    const bool token = name.ends_with("TokenClassification");
    if (!token && (roberta || distil || !head.bias)) {
      head.dense("classifier.dense");
    }
    if (!head.bias) {
      add_values(spec, Part::lm_head, "head.norm", spec.hidden_size);
    }
    add_linear(spec, Part::lm_head, "classifier.out_proj", labels, spec.hidden_size, true);
  }
}

/// The vector that sums up a text: a linear layer over the first token's.
bool has_pooler(std::string_view name) {
  const bool bert = name.starts_with("Bert") || name == "bert";
  for (const std::string_view without : {"Distil", "Electra", "Modern", "modern", "Nomic", "nomic",
                                         "New", "new", "Gte", "gte", "DebertaV2Model", "deberta"}) {
    if (name.starts_with(without)) {
      return false;
    }
  }
  return name.ends_with("Model") || name.ends_with("ForPreTraining") ||
         ((bert || name.starts_with("Deberta")) && name.ends_with("SequenceClassification")) ||
         name.find("For") == std::string_view::npos;
}

void read_nomic(json::Fields& config, Layer& layer) {
  layer.feed_forward.gated =
      config.text({"activation_function"}).value_or("swiglu").find("glu") != std::string_view::npos;
  layer.feed_forward.bias = config.boolean_or({"mlp_fc1_bias"}, false);
  layer.attention.qkv_bias = layer.attention.output_bias =
      config.boolean_or({"qkv_proj_bias"}, false);
}

/// ModernBERT: rotary positions, a gated feed-forward, norms without biases, and the first layer's
/// attention without one.
void read_modern(json::Fields& config, Layer& layer, ModelSpec& spec) {
  layer.feed_forward.gated = true;
  layer.feed_forward.bias = config.boolean_or({"mlp_bias"}, false);
  layer.attention.qkv_bias = layer.attention.output_bias =
      config.boolean_or({"attention_bias"}, false);
  if (config.boolean_or({"norm_bias"}, false)) {
    config.fail("unknown_architecture", "norm_bias",
                "ModernBERT with biases in its norms is not known to this version.");
  }
  layer.norms = 2;
  spec.final_norms = 1;
}

/// GTE's encoders: rotary positions and a gated feed-forward whose last matrix alone has a bias.
void read_gte(Layer& layer, std::uint64_t hidden) {
  layer.feed_forward.gated = true;
  layer.feed_forward.bias = false;
  layer.extra.push_back(values(Part::dense_ffn, "mlp.down_proj", hidden));
}

/// DeBERTa: one table of relative positions that all layers project with their own keys and
/// queries. Source: transformers DebertaV2Encoder.
void add_relative(json::Fields& config, std::uint64_t hidden, ModelSpec& spec) {
  if (!config.boolean_or({"relative_attention"}, false)) {
    return;
  }
  if (!config.boolean_or({"share_att_key"}, false)) {
    config.fail("unknown_architecture", "share_att_key",
                "DeBERTa with projections of its positions is not known to this version.");
    return;
  }
  const std::uint64_t buckets =
      config.whole_or({"position_buckets"}, {1, 1U << 20U},
                      config.whole_or({"max_position_embeddings"}, {1, 1U << 20U}, 512));
  add_convolution(spec, Part::attention, "encoder.rel_embeddings", hidden, 2 * buckets, false);
  if (config.text({"norm_rel_ebd"}).value_or("none").find("layer_norm") != std::string_view::npos) {
    add_values(spec, Part::norms, "encoder.LayerNorm", 2 * hidden);
  }
  if (const std::uint64_t kernel = config.whole_or({"conv_kernel_size"}, {0, 1024}, 0);
      kernel != 0) {
    add_convolution(spec, Part::dense_ffn, "encoder.conv", hidden, kernel * hidden, true);
    add_values(spec, Part::norms, "encoder.conv.LayerNorm", 2 * hidden);
  }
}

void read(json::Fields& config, ModelSpec& spec) {
  const std::string_view name =
      spec.architecture.empty() ? std::string_view(spec.model_type) : spec.architecture;
  const bool modern = name.starts_with("ModernBert") || name == "modernbert";
  const bool nomic = name.starts_with("NomicBert") || name == "nomic_bert";
  const bool distil = name.starts_with("Distil") || name == "distilbert";
  const bool gte =
      name.starts_with("New") || name.starts_with("Gte") || name == "new" || name == "gte";
  const bool deberta = name.starts_with("Deberta") || name == "deberta-v2";
  const bool mpnet = name.starts_with("MPNet") || name == "mpnet";
  spec.hidden_size = config.require_whole(kHidden, kHiddenRange);
  spec.vocab_size = config.require_whole({"vocab_size"}, kVocabRange);
  const std::uint64_t layers = config.require_whole(kLayerKeys, kLayersRange);
  const std::uint64_t heads = config.require_whole(kHeadKeys, kHeadsRange);
  const std::uint64_t width = config.require_whole(kWidthKeys, kWidthRange);
  if (config.error()) {
    return;
  }
  const std::uint64_t hidden = spec.hidden_size;
  if (const auto embedding = config.whole({"embedding_size"}, kHiddenRange);
      embedding && *embedding != hidden) {
    config.fail("unknown_architecture", "embedding_size",
                "An embedding narrower than the layers is not known to this version.");
    return;
  }
  Layer layer = bert_layer(config, hidden, heads, width);
  if (config.error()) {
    return;
  }
  spec.final_norms = 0;
  if (modern) {
    read_modern(config, layer, spec);
  } else if (nomic) {
    read_nomic(config, layer);
  } else if (gte) {
    read_gte(layer, hidden);
  }
  spec.layers.assign(layers, layer);
  if (modern) {
    spec.layers.front().norms = 1;
  }
  std::uint64_t rows = modern ? 1 : 2;  // the norm over the embeddings
  const bool rotary =
      config.text({"position_embedding_type"}).value_or("") == (gte ? "rope" : "rotary");
  if (!modern && !nomic && !rotary &&
      (!deberta || config.boolean_or({"position_biased_input"}, true))) {
    rows += config.whole_or({"max_position_embeddings", "n_positions"}, {1, 1U << 24U}, 512);
  }
  if (!modern && !distil && !mpnet) {
    rows += config.whole_or({"type_vocab_size"}, {0, 1U << 20U}, deberta || gte ? 0 : 2);
  }
  add_convolution(spec, Part::embedding, "embeddings", hidden, rows, false);
  if (mpnet) {
    add_values(spec, Part::attention, "encoder.relative_attention_bias",
               heads * config.whole_or({"relative_attention_num_buckets"}, {1, 1U << 20U}, 32));
  }
  if (deberta) {
    add_relative(config, hidden, spec);
  }
  spec.lm_head = false;
  spec.encoder_only = true;
  if (has_pooler(name)) {
    add_linear(spec, Part::dense_ffn, "pooler.dense", hidden, hidden, true);
  }
  add_head(config, name, spec);
  spec.names.layers = distil ? "transformer.layer." : (modern ? "layers." : "encoder.layer.");
  spec.names.attention = "attention.";
  spec.names.mlp = "";
  spec.notes.emplace_back("An encoder: nothing is cached from one token to the next.");
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::bert
