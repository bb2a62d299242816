#include "speed/roof.hpp"

#include <algorithm>

#include "exact_math.hpp"

namespace ridgepoint::speed {

using precision::Packing;

Math math_of(const precision::WeightFormat& format, const hardware::Device& device) {
  const bool fp8 = device.fp8_flops > 0;
  switch (format.packing) {
    case Packing::fp8_tensor:
    case Packing::fp8_channel:
    case Packing::fp8_block:
    case Packing::mxfp8:
      return fp8 ? Math::fp8 : Math::bits16;
    case Packing::int8_channel:
    case Packing::int8_tensor:
    case Packing::int8_block:
    case Packing::bnb_int8:
      return device.int8_ops > 0 ? Math::int8 : Math::bits16;
    case Packing::nvfp4:
      return device.fp4_flops > 0 ? Math::fp4 : Math::bits16;
    case Packing::mxfp4:
      return device.fp4_flops > 0 && fp8 ? Math::fp8 : Math::bits16;
    default:
      return Math::bits16;
  }
}

Peak peak_of(Math math, const hardware::Device& device, const Kernels& kernels) {
  switch (math) {
    case Math::fp8:
      return {device.fp8_flops, kernels.mfu_8};
    case Math::int8:
      return {device.int8_ops, kernels.mfu_8};
    case Math::fp4:
      return {device.fp4_flops, kernels.mfu_4};
    case Math::bits16:
      break;
  }
  return {std::max(device.bf16_flops, device.fp16_flops), kernels.mfu_16};
}

double rounded_roof(double memory_s, double compute_s) {
  constexpr double kPower = 2.3;
  const double more = std::max(memory_s, compute_s);
  const double less = std::min(memory_s, compute_s);
  if (!(less > 0)) {
    return more;
  }
  return more * exact_pow(1.0 + exact_pow(less / more, kPower), 1.0 / kPower);
}

}  // namespace ridgepoint::speed
