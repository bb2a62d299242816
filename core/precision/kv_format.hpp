#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "precision/weight_format.hpp"

namespace ridgepoint::precision {

/// How cached keys and values are stored; an axis of its own beside the weights.
/// Source of the byte rules: vLLM 0.28 v1/kv_cache_interface.py; llama.cpp ggml-common.h.
enum class KvFormat : std::uint8_t {
  model_dtype,
  fp8,                  ///< one byte a value, scales outside the cache
  int8_per_token_head,  ///< one byte a value and two inline float32 scales a token and head
  int4_per_token_head,
  nvfp4,       ///< half a byte and one FP8 scale per 16 values
  mxfp8,       ///< one byte a value and one scale byte per 32 values (SGLang)
  fp8_ds_mla,  ///< DeepSeek sparse MLA: 656 bytes a token
  turboquant_k8v4,
  turboquant_4bit_nc,
  turboquant_k3v4_nc,
  turboquant_3bit_nc,
  q8_0,  ///< ggml's blocks of 32 values, here and below: 34, 24, 22, 20, 18 and 18 bytes
  q5_1,
  q5_0,
  q4_1,
  q4_0,
  iq4_nl,
};

std::string_view kv_format_name(KvFormat format);

/// Bytes of one token of one key/value head: `key_dim` key values and `value_dim` value values.
std::uint64_t kv_bytes_per_head(KvFormat format, Dtype dtype, std::uint64_t key_dim,
                                std::uint64_t value_dim);

/// Bytes of one token of a latent (MLA) cache row of `width` values. Empty when the format does not
/// exist for MLA.
std::optional<std::uint64_t> latent_bytes(KvFormat format, Dtype dtype, std::uint64_t width);

/// The format of a `--kv-cache-dtype` value that names one; empty for "auto" and unknown names.
std::optional<KvFormat> parse_kv_format(std::string_view name);

}  // namespace ridgepoint::precision
