#pragma once

#include <cstdint>

#include "model/spec.hpp"
#include "precision/kv_format.hpp"

namespace ridgepoint::cache {

/// Bytes one token adds to the cache of the whole, unsharded model.
struct Geometry {
  std::uint64_t bytes_per_token = 0;          ///< all layers that cache, windowed ones too
  std::uint64_t growing_bytes_per_token = 0;  ///< without layers that stop at a window
};

/// Key/value heads one rank holds: at least one, replicated beyond that (vLLM 0.28
/// config/model.py).
std::uint64_t local_kv_heads(const model::Attention& attention, std::uint64_t tensor_parallel);

/// Bytes one token takes in one layer on one rank. Latent rows are whole on every rank.
std::uint64_t layer_bytes_per_token(const model::Attention& attention, precision::KvFormat format,
                                    precision::Dtype dtype, std::uint64_t tensor_parallel);

Geometry geometry(const model::ModelSpec& spec, precision::KvFormat format, precision::Dtype dtype);

/// What a calculator that takes every model for grouped-query attention computes:
/// 2 x num_key_value_heads x (hidden_size / num_attention_heads) x layers x 2 bytes.
std::uint64_t naive_bytes_per_token(const model::ModelSpec& spec);

}  // namespace ridgepoint::cache
