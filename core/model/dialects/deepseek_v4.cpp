#include <string>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"
#include "model/latent.hpp"
#include "wording.hpp"

namespace ridgepoint::model::deepseek_v4 {
namespace {

constexpr std::string_view kArchitectures[] = {"DeepseekV4ForCausalLM", "DeepseekXYZForCausalLM"};
constexpr std::string_view kModelTypes[] = {"deepseek_v4", "deepseek_ref"};
/// Windows of this ratio overlap, so that their compressor is twice as wide, and an indexer chooses
/// among their rows.
constexpr std::uint64_t kOverlapping = 4;

struct Sizes {
  std::uint64_t hidden = 0;
  std::uint64_t heads = 0;
  std::uint64_t head_dim = 0;
  std::uint64_t q_lora_rank = 0;
  std::uint64_t o_groups = 0;
  std::uint64_t o_lora_rank = 0;
  std::uint64_t window = 0;
  std::uint64_t streams = 0;  ///< of the hyper-connections
  Indexer indexer;
};

Tensor weight(Split split, std::string_view module, std::uint64_t rows, std::uint64_t cols) {
  Tensor tensor = matrix(Part::attention, split, module, rows, cols);
  tensor.block = "attn.";
  return tensor;
}

Tensor wide(std::uint64_t count, Split split = Split::replicated) {
  Tensor tensor = values(Part::attention, "", count, split);
  tensor.float32 = true;
  return tensor;
}

/// Keys, gates, positions and norm of what makes one row out of `ratio` tokens.
void add_compressor(const Sizes& s, std::uint64_t ratio, std::uint64_t head_dim, Layer& layer) {
  const std::uint64_t width = ratio == kOverlapping ? 2 * head_dim : head_dim;
  for (const std::string_view module : {"compressor.wkv", "compressor.wgate"}) {
    Tensor tensor = weight(Split::replicated, module, width, s.hidden);
    tensor.kind = precision::ModuleKind::router;
    layer.extra.push_back(tensor);
  }
  layer.extra.push_back(wide(ratio * width));
  layer.extra.push_back(values(Part::attention, "", head_dim));
}

void add_indexer(const Sizes& s, std::uint64_t ratio, Layer& layer) {
  const Indexer& indexer = s.indexer;
  layer.attention.indexer = indexer;
  layer.extra.push_back(
      weight(Split::replicated, "indexer.wq_b", indexer.heads * indexer.head_dim, s.q_lora_rank));
  Tensor weights = weight(Split::replicated, "indexer.weights_proj", indexer.heads, s.hidden);
  weights.kind = precision::ModuleKind::router;
  layer.extra.push_back(weights);
  add_compressor(s, ratio, indexer.head_dim, layer);
}

/// One key/value head, read as key and as value; a low-rank query; an output projection by groups
/// and then of low rank; and two hyper-connections. Source: transformers DeepseekV4Attention and
/// DeepseekV4HyperConnection.
Layer make_layer(const Sizes& s, std::uint64_t ratio, const FeedForward& ffn) {
  Layer layer;
  Attention& a = layer.attention;
  a.kind = AttentionKind::compressed;
  a.num_attention_heads = s.heads;
  a.num_key_value_heads = 1;
  a.head_dim = s.head_dim;
  a.v_head_dim = s.head_dim;
  a.window = s.window;
  a.q_lora_rank = s.q_lora_rank;
  a.compress_ratio = ratio;
  layer.feed_forward = ffn;
  const std::uint64_t inner = s.o_groups * s.o_lora_rank;
  const std::uint64_t mixes = (2 + s.streams) * s.streams;
  layer.extra = {
      weight(Split::replicated, "wq_a", s.q_lora_rank, s.hidden),
      weight(Split::column, "wq_b", s.heads * s.head_dim, s.q_lora_rank),
      weight(Split::replicated, "wkv", s.head_dim, s.hidden),
      weight(Split::column, "wo_a", inner, s.heads * s.head_dim / s.o_groups),
      weight(Split::row, "wo_b", s.hidden, inner),
      values(Part::attention, "", s.q_lora_rank + s.head_dim),
      wide(s.heads, Split::column),
      wide(2 * (mixes * s.streams * s.hidden + mixes + 3)),
  };
  if (ratio > 1) {
    add_compressor(s, ratio, s.head_dim, layer);
  }
  if (ratio == kOverlapping) {
    add_indexer(s, ratio, layer);
  }
  return layer;
}

/// `compress_ratios`, or the names that transformers writes in their place.
std::vector<std::uint64_t> read_ratios(json::Fields& config, std::size_t layers) {
  auto ratios = read_per_layer(config, "compress_ratios", layers, {0, 1U << 20U});
  if (ratios.empty()) {
    for (const std::string_view name : read_names(config, "layer_types", layers)) {
      ratios.push_back(name == "compressed_sparse_attention"    ? kOverlapping
                       : name == "heavily_compressed_attention" ? 128
                                                                : 0);
    }
  }
  if (ratios.empty()) {
    config.fail("missing_field", "compress_ratios",
                "compress_ratios, which says how each layer's cache is compressed, is missing.");
  }
  for (const std::uint64_t ratio : ratios) {
    if (ratio > 1 && ratio != kOverlapping && ratio != 128) {
      config.fail("unknown_architecture", "compress_ratios",
                  worded({"The compression ratio ", ratio,
                          " is not known; DeepSeek-V4 has 0, 1, 4 and 128."}));
    }
  }
  return ratios;
}

Sizes read_attention_sizes(json::Fields& config, const ModelSpec& spec) {
  Sizes s;
  s.hidden = spec.hidden_size;
  s.heads = config.require_whole({"num_attention_heads"}, kHeadsRange);
  s.head_dim = config.require_whole({"head_dim"}, kHeadDimRange);
  s.q_lora_rank = config.require_whole({"q_lora_rank"}, kHiddenRange);
  s.o_groups = config.require_whole({"o_groups"}, kHeadsRange);
  s.o_lora_rank = config.require_whole({"o_lora_rank"}, kHiddenRange);
  s.window = config.require_whole({"sliding_window"}, kLengthRange);
  s.streams = config.whole_or({"hc_mult"}, {1, 64}, 4);
  s.indexer.heads = config.require_whole({"index_n_heads"}, kHeadsRange);
  s.indexer.head_dim = config.whole_or({"index_head_dim"}, kHeadDimRange, 128);
  s.indexer.chosen = config.whole_or({"index_topk"}, {0, 1ULL << 32U}, 0);
  if (config.whole_or({"num_key_value_heads"}, kHeadsRange, 1) != 1) {
    config.fail("unknown_architecture", "num_key_value_heads",
                "DeepSeek-V4 has one key/value head; more of them are not known.");
  }
  return s;
}

void read(json::Fields& config, ModelSpec& spec) {
  read_sizes(config, DecoderProfile{}, spec);
  const std::size_t layers = spec.layers.size();
  const Sizes sizes = read_attention_sizes(config, spec);
  FeedForward experts = read_mixture(config);
  experts.score_correction_bias = true;
  const auto ratios = read_ratios(config, layers);
  const std::uint64_t hashed = config.whole_or({"num_hash_layers"}, {0, 1000}, 0);
  if (config.error() || ratios.size() < layers) {
    return;
  }
  for (std::size_t i = 0; i < layers; ++i) {
    Layer layer = make_layer(sizes, ratios[i], experts);
    if (i < hashed) {  // a table from token to experts in place of the learned choice
      layer.feed_forward.score_correction_bias = false;
      Tensor table = values(Part::router, "", spec.vocab_size * experts.num_experts_per_tok);
      table.float32 = true;
      layer.extra.push_back(table);
    }
    spec.layers[i] = std::move(layer);
  }
  const std::uint64_t head = sizes.streams * sizes.streams * sizes.hidden + sizes.streams + 1;
  spec.extra.push_back(wide(head));
  read_mtp(config, false, spec);
  for (Layer& layer : spec.mtp.layers) {
    layer = make_layer(sizes, 0, experts);
    layer.extra.push_back(wide(head));
  }
  spec.names.layers = "layers.";
  spec.names.attention = "attn.";
  spec.names.mlp = "ffn.";
  spec.names.shared = "ffn.shared_experts.";
  spec.names.experts = "ffn.experts.0.";
  spec.names.router = "ffn.gate";
  spec.names.gate = "w1";
  spec.names.up = "w3";
  spec.names.down = "w2";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::deepseek_v4
