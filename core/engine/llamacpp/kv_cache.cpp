#include "engine/llamacpp/kv_cache.hpp"

#include <algorithm>

#include "arithmetic.hpp"
#include "cache/geometry.hpp"
#include "engine/llamacpp/constants.hpp"

namespace ridgepoint::engine::llamacpp {
namespace {

using model::Attention;
using model::AttentionKind;
using model::ModelSpec;

constexpr std::uint64_t kPadding = 256;
constexpr std::uint64_t kFloat = 4;

bool windowed(const Attention& a) {
  return a.kind == AttentionKind::sliding || a.kind == AttentionKind::chunked;
}

bool latent(const Attention& a) { return a.kind == AttentionKind::latent && !a.cached_per_head; }

std::uint64_t window_of(const ModelSpec& spec) {
  std::uint64_t window = 0;
  for (const model::Layer& layer : spec.layers) {
    if (windowed(layer.attention) || layer.attention.kind == AttentionKind::compressed) {
      window = std::max(window, layer.attention.window);
    }
  }
  return window;
}

std::uint64_t padding(const Settings& settings) {
  if (has_rule("padding_256", settings.version.build) || settings.flash) {
    return kPadding;
  }
  return 32;
}

/// The widest values of any layer: without flash attention all are stored as wide.
std::uint64_t widest_values(const ModelSpec& spec) {
  std::uint64_t widest = 0;
  for (const model::Layer& layer : spec.layers) {
    const Attention& a = layer.attention;
    if (a.caches() && !latent(a)) {
      widest = std::max(widest, a.num_key_value_heads * a.v_head_dim);
    }
  }
  return widest;
}

/// Keys and values of one token in one layer.
struct Row {
  std::uint64_t keys = 0;
  std::uint64_t values = 0;
  std::uint64_t index = 0;

