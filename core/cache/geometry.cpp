#include "cache/geometry.hpp"

#include <algorithm>

namespace ridgepoint::cache {

using model::Attention;
using model::AttentionKind;

std::uint64_t local_kv_heads(const Attention& attention, std::uint64_t tensor_parallel) {
  if (attention.kind == AttentionKind::latent) {
    return 1;
  }
  return std::max<std::uint64_t>(1, attention.num_key_value_heads / tensor_parallel);
}

std::uint64_t layer_bytes_per_token(const Attention& attention, precision::KvFormat format,
                                    precision::Dtype dtype, std::uint64_t tensor_parallel) {
  if (attention.kind == AttentionKind::latent) {
    const std::uint64_t width = attention.kv_lora_rank + attention.qk_rope_head_dim;
    return precision::latent_bytes(format, dtype, width)
        .value_or(width * precision::dtype_bytes(dtype));
  }
  return local_kv_heads(attention, tensor_parallel) *
         precision::kv_bytes_per_head(format, dtype, attention.head_dim, attention.v_head_dim);
}

Geometry geometry(const model::ModelSpec& spec, precision::KvFormat format,
                  precision::Dtype dtype) {
  Geometry sum;
  for (const model::Layer& layer : spec.layers) {
    const std::uint64_t bytes = layer_bytes_per_token(layer.attention, format, dtype, 1);
    sum.bytes_per_token += bytes;
    if (layer.attention.kind != AttentionKind::sliding) {
      sum.growing_bytes_per_token += bytes;
    }
  }
  return sum;
}

std::uint64_t naive_bytes_per_token(const model::ModelSpec& spec) {
  const Attention& attention = spec.layers.front().attention;
  const std::uint64_t head_dim = spec.hidden_size / attention.num_attention_heads;
  return 2 * attention.num_key_value_heads * head_dim * spec.layers.size() * 2;
}

}  // namespace ridgepoint::cache
