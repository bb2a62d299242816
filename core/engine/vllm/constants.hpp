#pragma once

#include <cstdint>
#include <string_view>

#include "estimate.hpp"
#include "hardware/device.hpp"

namespace ridgepoint::engine::vllm {

/// A number of the rules that changes with the version, compiled from
/// core/data/vllm_constants.json.
struct Constant {
  std::string_view name;
  std::uint32_t since;  ///< minor version, inclusive
  std::uint32_t until;
  double low;
  double best;
  double high;
  Basis basis;
  std::uint32_t starts;
  std::string_view source;  ///< the sentence of the data file
};

/// The constant of a version. `name` must be in the data file for that version.
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
