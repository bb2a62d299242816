#include "engine/sglang/geometry.hpp"

#include <algorithm>

#include "arithmetic.hpp"

namespace ridgepoint::engine::sglang {

Geometry whole_geometry(const Inputs& inputs, const Settings& settings) {
  Settings unsharded = settings;
  unsharded.parallelism = {};
  unsharded.attention_tensor = 1;
  unsharded.draft = {};
  const std::vector<Stage> stages = pipeline_stages(inputs.model.layers.size(), 1);
  const PoolLayout layout = pool_layout(inputs, unsharded, stages);
  const StageLayout& stage = layout.stages.front();
  Geometry geometry;
  geometry.state_bytes = layout.slot_bytes;
  std::uint64_t windowed = stage.cell.window;
  geometry.growing_bytes_per_token = stage.cell.full;
  if (layout.kind == PoolKind::compressed) {
    geometry.growing_bytes_per_token = static_cast<std::uint64_t>(stage.compressed.growing);
    windowed = stage.compressed.window;
  }
  geometry.bytes_per_token = geometry.growing_bytes_per_token + windowed;
  const std::uint64_t kept = std::min(settings.context, layout.window);
  geometry.bytes_per_request =
      saturating_product(geometry.growing_bytes_per_token, settings.context) +
      saturating_product(windowed, kept) + geometry.state_bytes;
  return geometry;
}

}  // namespace ridgepoint::engine::sglang
