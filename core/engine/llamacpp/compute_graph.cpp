#include "engine/llamacpp/compute_graph.hpp"

#include <algorithm>
#include <optional>

#include "engine/llamacpp/graph_allocator.hpp"

namespace ridgepoint::engine::llamacpp {
namespace {

using model::Attention;
using model::AttentionKind;
using model::FeedForward;
using model::Layer;
using model::ModelSpec;
using model::State;
using model::StateKind;
using Id = TensorGraph::Id;

constexpr std::uint64_t kFloat = 4;
constexpr std::uint64_t kHalf = 2;
constexpr std::uint64_t kIndex = 4;
constexpr std::uint64_t kRowIndex = 8;  // rows of the cache are 64-bit numbers
constexpr std::size_t kSimulatedLayers = 16;

bool windowed(const Attention& a) {
  return a.kind == AttentionKind::sliding || a.kind == AttentionKind::chunked;
}

/// Puts one device's graph together.
class GraphBuilder {
 public:
  GraphBuilder(const ModelSpec& spec, const GraphShape& shape)
      : spec_(spec), shape_(shape), tokens_(shape.tokens) {}

  std::uint64_t bytes() {
    add_inputs();
    std::vector<GraphLayer> layers = shape_.layers;
    if (layers.size() > kSimulatedLayers) {
      layers.erase(layers.begin() + kSimulatedLayers - 1, layers.end() - 1);
    }
    for (std::size_t i = 0; i < layers.size(); ++i) {
      attends_ = layers[i].attends;
      copied_weight_ = layers[i].copied_weight_bytes;
      mixes_ = layers[i].mixes;
      feeds_forward_ = layers[i].feeds_forward;
      add_layer(spec_.layers[layers[i].index], shape_.has_output && i + 1 == layers.size());
    }
    if (shape_.has_output) {
      add_head();
    }
    return graph_.buffer_bytes();
  }

 private:
  Id copied_in(std::uint64_t bytes) {
    if (shape_.copies == 1) {
      return graph_.input(bytes);
    }
    for (std::uint64_t i = 1; i < shape_.copies; ++i) {
      graph_.kept_input(bytes);
    }
    return graph_.kept_input(bytes);
  }

  [[nodiscard]] bool any_layer(bool (*wanted)(const Layer&)) const {
    return std::any_of(shape_.layers.begin(), shape_.layers.end(), [&](const GraphLayer& layer) {
      return layer.attends && wanted(spec_.layers[layer.index]);
    });
  }

  void add_inputs() {
    hidden_ = copied_in(spec_.hidden_size * tokens_ * kFloat);
    positions_ = copied_in(tokens_ * kIndex);
    const bool full =
        any_layer([](const Layer& l) { return l.attention.caches() && !windowed(l.attention); });
    const bool window =
        any_layer([](const Layer& l) { return l.attention.caches() && windowed(l.attention); });
    if (full || window) {
      key_rows_ = copied_in(tokens_ * kRowIndex);
      value_rows_ = copied_in(tokens_ * kRowIndex);
    }
    const std::uint64_t wide = shape_.flash && shape_.half_mask ? kHalf : kFloat;
    if (full) {
      mask_ = copied_in(shape_.cells * tokens_ * wide);
    }
    if (window) {
      window_mask_ = copied_in(shape_.window_cells * tokens_ * wide);
    }
    if (any_layer(
            [](const Layer& l) { return l.attention.kind == AttentionKind::bidirectional; })) {
      encoder_mask_ = copied_in(tokens_ * tokens_ * wide);
    }
    if (any_layer([](const Layer& l) {
          return l.attention.kind == AttentionKind::latent && l.attention.indexer.heads != 0;
        })) {
      index_mask_ = copied_in(shape_.cells * tokens_ * kFloat);
    }
    if (shape_.has_output) {
      output_rows_ = copied_in(shape_.outputs * kIndex);
    }
  }

  /// A LayerNorm never writes over its input, an RMS norm may.
  Id norm(Id of, std::uint64_t bytes) {
    const Id scaled = layer_norms() ? graph_.node(bytes, {of}) : graph_.in_place(bytes, {of});
    return graph_.in_place(bytes, {scaled});
  }

