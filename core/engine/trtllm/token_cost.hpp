#pragma once

#include <cstdint>
#include <vector>

#include "engine/engine.hpp"
#include "engine/trtllm/settings.hpp"

namespace ridgepoint::engine::trtllm {

/// The layers of one pipeline stage.
struct Stage {
  std::uint64_t first_layer = 0;
  std::uint64_t end_layer = 0;
  bool first = true;
  bool last = true;
};

/// The stages, the first ones longer by a layer where the layers do not divide. Source:
/// TensorRT-LLM 1.2 mapping.py, pp_layers.
std::vector<Stage> pipeline_stages(std::uint64_t layers, std::uint64_t pipeline);

/// Layers of one stage that share a window, and what a token takes in them.
struct WindowCost {
  std::uint64_t window = 0;     ///< in tokens; 0: none
  std::uint64_t allocated = 0;  ///< bytes a token as the cache manager lays them out
};

/// What one rank's cache takes, in bytes.
struct TokenCost {
  /// A token as the capacity estimate counts it ("kv size per token"): values of all heads over
  /// the ranks, so that heads copied to further ranks are not counted.
  std::uint64_t estimated = 0;
  /// A token as the manager lays it out: whole heads, prediction and draft layers included.
  std::uint64_t allocated = 0;
  std::vector<WindowCost> windows;  ///< smallest first; empty: no windows are set
  std::uint64_t state = 0;          ///< recurrent states of one request
};

/// Source: TensorRT-LLM 1.2 and 1.3 _torch/pyexecutor/resource_manager.py, KVCacheManager
/// get_cache_size_per_token and get_cache_bytes_per_token; kv_cache/mamba_cache_manager for states.
TokenCost token_cost(const Inputs& inputs, const Settings& settings, const Stage& stage);

/// Bytes of one token of the whole, unsharded model with the layers that guess ahead, and its
/// share in layers without a window.
struct WholeCost {
  std::uint64_t per_token = 0;
  std::uint64_t growing = 0;
};
WholeCost whole_cost(const Inputs& inputs, const Settings& settings);

}  // namespace ridgepoint::engine::trtllm
