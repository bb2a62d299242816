#pragma once

#include <cstdint>
#include <vector>

#include "engine/engine.hpp"
#include "engine/vllm/planner.hpp"
#include "engine/vllm/settings.hpp"

namespace ridgepoint::engine::vllm {

/// Turns a model's layers into the caches of one worker, in the engine's order: attention, its
/// indexer, cross attention, state. Sources: vLLM 0.28 v1/kv_cache_interface.py,
/// platforms/interface.py.
class LayerCaches {
 public:
  LayerCaches(const Inputs& inputs, const Settings& settings);

  /// Appends the caches of a layer; `index` is its number in the model.
  void add(const model::Layer& layer, std::uint64_t index, std::vector<LayerCacheSpec>& out) const;

 private:
  void add_compressed(const model::Attention& attention, std::vector<LayerCacheSpec>& out) const;
  [[nodiscard]] LayerCacheSpec attention(const model::Attention& attention,
                                         std::uint64_t index) const;
  [[nodiscard]] LayerCacheSpec row(std::uint64_t bytes) const;
  [[nodiscard]] std::uint64_t attention_bytes(const model::Attention& attention,
                                              std::uint64_t index) const;
  [[nodiscard]] std::uint64_t state_bytes(const model::State& state) const;
  void align_states();

  const Inputs& inputs_;
  const Settings& settings_;
  cache::LayerFormats formats_;
  std::uint64_t tp_;
  std::uint64_t block_size_;
  std::uint64_t state_page_ = 0;
};

/// The formats of a request's caches by layer.
cache::LayerFormats layer_formats(const Settings& settings);

}  // namespace ridgepoint::engine::vllm
