#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/llamacpp/compute_graph.hpp"
#include "engine/llamacpp/kv_cache.hpp"
#include "engine/llamacpp/placement.hpp"

namespace ridgepoint::engine::llamacpp {

/// What one device holds, as the memory table that llama.cpp prints breaks it down.
struct DeviceMemory {
  std::uint64_t model = 0;
  std::uint64_t full_cache = 0;
  std::uint64_t window_cache = 0;
  std::uint64_t state = 0;
  std::uint64_t draft_cache = 0;
  std::uint64_t compute = 0;
  std::uint64_t draft_compute = 0;  ///< of `compute`

  [[nodiscard]] std::uint64_t context() const {
    return full_cache + window_cache + state + draft_cache;
  }
  [[nodiscard]] std::uint64_t total() const { return model + context() + compute; }
};

/// The memory of one start, all devices.
struct Projection {
  Cells cells;
  Placement placement;
  std::vector<DeviceMemory> devices;
  DeviceWeights weights;
  GraphShape shape;                   ///< of the tightest device
  std::uint64_t draft_bytes = 0;      ///< a draft model's weights, on the first device
  std::uint64_t projector_bytes = 0;  ///< on the main device
  std::uint64_t adapter_bytes = 0;
  std::uint64_t host_cache_bytes = 0;
  std::size_t tightest = 0;
};

/// Works out a start for any context size and placement; the model's tensors are listed once.
class Projector {
 public:
  Projector(const Inputs& inputs, const Settings& settings);

  /// `context`: n_ctx asked for; `settings` may differ from the constructor's in slots.
  [[nodiscard]] Projection project(const Settings& settings, const Placement& placement,
                                   std::uint64_t context) const;

  /// Bytes of one device alone in that start, which is a fraction of the work with many.
  [[nodiscard]] std::uint64_t device_bytes(const Settings& settings, const Placement& placement,
                                           std::uint64_t context, std::size_t device) const;

  [[nodiscard]] const LoadedModel& model() const { return model_; }
  [[nodiscard]] Placement placement(const Settings& settings) const {
    return place_layers(settings, inputs_.model.layers.size());
  }

 private:
  void add_caches(const Settings& settings, Projection& out) const;
  [[nodiscard]] Projection project_devices(const Settings& settings, const Placement& placement,
                                           std::uint64_t context,
                                           std::optional<std::size_t> only) const;
  void add_compute(const Settings& settings, Projection& out,
                   std::optional<std::size_t> only) const;
  void add_draft(const Settings& settings, Projection& out) const;
  [[nodiscard]] GraphShape shape_of(const Settings& settings, const Projection& out,
                                    std::uint64_t device) const;
  [[nodiscard]] std::uint64_t adapter_bytes() const;
  [[nodiscard]] DeviceWeights weigh_model(const Settings& settings,
                                          const Placement& placement) const;

  const Inputs& inputs_;
  LoadedModel model_;
  LoadedModel draft_;
};

/// Memory that the driver's context, kernels and libraries take on a card (never in the log's
/// buffers), in bytes.
Bytes context_overhead(const Inputs& inputs, const Settings& settings);

}  // namespace ridgepoint::engine::llamacpp
