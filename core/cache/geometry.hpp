#pragma once

#include <cstdint>
#include <vector>

#include "model/spec.hpp"
#include "precision/kv_format.hpp"

namespace ridgepoint::cache {

/// What requests of the whole, unsharded model take in its caches.
struct Geometry {
  std::uint64_t bytes_per_token = 0;          ///< all layers that cache, windowed ones too
  std::uint64_t growing_bytes_per_token = 0;  ///< without layers that stop at a window
  std::uint64_t state_bytes = 0;              ///< a request, whatever its length
};

/// Key/value heads one rank holds: at least one, replicated beyond that (vLLM 0.28
/// config/model.py).
std::uint64_t local_kv_heads(const model::Attention& attention, std::uint64_t tensor_parallel);

/// Bytes one token takes in one layer on one rank, 0 in a layer without a cache of its own. Latent
/// rows are whole on every rank; the indexer's rows are counted apart.
std::uint64_t layer_bytes_per_token(const model::Attention& attention, precision::KvFormat format,
                                    precision::Dtype dtype, std::uint64_t tensor_parallel);

/// Bytes one token takes in the layer's indexer: FP8 keys with one float32 scale each 128 values,
/// whole on every rank; 0 where there is none (vLLM 0.28 models/deepseek_v2.py,
/// DeepseekV32IndexerCache). Beside keys and values by heads: 16-bit keys (MiniMax-M3).
std::uint64_t indexer_bytes_per_token(const model::Attention& attention);

/// Bytes of one request's state in one layer on one rank: the last inputs of the convolution in
/// `dtype`, and the recurrent state in `dtype` or, where the model or the kernel wants it,
/// float32. Source: vLLM 0.28 model_executor/layers/mamba/mamba_utils.py.
std::uint64_t state_bytes(const model::State& state, bool state_float32, precision::Dtype dtype,
                          std::uint64_t tensor_parallel);

/// How the states of a model are kept.
struct StateFormat {
  std::uint64_t convolution_bytes = 2;  ///< of one value
  std::uint64_t recurrent_bytes = 2;
  /// Inputs kept beside the kernel's own, so that drafted tokens can be taken back.
  std::uint64_t draft_tokens = 0;
};

/// The same in a format of its own. Kimi's recurrent state is float32 whatever is asked for.
std::uint64_t state_bytes(const model::State& state, const StateFormat& format,
                          std::uint64_t tensor_parallel);

/// The cache's format by layer: some layers may be left in the model's dtype.
struct LayerFormats {
  LayerFormats(precision::KvFormat all) : format(all) {}

  precision::KvFormat format;
  std::vector<std::uint64_t> plain_layers;  ///< in rising order
  bool plain_windows = false;               ///< every layer with a window

  [[nodiscard]] precision::KvFormat of(std::uint64_t layer,
                                       const model::Attention& attention) const;
};

/// What one request of `tokens` tokens takes in the whole, unsharded model: windows full, states
/// and the keys and values of an encoder's longest input included, block rounding not.
/// `windows` false: every layer keeps everything.
std::uint64_t request_bytes(const model::ModelSpec& spec, const LayerFormats& formats,
                            precision::Dtype dtype, std::uint64_t tokens, bool windows);

Geometry geometry(const model::ModelSpec& spec, const LayerFormats& formats,
                  precision::Dtype dtype);

/// What a calculator that takes every model for grouped-query attention computes:
/// 2 x num_key_value_heads x (hidden_size / num_attention_heads) x layers x 2 bytes.
std::uint64_t naive_bytes_per_token(const model::ModelSpec& spec);

}  // namespace ridgepoint::cache
