#include "engine/sglang/stages.hpp"

namespace ridgepoint::engine::sglang {

std::vector<Stage> pipeline_stages(std::uint64_t layers, std::uint64_t pipeline) {
  const std::uint64_t base = layers / pipeline;
  const std::uint64_t plain = pipeline - layers % pipeline;
  std::vector<Stage> stages;
  std::uint64_t begin = 0;
  for (std::uint64_t i = 0; i < pipeline; ++i) {
    const std::uint64_t end = begin + base + (i < plain ? 0 : 1);
    stages.push_back({begin, end, i == 0, i + 1 == pipeline});
    begin = end;
  }
  return stages;
}

}  // namespace ridgepoint::engine::sglang