  /// Norms with a bias count twice, and those of a model are of one kind.
  [[nodiscard]] bool layer_norms() const { return spec_.final_norms == 2; }

  /// A product with a matrix of the feed-forward network, which may have to be copied in first.
  Id product(std::uint64_t bytes, std::initializer_list<Id> sources) {
    if (copied_weight_ == 0) {
      return graph_.node(bytes, sources);
    }
    const Id weight = graph_.node(copied_weight_, {});
    const Id out = graph_.node(bytes, sources);
    graph_.store({weight, out});
    return out;
  }

  [[nodiscard]] std::uint64_t hidden_bytes(std::uint64_t rows) const {
    return spec_.hidden_size * rows * kFloat;
  }

  void add_layer(const Layer& layer, bool last) {
    const std::uint64_t rows = tokens_;
    Id mixed = norm(hidden_, hidden_bytes(rows));
    const Id normed = mixed;
    if (mixes_ && layer.state.kind != StateKind::none) {
      mixed = state_mixer(layer.state, normed);
    }
    if (mixes_ && layer.attention.kind != AttentionKind::none) {
      mixed = attention(layer.attention, normed);
    }
    std::uint64_t left = rows;
    if (last && shape_.outputs < rows) {
      left = shape_.outputs;
    }
    if (last) {
      mixed = graph_.node(hidden_bytes(left), {mixed, output_rows_});
      hidden_ = graph_.node(hidden_bytes(left), {hidden_, output_rows_});
    }
    const bool post_norms = layer.norms >= 4 && !layer_norms();
    // With one norm a layer, attention and the feed-forward network stand side by side.
    if (layer_norms() && layer.norms == 2 && !layer.feed_forward.none() && mixes_) {
      Id beside = normed;
      if (last) {
        beside = graph_.node(hidden_bytes(left), {normed, output_rows_});
      }
      const Id out = feed_forward(layer.feed_forward, beside, left);
      const Id both = graph_.in_place(hidden_bytes(left), {mixed, out});
      hidden_ = graph_.in_place(hidden_bytes(left), {both, hidden_});
      return;
    }
    if (post_norms) {
      mixed = norm(mixed, hidden_bytes(left));
    }
    const Id joined = graph_.in_place(hidden_bytes(left), {mixed, hidden_});
    if (layer.feed_forward.none() || !feeds_forward_) {
      hidden_ = joined;
      return;
    }
    Id out = feed_forward(layer.feed_forward, norm(joined, hidden_bytes(left)), left);
    if (post_norms) {
      out = norm(out, hidden_bytes(left));
    }
    hidden_ = graph_.in_place(hidden_bytes(left), {out, joined});
  }

  Id rotated(Id from, std::uint64_t width, bool normed) {
    const std::uint64_t bytes = width * tokens_ * kFloat;
    Id value = graph_.view(from);
    if (normed) {
      value = norm(value, bytes);
    }
    return graph_.in_place(bytes, {value, positions_});
  }

  Id attention(const Attention& a, Id normed) {
    if (a.kind == AttentionKind::latent && !a.cached_per_head) {
      return latent_attention(a, normed);
    }
    if (a.kind == AttentionKind::compressed) {
      return compressed_attention(a, normed);
    }
    const std::uint64_t queries = a.num_attention_heads * a.head_dim;
    const std::uint64_t keys = a.num_key_value_heads * a.head_dim;
    const std::uint64_t values = a.num_key_value_heads * a.v_head_dim;
    const bool norms = a.qk_norm != model::QkNorm::none;
    const std::uint64_t gate = a.output_gate ? queries : 0;
    const Id q_projected = graph_.node((queries + gate) * tokens_ * kFloat, {normed});
    Id q = a.output_gate ? graph_.node(queries * tokens_ * kFloat, {graph_.view(q_projected)})
                         : q_projected;
    q = rotated(q, queries, norms);
    if (a.caches() && key_rows_ && attends_) {
      const Id v = graph_.node(values * tokens_ * kFloat, {normed});
      const Id k = rotated(graph_.node(keys * tokens_ * kFloat, {normed}), keys, norms);
      graph_.store({graph_.view(k), *key_rows_});
      graph_.store({graph_.view(v), *value_rows_});
    }
    Id out = scored(a, q, a.num_attention_heads * a.v_head_dim,
                    shape_.half_copy ? (keys + values) * kHalf : 0);
    if (a.output_gate) {
      out = graph_.in_place(
          queries * tokens_ * kFloat,
          {out, graph_.node(queries * tokens_ * kFloat, {graph_.view(q_projected)})});
    }
    return graph_.node(hidden_bytes(tokens_), {out});
  }

