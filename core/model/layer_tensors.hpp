#pragma once

#include <cstdint>
#include <vector>

#include "model/spec.hpp"

namespace ridgepoint::model {

/// A run of equal layers of a model and where their tensors go.
struct LayerRun {
  const ModelSpec& spec;
  const Layer& layer;
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  bool mtp = false;  ///< multi-token-prediction layers: counted as such, whatever they hold
  std::vector<Tensor>& out;

  void push(Tensor tensor) const;
  void matrix(Part part, Split split, std::string_view block, std::string_view module,
              std::uint64_t rows, std::uint64_t cols) const;
  void values(Part part, Split split, std::uint64_t count) const;
};

/// Attention, self or cross: projections, biases, norms, indexer.
void list_attention(const LayerRun& run, const Attention& attention);

/// Mamba, delta rules, short convolution, linear attention.
void list_state(const LayerRun& run, const State& state);

void list_feed_forward(const LayerRun& run, const FeedForward& feed_forward);

/// All of the above, the norms and the layer's extra tensors.
void list_layer(const LayerRun& run);

}  // namespace ridgepoint::model
