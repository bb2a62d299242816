#include "cache/geometry.hpp"

#include <algorithm>

#include "arithmetic.hpp"
#include "cache/compressed.hpp"

namespace ridgepoint::cache {

using model::Attention;
using model::AttentionKind;
using model::State;
using model::StateKind;
using precision::Dtype;
using precision::KvFormat;

namespace {

bool latent_row(const Attention& attention) {
  return attention.kind == AttentionKind::latent && !attention.cached_per_head;
}

bool stops_at_window(const Attention& attention) {
  return attention.kind == AttentionKind::sliding || attention.kind == AttentionKind::chunked;
}

struct StateElements {
  std::uint64_t convolution = 0;
  std::uint64_t recurrent = 0;
};

StateElements state_elements(const State& s, std::uint64_t ranks, std::uint64_t draft_tokens) {
  const std::uint64_t past = s.conv_kernel == 0 ? 0 : s.conv_kernel - 1 + draft_tokens;
  const std::uint64_t heads = ceil_div(s.heads, ranks);
  switch (s.kind) {
    case StateKind::none:
      break;
    case StateKind::mamba1:
      return {s.inner_size / ranks * past, s.inner_size / ranks * s.state_size};
    case StateKind::mamba2: {
      // Groups that do not divide among the ranks are copied until they do.
      const std::uint64_t groups = s.groups % ranks == 0 ? s.groups : std::max(s.groups, ranks);
      return {ceil_div(s.inner_size + 2 * groups * s.state_size, ranks) * past,
              heads * s.head_dim * s.state_size};
    }
    case StateKind::gated_delta:
    case StateKind::kda: {
      const std::uint64_t width = 2 * s.key_heads * s.key_head_dim + s.heads * s.head_dim;
      return {width / ranks * past, heads * s.head_dim * s.key_head_dim};
    }
    case StateKind::short_conv:
      return {s.inner_size / ranks * past, 0};
    case StateKind::linear:
      return {0, heads * s.head_dim * s.head_dim};
  }
  return {};
}

}  // namespace

std::uint64_t local_kv_heads(const Attention& attention, std::uint64_t tensor_parallel) {
  if (latent_row(attention)) {
    return 1;
  }
  return std::max<std::uint64_t>(1, attention.num_key_value_heads / tensor_parallel);
}

std::uint64_t layer_bytes_per_token(const Attention& attention, KvFormat format, Dtype dtype,
                                    std::uint64_t tensor_parallel) {
  if (!attention.caches() || attention.kind == AttentionKind::compressed) {
    return 0;
  }
  if (latent_row(attention)) {
    const std::uint64_t width = attention.kv_lora_rank + attention.qk_rope_head_dim;
    return precision::latent_bytes(format, dtype, width)
        .value_or(width * precision::dtype_bytes(dtype));
  }
  // Keys and values of MLA that is cached by heads are padded to one width.
  const std::uint64_t v_head_dim =
      attention.cached_per_head ? attention.head_dim : attention.v_head_dim;
  return local_kv_heads(attention, tensor_parallel) *
         precision::kv_bytes_per_head(format, dtype, attention.head_dim, v_head_dim);
}

std::uint64_t indexer_bytes_per_token(const Attention& attention) {
  const model::Indexer& indexer = attention.indexer;
  const bool keeps_rows = attention.caches() && attention.kind != AttentionKind::compressed;
  if (!keeps_rows || indexer.heads == 0 || !indexer.caches) {
    return 0;
  }
  if (attention.kind == AttentionKind::full) {
    return indexer.head_dim * 2;
  }
  return indexer.head_dim + indexer.head_dim / 128 * 4;
}

std::uint64_t state_bytes(const State& state, bool state_float32, Dtype dtype,
                          std::uint64_t tensor_parallel) {
  StateFormat format;
  format.convolution_bytes = precision::dtype_bytes(dtype);
  format.recurrent_bytes = state_float32 ? 4 : precision::dtype_bytes(dtype);
  return state_bytes(state, format, tensor_parallel);
}

std::uint64_t state_bytes(const State& state, const StateFormat& format,
                          std::uint64_t tensor_parallel) {
  const StateElements elements = state_elements(state, tensor_parallel, format.draft_tokens);
  const std::uint64_t recurrent_bytes = state.kind == StateKind::kda ? 4 : format.recurrent_bytes;
  return elements.convolution * format.convolution_bytes + elements.recurrent * recurrent_bytes;
}

KvFormat LayerFormats::of(std::uint64_t layer, const Attention& attention) const {
  const bool plain = (plain_windows && stops_at_window(attention)) ||
                     std::binary_search(plain_layers.begin(), plain_layers.end(), layer);
  return plain ? KvFormat::model_dtype : format;
}

namespace {

/// Of a layer with compressed caches, in whole pages of 256 tokens as far as they grow.
struct CompressedSizes {
  std::uint64_t growing_page = 0;
  std::uint64_t windowed_per_token = 0;
  std::uint64_t state = 0;
};

CompressedSizes compressed_sizes(const Attention& attention, KvFormat format) {
  CompressedSizes sizes;
  if (attention.kind != AttentionKind::compressed) {
    return sizes;
  }
  for (const CompressedCache& cache : compressed_caches(attention, format)) {
    if (cache.state) {
      sizes.state += ceil_div(cache.window, cache.block_tokens) * cache.page_bytes;
    } else if (cache.window != 0) {
      sizes.windowed_per_token += cache.page_bytes / cache.block_tokens;
    } else {
      sizes.growing_page += cache.page_bytes;
    }
  }
  return sizes;
}

constexpr std::uint64_t kCompressedPage = 256;

}  // namespace

std::uint64_t request_bytes(const model::ModelSpec& spec, const LayerFormats& formats, Dtype dtype,
                            std::uint64_t tokens, bool windows) {
  std::uint64_t bytes = 0;
  std::uint64_t index = 0;
  for (const model::Layer& layer : spec.layers) {
    const Attention& a = layer.attention;
    const KvFormat format = formats.of(index++, a);
    const std::uint64_t kept = windows && stops_at_window(a) ? std::min(tokens, a.window) : tokens;
    bytes += layer_bytes_per_token(a, format, dtype, 1) * kept;
    bytes += indexer_bytes_per_token(a) * tokens;
    bytes += layer_bytes_per_token(layer.cross, format, dtype, 1) * spec.encoder_tokens;
    bytes += state_bytes(layer.state, spec.state_float32, dtype, 1);
    const CompressedSizes compressed = compressed_sizes(a, format);
    bytes += compressed.growing_page * ceil_div(tokens, kCompressedPage) + compressed.state +
             compressed.windowed_per_token * std::min(tokens, a.window);
  }
  return bytes;
}

Geometry geometry(const model::ModelSpec& spec, const LayerFormats& formats, Dtype dtype) {
  Geometry sum;
  std::uint64_t growing_page = 0;
  std::uint64_t index = 0;
  for (const model::Layer& layer : spec.layers) {
    const KvFormat format = formats.of(index++, layer.attention);
    const std::uint64_t bytes = layer_bytes_per_token(layer.attention, format, dtype, 1) +
                                indexer_bytes_per_token(layer.attention);
    sum.bytes_per_token += bytes;
    if (!stops_at_window(layer.attention)) {
      sum.growing_bytes_per_token += bytes;
    }
    sum.state_bytes += state_bytes(layer.state, spec.state_float32, dtype, 1);
    const CompressedSizes compressed = compressed_sizes(layer.attention, format);
    growing_page += compressed.growing_page;
    sum.bytes_per_token += compressed.windowed_per_token;
    sum.state_bytes += compressed.state;
  }
  sum.bytes_per_token += growing_page / kCompressedPage;
  sum.growing_bytes_per_token += growing_page / kCompressedPage;
  return sum;
}

std::uint64_t naive_bytes_per_token(const model::ModelSpec& spec) {
  const Attention* attention = model::first_attention(spec);
  if (attention == nullptr) {
    return 0;
  }
  const std::uint64_t head_dim = spec.hidden_size / attention->num_attention_heads;
  return 2 * attention->num_key_value_heads * head_dim * spec.layers.size() * 2;
}

}  // namespace ridgepoint::cache