  /// Queries meet one row a token of the cache, whatever their number.
  Id latent_attention(const Attention& a, Id normed) {
    const std::uint64_t row = a.kv_lora_rank + a.qk_rope_head_dim;
    const std::uint64_t heads = a.num_attention_heads;
    Id source = normed;
    if (a.q_lora_rank != 0) {
      source = norm(graph_.node(a.q_lora_rank * tokens_ * kFloat, {normed}),
                    a.q_lora_rank * tokens_ * kFloat);
    }
    const Id q = graph_.node(heads * a.head_dim * tokens_ * kFloat, {source});
    const Id rope = graph_.in_place(heads * a.qk_rope_head_dim * tokens_ * kFloat,
                                    {graph_.view(q), positions_});
    const Id compressed = graph_.node(row * tokens_ * kFloat, {normed});
    const Id key_rope = graph_.in_place(a.qk_rope_head_dim * tokens_ * kFloat,
                                        {graph_.view(compressed), positions_});
    const Id latent = norm(graph_.view(compressed), a.kv_lora_rank * tokens_ * kFloat);
    const Id absorbed = graph_.node(heads * a.kv_lora_rank * tokens_ * kFloat, {graph_.view(q)});
    const Id joined = graph_.node(heads * row * tokens_ * kFloat, {rope, graph_.view(absorbed)});
    const Id key = graph_.node(row * tokens_ * kFloat, {key_rope, latent});
    if (key_rows_) {
      graph_.store({graph_.view(key), *key_rows_});
    }
    if (a.indexer.heads != 0 && index_mask_ && attends_) {
      choose_rows(normed);
    }
    const Id out = scored(a, joined, heads * a.kv_lora_rank, shape_.half_copy ? row * kHalf : 0);
    const Id values = graph_.node(heads * a.v_head_dim * tokens_ * kFloat, {out});
    const Id turned = graph_.node(heads * a.v_head_dim * tokens_ * kFloat, {graph_.view(values)});
    return graph_.node(hidden_bytes(tokens_), {turned});
  }

  /// DeepSeek-V4: the window's rows and those that stand for several tokens, of which the indexer
  /// scores every one for each of its heads.
  Id compressed_attention(const Attention& a, Id normed) {
    const std::uint64_t width = a.num_attention_heads * a.head_dim * tokens_ * kFloat;
    const Id q = rotated(graph_.node(width, {normed}), a.num_attention_heads * a.head_dim, false);
    const std::uint64_t ratio = std::max<std::uint64_t>(1, a.compress_ratio);
    const std::uint64_t rows = shape_.window_cells + (ratio > 1 ? shape_.cells / ratio : 0);
    if (a.indexer.heads != 0 && ratio > 1) {
      const std::uint64_t scores = shape_.cells / ratio * tokens_ * a.indexer.heads * kFloat;
      const Id raw = graph_.node(scores, {normed});
      graph_.store({graph_.node(scores, {raw})});
    }
    const std::uint64_t scale = shape_.flash ? kHalf : (a.num_attention_heads * kFloat);
    const Id seen = graph_.node(rows * tokens_ * scale, {graph_.view(q)});
    const Id out = graph_.node(width, {seen});
    return graph_.node(hidden_bytes(tokens_), {out});
  }

  /// The fused indexer scores every row for every token and sorts the scores.
  void choose_rows(Id normed) {
    const Id scores = graph_.node(shape_.cells * tokens_ * kFloat, {normed, *index_mask_});
    graph_.store({graph_.node(shape_.cells * tokens_ * kIndex, {scores})});
  }

