#pragma once

#include <cstdint>
#include <vector>

namespace ridgepoint::engine::sglang {

/// One pipeline stage's layers.
struct Stage {
  std::uint64_t first_layer = 0;
  std::uint64_t end_layer = 0;
  bool first = true;
  bool last = true;

  [[nodiscard]] std::uint64_t layers() const { return end_layer - first_layer; }
};

/// How `layers` are split over stages: the last ones take what is left over, a layer each.
/// Source: SGLang 0.5.17 distributed/utils.py, get_pp_indices.
std::vector<Stage> pipeline_stages(std::uint64_t layers, std::uint64_t pipeline);

}  // namespace ridgepoint::engine::sglang
