#include "precision/weight_format.hpp"

#include "arithmetic.hpp"

namespace ridgepoint::precision {
namespace {

constexpr std::uint64_t kScaleBytes = 2;
constexpr std::uint64_t kFloatBytes = 4;

std::uint64_t packed_int32_bytes(std::uint64_t values, std::uint32_t bits) {
  return ceil_div(values * bits, 32) * 4;
}

std::uint64_t groups_of(const WeightFormat& format, std::uint64_t in) {
  return format.group_size == 0 ? 1 : ceil_div(in, format.group_size);
}

struct Pieces {
  std::uint64_t values;
  std::uint64_t scales;
  std::uint64_t zeros;
  std::uint64_t group_index;
  std::uint64_t shape_record;  ///< pack-quantized stores each weight's shape as two int64
};

Pieces pieces(const WeightFormat& format, Dtype dtype, std::uint64_t out, std::uint64_t in) {
  const std::uint64_t static_scale = format.static_activation ? kFloatBytes : 0;
  switch (format.packing) {
    case Packing::plain:
      return {out * in * dtype_bytes(dtype), 0, 0, 0, 0};
    case Packing::fp8_tensor:
      return {out * in, kFloatBytes + static_scale, 0, 0, 0};
    case Packing::fp8_channel:
    case Packing::int8_channel:
      return {out * in, out * kFloatBytes + static_scale, 0, 0, 0};
    case Packing::fp8_block:
      return {out * in,
              ceil_div(out, format.block_rows) * ceil_div(in, format.block_cols) * kFloatBytes, 0,
              0, 0};
    case Packing::awq: {
      const std::uint64_t groups = groups_of(format, in);
      return {in * packed_int32_bytes(out, format.bits), groups * out * kScaleBytes,
              groups * packed_int32_bytes(out, format.bits), 0, 0};
    }
    case Packing::gptq: {
      const std::uint64_t groups = groups_of(format, in);
      return {packed_int32_bytes(in, format.bits) * out, groups * out * kScaleBytes,
              groups * packed_int32_bytes(out, format.bits), in * 4, 0};
    }
    case Packing::packed_int: {
      const std::uint64_t groups = groups_of(format, in);
      return {out * packed_int32_bytes(in, format.bits), groups * out * kScaleBytes,
              format.symmetric ? 0 : groups * packed_int32_bytes(out, format.bits), 0, 16};
    }
    case Packing::mxfp4:
      return {out * ceil_div(in, 2), out * ceil_div(in, 32), 0, 0, 0};
    case Packing::nvfp4:
      return {out * ceil_div(in, 2), out * ceil_div(in, 16) + 2 * kFloatBytes, 0, 0, 0};
    case Packing::bnb_nf4: {
      const std::uint64_t blocks = ceil_div(out * in, 64);
      const std::uint64_t code_table = 16 * kFloatBytes;
      if (!format.double_quantised) {
        return {ceil_div(out * in, 2), blocks * kFloatBytes + code_table, 0, 0, 0};
      }
      return {ceil_div(out * in, 2),
              blocks + ceil_div(blocks, 256) * kFloatBytes + 256 * kFloatBytes + code_table, 0, 0,
              0};
    }
    case Packing::bnb_int8:
      return {out * in, out * kFloatBytes, 0, 0, 0};
  }
  return {};
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
  const auto grouped = [&](std::string name) {
    name += " " + std::to_string(format.bits) + "-bit";
    if (format.group_size != 0) {
      name += " g" + std::to_string(format.group_size);
    }
    return name;
  };
  switch (format.packing) {
    case Packing::plain:
      return std::string(dtype_name(dtype));
    case Packing::fp8_tensor:
      return "FP8 per tensor";
    case Packing::fp8_channel:
      return "FP8 per channel";
    case Packing::fp8_block:
      return "FP8 " + std::to_string(format.block_rows) + "x" + std::to_string(format.block_cols) +
             " blocks";
    case Packing::int8_channel:
      return "INT8 per channel";
    case Packing::awq:
      return grouped("AWQ");
    case Packing::gptq:
      return grouped("GPTQ");
    case Packing::packed_int:
      return grouped("packed integer");
    case Packing::mxfp4:
      return "MXFP4";
    case Packing::nvfp4:
      return "NVFP4";
    case Packing::bnb_nf4:
      return "bitsandbytes 4-bit";
    case Packing::bnb_int8:
      return "bitsandbytes 8-bit";
  }
  return "";
}

std::uint64_t checkpoint_bytes(const WeightFormat& format, Dtype dtype, std::uint64_t out,
                               std::uint64_t in) {
  const Pieces p = pieces(format, dtype, out, in);
  return p.values + p.scales + p.zeros + p.group_index + p.shape_record;
}

std::uint64_t loaded_bytes(const WeightFormat& format, Dtype dtype, std::uint64_t out,
                           std::uint64_t in) {
  const Pieces p = pieces(format, dtype, out, in);
  const bool drops_zeros = format.packing == Packing::gptq && format.symmetric;
  return p.values + p.scales + (drops_zeros ? 0 : p.zeros) +
         (format.activation_order ? p.group_index : 0);
}

}  // namespace ridgepoint::precision
