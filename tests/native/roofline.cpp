#include "roofline.hpp"

#include <algorithm>
#include <cmath>

namespace ridgepoint::speed {
namespace {

constexpr double kMfu[] = {0.25, 0.40, 0.55};
constexpr double kMbu[] = {0.55, 0.61, 0.68};
constexpr std::uint32_t kMbuStarts = 2;

double peak_flops(const Load& load, const hardware::Device& device) {
  if (load.eight_bit_math && device.fp8_flops > 0) {
    return device.fp8_flops;
  }
  return std::max(device.bf16_flops, device.fp16_flops);
}

/// Share of the experts that `batch` tokens touch together, each choosing on its own:
/// 1 - (1 - share)^batch. Multiplied out, so that every build gives the same bits.
double touched(double share, std::uint64_t batch) {
  double untouched = 1.0;
  double base = 1.0 - share;
  for (std::uint64_t n = batch; n != 0; n >>= 1U) {
    if ((n & 1U) != 0) {
      untouched *= base;
    }
    base *= base;
  }
  return 1.0 - untouched;
}

}  // namespace

Speed roofline(const Load& load, const hardware::Device& device) {
  Speed speed;
  const double flops = peak_flops(load, device) * static_cast<double>(load.gpus);
  const double bandwidth = device.bandwidth_bytes_per_s * static_cast<double>(load.gpus);
  if (!(flops > 0) || !(bandwidth > 0)) {
    return speed;
  }
  speed.known = true;
  const double flops_a_token = 2.0 * static_cast<double>(load.active_parameters);
  const double prefill = flops_a_token * static_cast<double>(load.prompt) / flops;
  speed.ttft_s = {prefill / kMfu[2], prefill / kMfu[1], prefill / kMfu[0], Basis::literature, 0};

  const auto expert_bytes = static_cast<double>(load.expert_bytes);
  const double always_read =
      static_cast<double>(load.weight_bytes - load.embedding_bytes) - expert_bytes;
  const double weights_read =
      always_read + expert_bytes * touched(load.expert_share_per_token, load.batch);
  const auto batch = static_cast<double>(load.batch);
  const double step =
      (weights_read + batch * static_cast<double>(load.cache_bytes_per_request)) / bandwidth;
  const double compute = flops_a_token * batch / flops;
  const auto step_time = [&](int i) { return std::max(step / kMbu[i], compute / kMfu[i]); };
  speed.tpot_s = {step_time(2), step_time(1), step_time(0), Basis::measured, kMbuStarts};
  speed.decode_tokens_per_s = {batch / step_time(0), batch / step_time(1), batch / step_time(2),
                               Basis::measured, kMbuStarts};
  const double ridge = (weights_read / bandwidth) / (flops_a_token / flops);
  speed.ridge_batch = static_cast<std::uint64_t>(std::max(1.0, std::floor(std::min(ridge, 1e9))));
  return speed;
}

}  // namespace ridgepoint::speed
