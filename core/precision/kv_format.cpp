#include "precision/kv_format.hpp"

#include "arithmetic.hpp"

namespace ridgepoint::precision {
namespace {

std::uint64_t even_up(std::uint64_t n) { return n + n % 2; }

/// TurboQuant rows hold a key part and a value part, each with its own inline scales.
std::uint64_t turboquant(std::uint64_t key_part, std::uint64_t value_part) {
  return even_up(key_part + value_part);
}

std::uint64_t ggml_blocks(std::uint64_t key_dim, std::uint64_t value_dim, std::uint64_t bytes) {
  constexpr std::uint64_t kBlock = 32;
  return (ceil_div(key_dim, kBlock) + ceil_div(value_dim, kBlock)) * bytes;
}

}  // namespace

std::string_view kv_format_name(KvFormat format) {
  switch (format) {
    case KvFormat::model_dtype:
      return "model dtype";
    case KvFormat::fp8:
      return "fp8";
    case KvFormat::int8_per_token_head:
      return "int8_per_token_head";
    case KvFormat::int4_per_token_head:
      return "int4_per_token_head";
    case KvFormat::nvfp4:
      return "nvfp4";
    case KvFormat::mxfp8:
      return "mxfp8";
    case KvFormat::fp8_ds_mla:
      return "fp8_ds_mla";
    case KvFormat::turboquant_k8v4:
      return "turboquant_k8v4";
    case KvFormat::turboquant_4bit_nc:
      return "turboquant_4bit_nc";
    case KvFormat::turboquant_k3v4_nc:
      return "turboquant_k3v4_nc";
    case KvFormat::turboquant_3bit_nc:
      return "turboquant_3bit_nc";
    case KvFormat::q8_0:
      return "q8_0";
    case KvFormat::q5_1:
      return "q5_1";
    case KvFormat::q5_0:
      return "q5_0";
    case KvFormat::q4_1:
      return "q4_1";
    case KvFormat::q4_0:
      return "q4_0";
    case KvFormat::iq4_nl:
      return "iq4_nl";
  }
  return "";
}

std::uint64_t kv_bytes_per_head(KvFormat format, Dtype dtype, std::uint64_t key_dim,
                                std::uint64_t value_dim) {
  switch (format) {
    case KvFormat::model_dtype:
      return (key_dim + value_dim) * dtype_bytes(dtype);
    case KvFormat::fp8:
    case KvFormat::fp8_ds_mla:
      return key_dim + value_dim;
    case KvFormat::int8_per_token_head:
      return key_dim + value_dim + 8;
    case KvFormat::int4_per_token_head:
      return key_dim / 2 + value_dim / 2 + 8;
    case KvFormat::nvfp4:
      return key_dim / 2 + key_dim / 16 + value_dim / 2 + value_dim / 16;
    case KvFormat::mxfp8:
      return key_dim + value_dim + (key_dim + value_dim) / 32;
    case KvFormat::turboquant_k8v4:
      return turboquant(key_dim, ceil_div(value_dim, 2) + 4);
    case KvFormat::turboquant_4bit_nc:
      return turboquant(ceil_div(key_dim, 2) + 2, ceil_div(value_dim, 2) + 4);
    case KvFormat::turboquant_k3v4_nc:
      return turboquant(ceil_div(3 * key_dim, 8) + 2, ceil_div(value_dim, 2) + 4);
    case KvFormat::turboquant_3bit_nc:
      return turboquant(ceil_div(3 * key_dim, 8) + 2, ceil_div(3 * value_dim, 8) + 4);
    case KvFormat::q8_0:
      return ggml_blocks(key_dim, value_dim, 34);
    case KvFormat::q5_1:
      return ggml_blocks(key_dim, value_dim, 24);
    case KvFormat::q5_0:
      return ggml_blocks(key_dim, value_dim, 22);
    case KvFormat::q4_1:
      return ggml_blocks(key_dim, value_dim, 20);
    case KvFormat::q4_0:
    case KvFormat::iq4_nl:
      return ggml_blocks(key_dim, value_dim, 18);
  }
  return 0;
}

std::optional<std::uint64_t> latent_bytes(KvFormat format, Dtype dtype, std::uint64_t width) {
  switch (format) {
    case KvFormat::model_dtype:
      return width * dtype_bytes(dtype);
    case KvFormat::fp8:
      return width;
    case KvFormat::fp8_ds_mla:
      return 656;
    case KvFormat::int8_per_token_head:
      return width + 8;
    default:
      return std::nullopt;
  }
}

std::optional<KvFormat> parse_kv_format(std::string_view name) {
  if (name == "fp8" || name == "fp8_e4m3" || name == "fp8_e5m2" || name == "fp8_inc") {
    return KvFormat::fp8;
  }
  if (name == "bfloat16" || name == "float16") {
    return KvFormat::model_dtype;
  }
  if (name == "fp8_per_token_head") {
    return KvFormat::int8_per_token_head;
  }
  if (name == "nvfp4_4over6") {
    return KvFormat::nvfp4;
  }
  for (const KvFormat format :
       {KvFormat::int8_per_token_head, KvFormat::int4_per_token_head, KvFormat::nvfp4,
        KvFormat::fp8_ds_mla, KvFormat::turboquant_k8v4, KvFormat::turboquant_4bit_nc,
        KvFormat::turboquant_k3v4_nc, KvFormat::turboquant_3bit_nc}) {
    if (name == kv_format_name(format)) {
      return format;
    }
  }
  return std::nullopt;
}

}  // namespace ridgepoint::precision
