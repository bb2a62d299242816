#include "precision/weight_format.hpp"

#include "arithmetic.hpp"
#include "wording.hpp"

namespace ridgepoint::precision {
namespace {

/// Equal elements of one stored tensor.
struct Elements {
  std::uint64_t count = 0;
  std::uint64_t bytes_each = 1;

  [[nodiscard]] std::uint64_t bytes() const { return count * bytes_each; }
};

struct Pieces {
  Elements values;
  Elements scales;
  Elements further;  ///< float32 scales of whole tensors, code tables
  Elements inputs;   ///< what smooths or scales the activations
  Elements zeros;
  Elements group_index;
  Elements shape_record;  ///< pack-quantized stores each weight's shape as two int64
};

constexpr std::uint64_t kFloatBytes = 4;
constexpr std::uint64_t kHalfBytes = 2;

std::uint64_t words(std::uint64_t values, std::uint64_t bits) {
  return ceil_div(values * bits, 32);
}

/// compressed-tensors does not let a value straddle two words: 3 bits go ten to an int32.
std::uint64_t whole_words(std::uint64_t values, std::uint64_t bits) {
  return ceil_div(values, 32 / bits);
}

std::uint64_t groups_of(const WeightFormat& format, std::uint64_t in) {
  return format.group_size == 0 ? 1 : ceil_div(in, format.group_size);
}

Elements scales(const WeightFormat& format, std::uint64_t count, std::uint64_t bytes_each) {
  return {count, format.scale_bytes == 0 ? bytes_each : format.scale_bytes};
}

/// One byte a value, and `count` scales.
Pieces bytewise(const WeightFormat& format, std::uint64_t out, std::uint64_t in,
                std::uint64_t count, std::uint64_t scale_bytes) {
  Pieces p;
  p.values = {out * in, 1};
  p.scales = scales(format, count, scale_bytes);
  p.zeros = {format.symmetric ? 0 : count, 1};
  return p;
}

std::uint64_t tiles(const WeightFormat& format, std::uint64_t out, std::uint64_t in) {
  return ceil_div(out, format.block_rows) * ceil_div(in, format.block_cols);
}

Pieces bitsandbytes_4bit(const WeightFormat& format, std::uint64_t out, std::uint64_t in) {
  constexpr std::uint64_t table = 16;
  const std::uint64_t blocks = ceil_div(out * in, 64);
  Pieces p;
  p.values = {ceil_div(ceil_div(out * in, 2), format.storage_bytes), format.storage_bytes};
  if (format.double_quantised) {
    p.scales = {blocks, 1};
    p.further = {ceil_div(blocks, 256) + 256 + table, kFloatBytes};
  } else {
    p.scales = {blocks, kFloatBytes};
    p.further = {table, kFloatBytes};
  }
  return p;
}

/// hqq packs along the rows of its groups: whole bytes of 1, 2, 4 or 8 bits, and for 3 bits ten
/// values an int32.
Pieces hqq(const WeightFormat& format, std::uint64_t out, std::uint64_t in) {
  const std::uint64_t groups = format.group_size == 0 ? out : ceil_div(out * in, format.group_size);
  Pieces p;
  p.values = format.bits == 3 ? Elements{ceil_div(out * in, 10), 4}
                              : Elements{ceil_div(out * in * format.bits, 8), 1};
  p.scales = scales(format, groups, kHalfBytes);
  p.zeros = {groups, kHalfBytes};
  return p;
}

Pieces aqlm(const WeightFormat& format, std::uint64_t out, std::uint64_t in) {
  const std::uint64_t code_bytes = format.bits <= 8 ? 1 : 2;
  const std::uint64_t tile = std::uint64_t{format.block_rows} * format.block_cols;
  Pieces p;
  p.values = {tiles(format, out, in) * format.codebooks, code_bytes};
  p.scales = {ceil_div(out, format.block_rows), kHalfBytes};
  p.further = {(std::uint64_t{1} << format.bits) * tile * format.codebooks, kHalfBytes};
  return p;
}

Pieces weight_pieces(const WeightFormat& format, Dtype dtype, std::uint64_t out, std::uint64_t in) {
  const std::uint64_t groups = groups_of(format, in);
  Pieces p;
  switch (format.packing) {
    case Packing::plain:
      p.values = {out * in, dtype_bytes(dtype)};
      return p;
    case Packing::fp8_tensor:
    case Packing::int8_tensor:
      return bytewise(format, out, in, 1, kFloatBytes);
    case Packing::fp8_channel:
    case Packing::int8_channel:
    case Packing::bnb_int8:
      return bytewise(format, out, in, out, kFloatBytes);
    case Packing::fp8_block:
    case Packing::int8_block:
      return bytewise(format, out, in, tiles(format, out, in), kFloatBytes);
    case Packing::mxfp8:
      return bytewise(format, out, in, out * ceil_div(in, 32), 1);
    case Packing::awq:
      p.values = {in * words(out, format.bits), 4};
      p.scales = scales(format, groups * out, kHalfBytes);
      p.zeros = {groups * words(out, format.bits), 4};
      return p;
    case Packing::gptq:
      p.values = {words(in, format.bits) * out, 4};
      p.scales = scales(format, groups * out, kHalfBytes);
      p.zeros = {groups * words(out, format.bits), 4};
      p.group_index = {format.group_index ? in : 0, 4};
      return p;
    case Packing::packed_int:
      p.values = {out * whole_words(in, format.bits), 4};
      p.scales = scales(format, groups * out, kHalfBytes);
      p.zeros = {format.symmetric ? 0 : groups * whole_words(out, format.bits), 4};
      p.group_index = {format.activation_order ? in : 0, 4};
      p.shape_record = {2, 8};
      return p;
    case Packing::mxfp4:
      p.values = {out * ceil_div(in, 2), 1};
      p.scales = {out * ceil_div(in, 32), 1};
      return p;
    case Packing::nvfp4:
      p.values = {out * ceil_div(in, 2), 1};
      p.scales = {out * ceil_div(in, 16), 1};
      p.further = {format.tensor_scales, kFloatBytes};
      return p;
    case Packing::bnb_nf4:
      return bitsandbytes_4bit(format, out, in);
    case Packing::mlx:
      p.values = {out * words(in, format.bits), 4};
      p.scales = scales(format, groups * out, kHalfBytes);
      p.zeros = scales(format, groups * out, kHalfBytes);
      return p;
    case Packing::packed_group:
      p.values = {out * ceil_div(in * format.bits, 8), 1};
      p.scales = scales(format, groups * out, kHalfBytes);
      p.zeros = {format.zero_bits == 0 ? 0 : ceil_div(groups * out * format.zero_bits, 8), 1};
      return p;
    case Packing::hqq:
      return hqq(format, out, in);
    case Packing::marlin_24:
      p.values = {out * words(ceil_div(in, 2), format.bits), 4};
      p.scales = scales(format, groups * out, kHalfBytes);
      p.further = {out * ceil_div(in, 16), 2};
      return p;
    case Packing::bitnet:
      p.values = {ceil_div(out, 4) * in, 1};
      p.scales = {1, kHalfBytes};
      return p;
    case Packing::aqlm:
      return aqlm(format, out, in);
  }
  return p;
}

Pieces pieces(const WeightFormat& format, Dtype dtype, std::uint64_t out, std::uint64_t in) {
  Pieces p = weight_pieces(format, dtype, out, in);
  if (format.input_scales) {
    p.inputs = {in, kHalfBytes};
  } else if (format.static_activation) {
    p.inputs = {1, kFloatBytes};
  }
  return p;
}

std::uint64_t count_beside(const Pieces& p) {
  return p.scales.count + p.further.count + p.inputs.count + p.zeros.count + p.group_index.count +
         p.shape_record.count;
}

std::string block(const WeightFormat& format, const std::string& name) {
  return worded({name, " ", format.block_rows, "x", format.block_cols, " blocks"});
}

/// "AWQ" in "AWQ 4-bit g128"; empty for formats whose bits need no saying.
std::string_view grouped_name(Packing packing) {
  switch (packing) {
    case Packing::awq:
      return "AWQ";
    case Packing::gptq:
      return "GPTQ";
    case Packing::packed_int:
    case Packing::packed_group:
      return "packed integer";
    case Packing::mlx:
      return "MLX";
    case Packing::hqq:
      return "HQQ";
    case Packing::marlin_24:
      return "2:4 sparse integer";
    default:
      return "";
  }
}

}  // namespace

std::string_view dtype_name(Dtype dtype) {
  switch (dtype) {
    case Dtype::float32:
      return "float32";
    case Dtype::float16:
      return "float16";
    case Dtype::bfloat16:
      return "bfloat16";
  }
  return "";
}

std::string describe(const WeightFormat& format, Dtype dtype) {
  if (const std::string_view name = grouped_name(format.packing); !name.empty()) {
    std::string text = worded({name, " ", format.bits, "-bit"});
    if (format.group_size != 0) {
      text += worded({" g", format.group_size});
    }
    return text;
  }
  switch (format.packing) {
    case Packing::fp8_tensor:
      return "FP8 per tensor";
    case Packing::fp8_channel:
      return "FP8 per channel";
    case Packing::fp8_block:
      return block(format, "FP8");
    case Packing::int8_tensor:
      return "INT8 per tensor";
    case Packing::int8_channel:
      return "INT8 per channel";
    case Packing::int8_block:
      return block(format, "INT8");
    case Packing::mxfp8:
      return "MXFP8";
    case Packing::mxfp4:
      return "MXFP4";
    case Packing::nvfp4:
      return "NVFP4";
    case Packing::bnb_nf4:
      return "bitsandbytes 4-bit";
    case Packing::bnb_int8:
      return "bitsandbytes 8-bit";
    case Packing::bitnet:
      return "BitNet ternary";
    case Packing::aqlm:
      return worded({"AQLM ", std::uint32_t{format.codebooks}, "x", format.bits});
    default:
      return std::string(dtype_name(dtype));
  }
}

std::uint64_t checkpoint_bytes(const WeightFormat& format, Dtype dtype, std::uint64_t out,
                               std::uint64_t in) {
  const Pieces p = pieces(format, dtype, out, in);
  return p.values.bytes() + p.scales.bytes() + p.further.bytes() + p.inputs.bytes() +
         p.zeros.bytes() + p.group_index.bytes() + p.shape_record.bytes();
}

std::uint64_t loaded_bytes(const WeightFormat& format, Dtype dtype, std::uint64_t out,
                           std::uint64_t in) {
  const Pieces p = pieces(format, dtype, out, in);
  const bool drops_zeros = format.packing == Packing::gptq && format.symmetric;
  return p.values.bytes() + p.scales.bytes() + p.further.bytes() + p.inputs.bytes() +
         (drops_zeros ? 0 : p.zeros.bytes()) +
         (format.activation_order ? p.group_index.bytes() : 0);
}

std::uint64_t value_bytes(const WeightFormat& format, Dtype dtype, std::uint64_t out,
                          std::uint64_t in) {
  return pieces(format, dtype, out, in).values.bytes();
}

std::uint64_t scale_count(const WeightFormat& format, std::uint64_t out, std::uint64_t in) {
  return count_beside(pieces(format, Dtype::bfloat16, out, in));
}

std::uint64_t stored_elements(const WeightFormat& format, std::uint64_t out, std::uint64_t in) {
  const Pieces p = pieces(format, Dtype::bfloat16, out, in);
  return p.values.count + count_beside(p);
}

}  // namespace ridgepoint::precision