  /// From queries to what the heads read from the cache.
  Id scored(const Attention& a, Id q, std::uint64_t width, std::uint64_t copy_per_cell) {
    const bool window = windowed(a);
    const bool encoder = a.kind == AttentionKind::bidirectional;
    const std::uint64_t cells = encoder ? tokens_ : (window ? shape_.window_cells : shape_.cells);
    const std::optional<Id>& mask = encoder ? encoder_mask_ : (window ? window_mask_ : mask_);
    const Id turned = graph_.view(q);
    if (!mask || !attends_) {
      return graph_.node(width * tokens_ * kFloat, {turned});
    }
    if (shape_.flash) {
      const Id half = half_mask(a, *mask, cells);
      const std::uint64_t copy = copy_per_cell * cells * shape_.streams;
      return graph_.view(graph_.node(width * tokens_ * kFloat + copy, {turned, half}));
    }
    const std::uint64_t scores = cells * tokens_ * a.num_attention_heads * kFloat;
    const Id raw = graph_.node(scores, {turned});
    const Id soft = graph_.in_place(scores, {raw, *mask});
    const Id out = graph_.node(width * tokens_ * kFloat, {soft});
    return graph_.node(width * tokens_ * kFloat, {graph_.view(out)});
  }

  /// The mask in 16 bits, cast where it is used first.
  Id half_mask(const Attention& a, Id mask, std::uint64_t cells) {
    if (shape_.half_mask) {
      return mask;
    }
    std::optional<Id>& cast = windowed(a) ? window_cast_ : cast_;
    if (!cast) {
      cast = graph_.node(cells * tokens_ * kHalf, {mask});
    }
    return *cast;
  }

  /// Convolution and recurrence: the last inputs and the new ones side by side, what the
  /// convolution makes of them, what the recurrence does.
  Id state_mixer(const State& s, Id normed) {
    const std::uint64_t past = s.conv_kernel == 0 ? 0 : s.conv_kernel - 1;
    std::uint64_t mixed = s.inner_size;
    std::uint64_t gate = s.inner_size;
    std::uint64_t out_width = s.inner_size;
    std::uint64_t state = s.inner_size * s.state_size;
    if (s.kind == StateKind::gated_delta || s.kind == StateKind::kda) {
      mixed = 2 * s.key_heads * s.key_head_dim + s.heads * s.head_dim;
      out_width = s.heads * s.head_dim;
      gate = out_width;
      state = out_width * s.key_head_dim;
    } else if (s.kind == StateKind::mamba2) {
      mixed = s.inner_size + 2 * s.groups * s.state_size;
    } else if (s.kind == StateKind::short_conv) {
      mixed = 2 * s.inner_size;
      state = 0;
    } else if (s.kind == StateKind::linear) {
      mixed = 3 * s.heads * s.head_dim;
      out_width = s.heads * s.head_dim;
      gate = out_width;
      state = out_width * s.head_dim;
    }
    const Id inputs = graph_.node(mixed * tokens_ * kFloat, {normed});
    const Id before = graph_.node(mixed * past * shape_.streams * kFloat, {});
    const Id joined = graph_.node(mixed * (tokens_ + past * shape_.streams) * kFloat,
                                  {before, graph_.view(inputs)});
    Id convolved = graph_.node(mixed * tokens_ * kFloat, {joined});
    convolved = graph_.in_place(mixed * tokens_ * kFloat, {convolved});
    const Id old_state = graph_.node(state * shape_.streams * kFloat, {});
    const Id result = graph_.node((out_width * tokens_ + state * shape_.streams) * kFloat,
                                  {graph_.view(convolved), old_state});
    const Id out = norm(graph_.view(result), out_width * tokens_ * kFloat);
    // The gate is computed where it is used; until then its input stays.
    const Id gates = graph_.node(gate * tokens_ * kFloat, {normed});
    const Id opened = graph_.in_place(gate * tokens_ * kFloat, {graph_.view(gates)});
    const Id gated = graph_.in_place(out_width * tokens_ * kFloat, {out, opened});
    return graph_.node(hidden_bytes(tokens_), {gated});
  }

  Id gated_network(Id normed, std::uint64_t width, bool gated, std::uint64_t rows) {
    const std::uint64_t bytes = width * rows * kFloat;
    if (!gated) {
      return graph_.in_place(bytes, {product(bytes, {normed})});
    }
    const Id gate = product(bytes, {normed});
    const Id up = product(bytes, {normed});
    if (shape_.glu) {
      return graph_.node(bytes, {gate, up});
    }
    return graph_.in_place(bytes, {graph_.in_place(bytes, {gate}), up});
  }

