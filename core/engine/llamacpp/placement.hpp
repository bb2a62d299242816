#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/llamacpp/gguf_tensors.hpp"
#include "engine/llamacpp/settings.hpp"

namespace ridgepoint::engine::llamacpp {

/// What of a layer's feed-forward network stays with the CPU although the layer does not, as --fit
/// cuts it: up, gate and down of a partial layer, or the mixture's stacked matrices.
enum class HostPart : std::uint8_t { none, gate_and_down, down, all_ffn, experts };

struct LayerPlace {
  std::optional<std::uint64_t> device;  ///< empty: with the CPU
  HostPart host = HostPart::none;
};

/// Where every layer and the output are.
struct Placement {
  std::vector<LayerPlace> layers;
  std::optional<std::uint64_t> output;  ///< device of the head; empty: with the CPU
  bool overrides = false;               ///< single tensors were moved
};

/// Layers by --n-gpu-layers, counted from the end with the output as one more, dealt out by the
/// devices' shares. Source: llama.cpp src/llama-model.cpp load_tensors.
Placement place_layers(const Settings& settings, std::uint64_t layers);

struct DeviceWeights {
  std::vector<std::uint64_t> bytes;  ///< of each device
  std::vector<std::vector<std::pair<std::string_view, std::uint64_t>>> by_part;
  std::uint64_t host_bytes = 0;
  std::uint64_t host_tables_bytes = 0;  ///< of those: tables that tokens are looked up in
  /// Of each layer, and of the head behind them, the largest matrix with the CPU: a large batch
  /// copies it to a card.
  std::vector<std::uint64_t> host_matrices;
};

/// Marks each tensor that a pair of --override-tensor names with the first that does.
void find_overrides(const Settings& settings, LoadedModel& model);

/// Sums the tensors by where they are. `settings` brings --n-cpu-moe, --override-tensor and the
/// split mode.
DeviceWeights weigh(const Settings& settings, const Placement& placement, const LoadedModel& model);

}  // namespace ridgepoint::engine::llamacpp
