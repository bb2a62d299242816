#pragma once

#include <cstdint>
#include <string_view>

#include "engine/constants.hpp"
#include "hardware/device.hpp"

namespace ridgepoint::engine::vllm {

/// The constant of a version, from core/data/vllm_constants.json; versions are numbered by their
/// minor.
const Constant& constant(std::string_view name, std::uint32_t minor);

struct BatchDefaults {
  std::uint32_t since;
  std::uint32_t until;
  std::uint64_t least_bytes;  ///< of the memory the driver reports
  bool not_a100;
  std::uint64_t max_num_batched_tokens;
  std::uint64_t max_num_seqs;
};

/// Defaults of `vllm serve` on a card: the first row of the data file that applies.
const BatchDefaults& batch_defaults(const hardware::Device& device, std::uint32_t minor);

}  // namespace ridgepoint::engine::vllm
