#pragma once

#include <cstdint>

#include "estimate.hpp"
#include "hardware/device.hpp"
#include "model/spec.hpp"

namespace ridgepoint::speed {

/// What the roofline needs to know. Bytes and counts are of the whole replica.
struct Load {
  std::uint64_t active_parameters = 0;
  std::uint64_t weight_bytes = 0;       ///< all weights of the replica
  std::uint64_t expert_bytes = 0;       ///< of which routed experts
  std::uint64_t embedding_bytes = 0;    ///< of which the input table, of which a step reads a row
  double expert_share_per_token = 1.0;  ///< experts a token uses / experts there are
  std::uint64_t cache_bytes_per_request = 0;  ///< read each step by one request of this length
  std::uint64_t prompt = 0;
  std::uint64_t batch = 1;  ///< requests decoding at once
  std::uint64_t gpus = 1;   ///< that share one replica
  bool eight_bit_math = false;
};

struct Speed {
  Rate ttft_s;                    ///< prefill of one prompt on an idle replica
  Rate tpot_s;                    ///< one decode step of `batch` requests
  Rate decode_tokens_per_s;       ///< of the whole batch
  std::uint64_t ridge_batch = 0;  ///< requests at which decoding turns from memory to compute bound
  bool known = false;             ///< false: the card's bandwidth or peak is not known
};

/// Two-ceiling roofline. Prefill: 2 x active parameters x prompt over peak x MFU, with MFU
/// 0.25/0.40/0.55 (literature). Decode: bytes read a step over bandwidth x MBU, with MBU
/// 0.55/0.61/0.68 (measured: A100 and H100, Llama-3-8B). A mixture's step reads the experts that
/// the batch is expected to touch.
Speed roofline(const Load& load, const hardware::Device& device);

}  // namespace ridgepoint::speed
