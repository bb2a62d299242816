#include <string>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/mixers.hpp"

namespace ridgepoint::model::zamba2 {
namespace {

constexpr std::string_view kArchitectures[] = {"Zamba2ForCausalLM", "Zamba2Model",
                                               "Zamba2ForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"zamba2"};

/// The transformer blocks that several layers use, and what each such layer adds of its own.
/// Blocks read the hidden state beside the embedding: twice hidden_size (transformers
/// Zamba2HybridLayer).
struct SharedBlock {
  std::uint64_t hidden;
  std::uint64_t heads;     ///< width of the queries
  std::uint64_t kv_heads;  ///< number
  std::uint64_t kv;        ///< width of the keys
  std::uint64_t width;
  std::uint64_t rank;
  bool mlp_adapter;
  bool attention_adapter;

  static void add(Layer& layer, Part part, Split split, std::string_view block,
                  std::string_view module, std::uint64_t rows, std::uint64_t cols) {
    Tensor tensor = matrix(part, split, module, rows, cols);
    tensor.block = block;
    layer.extra.push_back(tensor);
  }

  void add_block(Layer& layer) const {
    constexpr std::string_view kAttention = "shared_transformer.self_attn.";
    constexpr std::string_view kMlp = "shared_transformer.feed_forward.";
    add(layer, Part::attention, Split::column, kAttention, "q_proj", heads, 2 * hidden);
    for (const std::string_view module : {"k_proj", "v_proj"}) {
      add(layer, Part::attention, Split::key_value, kAttention, module, kv, 2 * hidden);
      layer.extra.back().heads = kv_heads;
    }
    add(layer, Part::attention, Split::row, kAttention, "o_proj", hidden, heads);
    add(layer, Part::dense_ffn, Split::column, kMlp, "gate_up_proj", 2 * width, hidden);
    add(layer, Part::dense_ffn, Split::row, kMlp, "down_proj", hidden, width);
    layer.extra.push_back(values(Part::norms, "", 3 * hidden));
  }

  void add_own(Layer& layer) const {
    add(layer, Part::attention, Split::replicated, "", "linear", hidden, hidden);
    if (mlp_adapter) {
      add(layer, Part::dense_ffn, Split::column, "", "gate_up_proj_adapter_list", rank, hidden);
      add(layer, Part::dense_ffn, Split::column, "", "gate_up_proj_adapter_list", 2 * width, rank);
    }
    for (int i = 0; attention_adapter && i < 3; ++i) {
      add(layer, Part::attention, Split::column, "", "linear_adapter_list", rank, 2 * hidden);
      add(layer, Part::attention, Split::column, "", "linear_adapter_list", 2 * hidden, rank);
    }
  }
};

/// Zyphra's first configs name some keys otherwise than transformers' Zamba2Config.
SharedBlock read_block(json::Fields& config, const Attention& a, const ModelSpec& spec) {
  SharedBlock block{};
  block.hidden = spec.hidden_size;
  block.heads = a.num_attention_heads * a.head_dim;
  block.kv_heads = a.num_key_value_heads;
  block.kv = a.num_key_value_heads * a.head_dim;
  block.width =
      config.whole_or({"intermediate_size", "ffn_hidden_size"}, kWidthRange, 4 * spec.hidden_size);
  block.rank = config.whole_or({"adapter_rank", "lora_rank"}, kWidthRange, 128);
  block.mlp_adapter = config.boolean_or({"use_shared_mlp_adapter", "use_shared_block_lora"}, true);
  block.attention_adapter =
      config.boolean_or({"use_shared_attention_adapter", "use_shared_attention_lora"}, false);
  return block;
}

Attention read_shared_attention(json::Fields& config, const ModelSpec& spec) {
  Attention a;
  a.kind = AttentionKind::full;
  a.weights_apart = true;
  a.num_attention_heads = config.require_whole({"num_attention_heads"}, kHeadsRange);
  a.num_key_value_heads = config.whole_or({"num_key_value_heads", "num_query_groups"}, kHeadsRange,
                                          a.num_attention_heads);
  a.head_dim = config.whole_or({"attention_head_dim"}, kHeadDimRange,
                               2 * spec.hidden_size / a.num_attention_heads);
  a.v_head_dim = a.head_dim;
  if (a.head_dim == 0) {
    config.fail("bad_value", "num_attention_heads",
                "num_attention_heads exceeds twice the hidden_size.");
  }
  return a;
}

std::vector<bool> hybrid_layers(json::Fields& config, std::size_t layers) {
  const auto names = read_names(config, "layers_block_type", layers);
  if (names.empty()) {
    return read_layer_set(config, "hybrid_layer_ids", layers);
  }
  std::vector<bool> hybrid(layers, false);
  for (std::size_t i = 0; i < layers; ++i) {
    hybrid[i] = names[i] == "hybrid" || names[i] == "g";
  }
  return hybrid;
}

void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  read_sizes(config, profile, spec);
  State state = read_mamba2(
      config,
      {"mamba_headdim", expanded(config, {"mamba_expand", "expansion_factor"}, spec), 0, 1, 64});
  if (config.boolean_or({"add_bias_linear"}, false)) {
    config.fail("unknown_architecture", "add_bias_linear",
                "Zamba2 with biases is not known to this reader.");
  }
  const Attention attention = read_shared_attention(config, spec);
  const SharedBlock block = read_block(config, attention, spec);
  const std::uint64_t blocks = config.whole_or({"num_mem_blocks"}, kLayersRange, 1);
  const auto hybrid = hybrid_layers(config, spec.layers.size());
  if (hybrid.empty() && !config.error()) {
    config.fail("missing_field", "layers_block_type",
                "layers_block_type (or hybrid_layer_ids) is missing: it says which layers have "
                "attention.");
    return;
  }
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < spec.layers.size() && i < hybrid.size(); ++i) {
    Layer& layer = spec.layers[i];
    layer = state_layer(state, {}, 1);
    if (!hybrid[i]) {
      continue;
    }
    layer.attention = attention;
    if (seen++ < blocks) {
      block.add_block(layer);
    }
    block.add_own(layer);
  }
  spec.names.state = "mamba.";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read, nullptr, true};

}  // namespace ridgepoint::model::zamba2
