#pragma once

#include <cstdint>

#include "hardware/device.hpp"
#include "precision/weight_format.hpp"
#include "speed/kernels.hpp"

namespace ridgepoint::speed {

/// The arithmetic a matrix product runs in.
enum class Math : std::uint8_t { bits16, fp8, int8, fp4 };

/// What a card computes with weights of a format: their own arithmetic where card and format have
/// it, else 16 bits, into which the weights are unpacked on the way (AWQ, GPTQ and all others that
/// leave activations alone; FP8 on Ampere; NVFP4 and MXFP4 on Hopper and before). MXFP4 beside
/// 16-bit or FP8 activations runs at the FP8 rate (Blackwell's mixed products).
Math math_of(const precision::WeightFormat& format, const hardware::Device& device);

/// The card's peak in that arithmetic, FLOP/s, and the share of it that large products reach.
struct Peak {
  double flops = 0;
  double share = 0;

  [[nodiscard]] double reached() const { return flops * share; }
};
Peak peak_of(Math math, const hardware::Device& device, const Kernels& kernels);

/// The time of work that `memory` and `compute` seconds bound: above both, and 35 % above where
/// they meet, as measured products are ((memory^p + compute^p)^(1/p), p = 2.3).
double rounded_roof(double memory_s, double compute_s);

}  // namespace ridgepoint::speed
