#pragma once

#include <cstdint>
#include <string_view>

#include "engine/constants.hpp"
#include "engine/vllm/version.hpp"
#include "hardware/device.hpp"

namespace ridgepoint::engine::vllm {

/// The constant of a version, from core/data/vllm_constants.json; versions are numbered by their
/// minor.
const Constant& constant(std::string_view name, std::uint32_t minor);

struct BatchDefaults {
  std::uint32_t since;  ///< 100 x minor + patch
  std::uint32_t until;
  std::uint64_t least_bytes;  ///< of the memory the driver reports
  bool not_a100;
  bool hopper_only;  ///< cards called H100 or H200
  std::uint64_t max_num_batched_tokens;
  std::uint64_t max_num_seqs;
};

/// Null for an architecture whose pictures are not known.
struct MediaFacts;
const MediaFacts* media_facts(std::string_view architecture);

/// Defaults of `vllm serve` on a card: the first row of the data file that applies.
const BatchDefaults& batch_defaults(const hardware::Device& device, const Version& version);

}  // namespace ridgepoint::engine::vllm