  Id feed_forward(const FeedForward& f, Id normed, std::uint64_t rows) {
    std::optional<Id> out;
    if (f.moe()) {
      out = mixture(f, normed, rows);
    }
    const std::uint64_t dense =
        f.moe() ? std::max(f.shared_intermediate_size, f.intermediate_size) : f.intermediate_size;
    if (dense != 0) {
      const bool gated = f.moe() ? f.experts_gated : f.gated;
      const Id down = graph_.node(hidden_bytes(rows), {gated_network(normed, dense, gated, rows)});
      out = out ? graph_.in_place(hidden_bytes(rows), {*out, down}) : down;
    }
    return *out;
  }

  Id mixture(const FeedForward& f, Id normed, std::uint64_t rows) {
    const std::uint64_t routed = f.num_experts * rows * kFloat;
    const std::uint64_t used = f.num_experts_per_tok;
    const Id logits = graph_.node(routed, {normed});
    const Id chances = graph_.in_place(routed, {logits});
    const Id chosen = graph_.view(graph_.node(routed, {chances}));
    const Id picked = graph_.node(used * rows * kFloat, {graph_.view(chances), chosen});
    const Id shown = graph_.view(picked);
    const Id sum = graph_.node(rows * kFloat, {shown});
    const Id weights = graph_.view(graph_.in_place(used * rows * kFloat, {shown, sum}));
    const Id tokens = graph_.view(normed);
    const std::uint64_t bytes = f.moe_intermediate_size * used * rows * kFloat;
    Id middle = 0;
    if (f.experts_gated) {
      const Id up = product(bytes, {tokens, chosen});
      const Id gate = product(bytes, {tokens, chosen});
      middle = shape_.glu ? graph_.node(bytes, {gate, up})
                          : graph_.in_place(bytes, {graph_.in_place(bytes, {gate}), up});
    } else {
      middle = graph_.in_place(bytes, {product(bytes, {tokens, chosen})});
    }
    const std::uint64_t all = hidden_bytes(rows) * used;
    Id experts = product(all, {middle, chosen});
    experts = graph_.in_place(all, {experts, weights});
    std::vector<Id> parts;
    for (std::uint64_t i = 0; i < used; ++i) {
      parts.push_back(graph_.view(experts));
    }
    Id added = used > 1 ? graph_.in_place(hidden_bytes(rows), {parts[0], parts[1]})
                        : graph_.node(hidden_bytes(rows), {parts[0]});
    for (std::size_t i = 2; i < parts.size(); ++i) {
      added = graph_.in_place(hidden_bytes(rows), {added, parts[i]});
    }
    return added;
  }

  void add_head() {
    const std::uint64_t rows = std::min(shape_.outputs, tokens_);
    const Id normed = norm(hidden_, hidden_bytes(rows));
    graph_.keep(normed);
    if (spec_.lm_head) {
      copied_weight_ = shape_.copied_head_bytes;
      graph_.keep(product(logits_bytes(spec_, shape_), {normed}));
    }
  }

  const ModelSpec& spec_;
  const GraphShape& shape_;
  std::uint64_t tokens_;
  TensorGraph graph_;
  bool attends_ = true;
  bool mixes_ = true;
  bool feeds_forward_ = true;
  std::uint64_t copied_weight_ = 0;
  Id hidden_ = 0;
  Id positions_ = 0;
  Id output_rows_ = 0;
  std::optional<Id> key_rows_;
  std::optional<Id> value_rows_;
  std::optional<Id> mask_;
  std::optional<Id> window_mask_;
  std::optional<Id> cast_;
  std::optional<Id> window_cast_;
  std::optional<Id> encoder_mask_;
  std::optional<Id> index_mask_;
};

}  // namespace

std::uint64_t logits_bytes(const ModelSpec& spec, const GraphShape& shape) {
  return spec.lm_head ? spec.vocab_size * std::min(shape.outputs, shape.tokens) * kFloat : 0;
}

std::uint64_t compute_buffer_bytes(const ModelSpec& spec, const GraphShape& shape) {
  if (shape.layers.empty() && !shape.has_output) {
    return 0;
  }
  return GraphBuilder(spec, shape).bytes();
}

}  // namespace ridgepoint::engine::llamacpp
