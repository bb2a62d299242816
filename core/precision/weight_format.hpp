#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ridgepoint::precision {

/// The type in which unquantised weights and activations are held.
enum class Dtype : std::uint8_t { float32, float16, bfloat16 };

constexpr std::uint64_t dtype_bytes(Dtype dtype) { return dtype == Dtype::float32 ? 4 : 2; }
std::string_view dtype_name(Dtype dtype);

/// How the weight of a linear layer is stored.
enum class Packing : std::uint8_t {
  plain,         ///< in the model's dtype
  fp8_tensor,    ///< FP8, one float32 scale a tensor
  fp8_channel,   ///< FP8, one float32 scale an output row
  fp8_block,     ///< FP8, one float32 scale a block_rows x block_cols tile
  int8_channel,  ///< INT8, one float32 scale an output row
  awq,           ///< int32-packed, 16-bit scales and packed zeros per group
  gptq,          ///< as awq, and an int32 group index per input (g_idx)
  packed_int,    ///< compressed-tensors pack-quantized: 16-bit scales, zeros only if asymmetric
  mxfp4,         ///< 4-bit float, one 8-bit scale per 32 inputs
  nvfp4,         ///< 4-bit float, one FP8 scale per 16 inputs, float32 scales a tensor
  bnb_nf4,       ///< bitsandbytes 4-bit (NF4 or FP4), one scale per 64 elements
  bnb_int8,      ///< bitsandbytes LLM.int8, one float32 scale an output row
  int8_tensor,   ///< INT8, one scale a tensor
  int8_block,    ///< INT8, one scale a block_rows x block_cols tile
  mxfp8,         ///< FP8, one 8-bit scale per 32 inputs
  mlx,           ///< MLX affine: int32-packed, a 16-bit scale and bias per group
  packed_group,  ///< integers packed in bytes, 16-bit scales, zero_bits of zero point per group
  hqq,           ///< as packed_group, groups over the whole tensor and 3 bits ten to an int32
  marlin_24,     ///< 2:4 sparse integers: half the values, two bits of position for each
  bitnet,        ///< ternary, four to a byte along the outputs, one 16-bit scale a tensor
  aqlm,          ///< additive codebooks: codes of block_rows x block_cols tiles, shared codebooks
};

struct WeightFormat {
  Packing packing = Packing::plain;
  std::uint32_t bits = 16;
  std::uint32_t group_size = 0;  ///< inputs that share a scale; 0: the whole row
  std::uint32_t block_rows = 0;  ///< fp8_block, int8_block, aqlm
  std::uint32_t block_cols = 0;
  bool symmetric = true;           ///< false: zero points carry information and stay
  bool activation_order = false;   ///< GPTQ desc_act: the group index stays on the GPU
  bool static_activation = false;  ///< one float32 input scale a tensor
  bool double_quantised = false;   ///< bitsandbytes nested scales
  bool group_index = true;         ///< GPTQ: the file holds g_idx (auto-round's does not)
  bool input_scales = false;       ///< a 16-bit smoothing factor per input (ModelOpt AWQ)
  std::uint8_t scale_bytes = 0;    ///< of one scale; 0: as said at the Packing
  std::uint8_t zero_bits = 0;      ///< packed_group: zero point of a group
  std::uint8_t tensor_scales = 2;  ///< nvfp4: float32 scales a tensor (weight, and input if static)
  std::uint8_t storage_bytes = 1;  ///< bitsandbytes: size of the elements 4-bit values are kept in
  std::uint8_t codebooks = 0;      ///< aqlm; `bits` are those of one code

  friend bool operator==(const WeightFormat&, const WeightFormat&) = default;
};

/// For people: "AWQ 4-bit g128", "FP8 128x128 blocks" …
std::string describe(const WeightFormat& format, Dtype dtype);

/// Bytes of one `out` x `in` weight in a checkpoint, scales and zero points included.
/// Shapes: AutoAWQ and GPTQ pack 32/bits values an int32 along one axis and round up; the others as
/// their exporters write them (compressed-tensors compressors, ModelOpt unified export, MLX
/// quantize, hqq bitpack, AQLM inference, bitsandbytes QuantState).
std::uint64_t checkpoint_bytes(const WeightFormat& format, Dtype dtype, std::uint64_t out,
                               std::uint64_t in);

/// Bytes of the same weight once an engine has loaded it: Marlin-style kernels drop GPTQ's group
/// index unless desc_act is on, and zero points of symmetric formats (vLLM
/// model_executor/layers/quantization/gptq_marlin.py, compressed_tensors). Repacking keeps the
/// size.
std::uint64_t loaded_bytes(const WeightFormat& format, Dtype dtype, std::uint64_t out,
                           std::uint64_t in);

/// Bytes of the packed values alone, the largest of the tensors that one weight becomes.
std::uint64_t value_bytes(const WeightFormat& format, Dtype dtype, std::uint64_t out,
                          std::uint64_t in);

/// Elements of the tensors stored beside the weight itself: scales, zero points, group index, shape
/// records. What Hugging Face's `safetensors.total` has above the logical parameters of an FP8
/// checkpoint.
std::uint64_t scale_count(const WeightFormat& format, std::uint64_t out, std::uint64_t in);

/// Elements of all tensors stored for one weight, packed values counted by what they are packed in
/// (bytes or int32), as `safetensors.total` counts MLX, NVFP4 and most pack-quantized repositories.
/// Of GPTQ, AWQ and gpt-oss it counts the unpacked values, out x in, and it leaves ModelOpt's
/// scales out.
std::uint64_t stored_elements(const WeightFormat& format, std::uint64_t out, std::uint64_t in);

}  // namespace ridgepoint::precision
