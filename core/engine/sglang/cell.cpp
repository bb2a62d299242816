#include "engine/sglang/cell.hpp"

#include <algorithm>

#include "cache/geometry.hpp"
#include "engine/sglang/architectures.hpp"

namespace ridgepoint::engine::sglang {
namespace {

using model::Attention;
using model::AttentionKind;
using precision::KvFormat;

constexpr std::uint64_t kScaleBlock = 16;  ///< values under one scale of a 4-bit cache

std::uint64_t latent_row_bytes(std::uint64_t width, KvFormat format, precision::Dtype dtype) {
  if (format == KvFormat::nvfp4) {
    return width / 2 + width / kScaleBlock;
  }
  return precision::latent_bytes(format, dtype, width)
      .value_or(width * precision::dtype_bytes(dtype));
}

bool latent_row(const Attention& a) {
  return a.kind == AttentionKind::latent && !a.cached_per_head;
}

/// A draft of the model's own kind costs as much a layer as the model does.
std::uint64_t scaled_by_layers(const Cell& cell, std::uint64_t draft_layers) {
  if (cell.full_layers == 0) {
    return 0;
  }
  const double more = static_cast<double>(draft_layers) / static_cast<double>(cell.full_layers);
  return static_cast<std::uint64_t>(static_cast<double>(cell.charged) * (1.0 + more)) -
         cell.charged;
}

std::uint64_t draft_bytes(const Inputs& inputs, const Settings& settings, const Cell& cell) {
  const DraftSettings& draft = settings.draft;
  if (draft.layers == 0) {
    return 0;
  }
  if (draft.speculation == Speculation::dflash && inputs.draft != nullptr) {
    std::uint64_t bytes = 0;
    for (const model::Layer& layer : inputs.draft->model.layers) {
      bytes += row_bytes(layer.attention, settings.kv_format, settings.dtype,
                         settings.parallelism.tensor);
    }
    return bytes;
  }
  if (settings.version.number < 5013) {
    return 0;
  }
  if (cell.window_layers != 0) {
    return cell.full_layers == 0 ? 0 : cell.full / cell.full_layers * draft.layers;
  }
  return scaled_by_layers(cell, draft.layers);
}

}  // namespace

std::uint64_t row_bytes(const Attention& a, KvFormat format, precision::Dtype dtype,
                        std::uint64_t ranks) {
  if (!a.caches() || a.kind == AttentionKind::compressed || a.kind == AttentionKind::cross) {
    return 0;
  }
  if (latent_row(a)) {
    return latent_row_bytes(a.kv_lora_rank + a.qk_rope_head_dim, format, dtype);
  }
  const std::uint64_t heads = std::max<std::uint64_t>(1, a.num_key_value_heads / ranks);
  const std::uint64_t v_head_dim = a.cached_per_head ? a.head_dim : a.v_head_dim;
  if (format == KvFormat::nvfp4) {
    return heads * (a.head_dim + v_head_dim) / 2 + heads * a.head_dim * 2 / kScaleBlock;
  }
  return heads * precision::kv_bytes_per_head(format, dtype, a.head_dim, v_head_dim);
}

std::uint64_t index_row_bytes(const model::ModelSpec& model, const model::Layer& layer) {
  if (layer.attention.kind != AttentionKind::latent) {
    return cache::indexer_bytes_per_token(layer.attention);
  }
  std::uint64_t width = 0;
  for (const model::Layer& other : model.layers) {
    width = std::max(width, other.attention.indexer.heads == 0 ? std::uint64_t{0}
                                                               : other.attention.indexer.head_dim);
  }
  return width + width / 128 * 4;
}

bool in_window_pool(const Attention& a, const Settings& settings) {
  return settings.window_pools &&
         (a.kind == AttentionKind::sliding || a.kind == AttentionKind::chunked);
}

Cell stage_cell(const Inputs& inputs, const Settings& settings, const Stage& stage) {
  Cell cell;
  const bool plain_charge =
      settings.kv_format == KvFormat::fp8_ds_mla && settings.version.number < 5017;
  std::uint64_t widest_keys = 0;
  for (std::uint64_t i = stage.first_layer; i < stage.end_layer; ++i) {
    const model::Layer& layer = inputs.model.layers[i];
    const Attention& a = layer.attention;
    const std::uint64_t row =
        row_bytes(a, settings.kv_format, settings.dtype, settings.attention_tensor);
    if (row == 0) {
      continue;
    }
    if (in_window_pool(a, settings)) {
      cell.window += row;
      ++cell.window_layers;
      continue;
    }
    const std::uint64_t index = index_row_bytes(inputs.model, layer);
    // Up to 0.5.16 the estimate took FP8 rows of sparse attention for 576 bytes.
    const std::uint64_t charged =
        plain_charge && latent_row(a) ? a.kv_lora_rank + a.qk_rope_head_dim : row;
    cell.full += row + index;
    cell.charged += charged + index;
    ++cell.full_layers;
    if (!latent_row(a)) {
      const std::uint64_t heads =
          std::max<std::uint64_t>(1, a.num_key_value_heads / settings.attention_tensor);
      widest_keys = std::max(widest_keys, heads * a.head_dim);
    }
  }
  const bool unpacks = settings.kv_format == KvFormat::nvfp4 && settings.version.number >= 5017;
  if (unpacks && cell.window_layers == 0) {
    cell.charged += 2 * widest_keys;  // one layer is unpacked to FP8 at a time
  }
  cell.draft = draft_bytes(inputs, settings, cell);
  return cell;
}

}  // namespace ridgepoint::engine::sglang