  [[nodiscard]] std::uint64_t total() const { return keys + values + index; }
};

Row row_of(const Settings& settings, const Attention& a, std::uint64_t widest) {
  Row row;
  if (!a.caches() || a.kind == AttentionKind::compressed) {
    return row;
  }
  if (latent(a) && !has_rule("latent_cache", settings.version.build)) {
    row.keys = row_bytes(*settings.type_k,
                         a.num_attention_heads * (a.qk_nope_head_dim + a.qk_rope_head_dim));
    row.values = row_bytes(*settings.type_v, a.num_attention_heads * a.v_head_dim);
    return row;
  }
  if (latent(a)) {
    row.keys = row_bytes(*settings.type_k, a.kv_lora_rank + a.qk_rope_head_dim);
    if (!has_rule("latent_without_values", settings.version.build)) {
      row.values = row_bytes(*settings.type_v, a.kv_lora_rank);
    }
    if (a.indexer.heads != 0 && a.indexer.caches) {
      row.index = row_bytes(*settings.type_k, a.indexer.head_dim);
    }
    return row;
  }
  const std::uint64_t heads = a.num_key_value_heads;
  const std::uint64_t values = heads * (a.cached_per_head ? a.head_dim : a.v_head_dim);
  row.keys = row_bytes(*settings.type_k, heads * a.head_dim);
  row.values = row_bytes(*settings.type_v, settings.flash ? values : std::max(values, widest));
  return row;
}

/// DeepSeek-V4 keeps rows that stand for four and for 128 tokens, the window's last tokens whole,
/// and what its compressors have seen so far.
LayerCache compressed_layer(const Settings& settings, const Attention& a, const Cells& cells) {
  LayerCache cache;
  const std::uint64_t ratio = a.compress_ratio;
  const std::uint64_t streams = settings.parallel;
  cache.windowed = row_bytes(*settings.type_k, a.head_dim) * cells.windowed * streams;
  if (ratio <= 1) {
    return cache;
  }
  const std::uint64_t rows = round_up(ceil_div(cells.slot, ratio), kPadding) * streams;
  cache.full = row_bytes(*settings.type_k, a.head_dim) * rows;
  const bool overlaps = ratio == 4;
  const std::uint64_t wide = overlaps ? 2 : 1;
  cache.state = wide * ratio * 2 * wide * a.head_dim * kFloat * streams;
  if (a.indexer.heads != 0) {
    cache.full += row_bytes(*settings.type_k, a.indexer.head_dim) * rows;
    cache.state += wide * ratio * 2 * wide * a.indexer.head_dim * kFloat * streams;
  }
  return cache;
}

std::uint64_t one_state(const model::State& state) {
  return state.kind == model::StateKind::none
             ? 0
             : cache::state_bytes(state, true, precision::Dtype::float32, 1);
}

}  // namespace

Cells cells_of(const Settings& settings, const ModelSpec& spec, std::uint64_t context) {
  Cells cells;
  const std::uint64_t pad = padding(settings);
  cells.context = round_up(std::max<std::uint64_t>(1, context), pad);
  const bool compressed = spec.has(AttentionKind::compressed);
  const bool one_stream = settings.unified && !compressed;
  cells.streams = one_stream ? 1 : settings.parallel;
  cells.full = cells.streams == 1
                   ? cells.context
                   : round_up(std::max<std::uint64_t>(1, cells.context / settings.parallel), pad);
  if (cells.streams > 1) {
    cells.context = cells.full * cells.streams;
  }
  cells.slot = settings.shares_cells || cells.streams > 1
                   ? cells.full
                   : std::max<std::uint64_t>(1, cells.full / settings.parallel);
  cells.windowed = cells.full;
  const std::uint64_t window = window_of(spec);
  if (window != 0 && !settings.swa_full && has_rule("window_cache", settings.version.build)) {
    const std::uint64_t slots = one_stream ? settings.parallel : 1;
    const std::uint64_t batch = std::min(settings.ubatch, cells.context);
    cells.windowed = std::min(cells.full, round_up(window * slots + batch, pad));
  }
  return cells;
}

std::vector<LayerCache> layer_caches(const Settings& settings, const ModelSpec& spec,
                                     const Cells& cells) {
  std::vector<LayerCache> caches;
  caches.reserve(spec.layers.size());
  const std::uint64_t widest = widest_values(spec);
  for (const model::Layer& layer : spec.layers) {
    const Attention& a = layer.attention;
    LayerCache cache;
    if (a.caches() && a.kind == AttentionKind::compressed) {
      cache = compressed_layer(settings, a, cells);
    } else if (windowed(a)) {
      cache.windowed = row_of(settings, a, widest).total() * cells.windowed * cells.streams;
    } else {
      cache.full = row_of(settings, a, widest).total() * cells.full * cells.streams;
    }
    cache.state += one_state(layer.state) * settings.parallel * settings.state_copies;
    caches.push_back(cache);
  }
  return caches;
}

TokenBytes token_bytes(const Settings& settings, const ModelSpec& spec) {
  TokenBytes bytes;
  const std::uint64_t widest = widest_values(spec);
  for (const model::Layer& layer : spec.layers) {
    const Attention& a = layer.attention;
    if (a.caches() && a.kind == AttentionKind::compressed) {
      const std::uint64_t row = row_bytes(*settings.type_k, a.head_dim);
      const std::uint64_t index =
          a.indexer.heads == 0 ? 0 : row_bytes(*settings.type_k, a.indexer.head_dim);
      const std::uint64_t growing = a.compress_ratio > 1 ? (row + index) / a.compress_ratio : 0;
      bytes.growing += growing;
      bytes.all += row + growing;
      continue;
    }
    const std::uint64_t row = row_of(settings, a, widest).total();
    bytes.all += row;
    bytes.growing += windowed(a) ? 0 : row;
  }
  return bytes;
}

std::uint64_t state_bytes(const ModelSpec& spec) {
  std::uint64_t bytes = 0;
  for (const model::Layer& layer : spec.layers) {
    bytes += one_state(layer.state);
  }
  return bytes;
}

std::uint64_t mtp_cache_bytes(const Settings& settings, const ModelSpec& spec, const Cells& cells) {
  if (!settings.mtp) {
    return 0;
  }
  Settings drafting = settings;
  drafting.type_k = settings.draft_type_k;
  drafting.type_v = settings.draft_type_v;
  std::uint64_t bytes = 0;
  for (const model::Layer& layer : spec.mtp.layers) {
    bytes += row_of(drafting, layer.attention, 0).total() * cells.full * cells.streams;
  }
  return bytes;
}

}  // namespace ridgepoint::engine::llamacpp
