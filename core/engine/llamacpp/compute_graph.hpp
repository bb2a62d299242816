#pragma once

#include <cstdint>
#include <vector>

#include "model/spec.hpp"

namespace ridgepoint::engine::llamacpp {

/// A layer that a device computes.
struct GraphLayer {
  std::uint64_t index = 0;
  bool attends = true;  ///< false: its cache is in the machine's memory, and so is its attention
  bool mixes = true;    ///< false: attention and states are another device's
  bool feeds_forward = true;  ///< false: the feed-forward network is another device's
  /// Of a matrix of its feed-forward network that each batch copies in from the machine's memory.
  std::uint64_t copied_weight_bytes = 0;
};

/// The graph that llama.cpp reserves memory for at start-up, on one device.
struct GraphShape {
  std::uint64_t tokens = 512;   ///< of a micro-batch
  std::uint64_t outputs = 512;  ///< rows of logits
  std::uint64_t cells = 0;      ///< of the cache of one stream
  std::uint64_t window_cells = 0;
  std::uint64_t streams = 1;
  bool flash = true;
  bool half_mask = true;     ///< the mask is made in 16 bits, not in 32 and cast
  bool glu = true;           ///< gate and up are joined into a third tensor
  bool half_copy = false;    ///< a quantised cache is copied to 16 bits within the buffer
  std::uint64_t copies = 1;  ///< of the inputs, when devices work as a pipeline
  std::uint64_t copied_head_bytes = 0;  ///< of the head, where it is copied in
  std::vector<GraphLayer> layers;       ///< computed here, in order
  bool has_output = true;
};

/// Bytes of the device's compute buffer. Layers beyond the first sixteen repeat what those do and
/// are left out. Source: llama.cpp src/llama-graph.cpp, src/models, ggml-backend.cpp (inputs of a
/// split), and the allocator.
std::uint64_t compute_buffer_bytes(const model::ModelSpec& spec, const GraphShape& shape);

/// Bytes of the vocabulary's logits in that buffer.
std::uint64_t logits_bytes(const model::ModelSpec& spec, const GraphShape& shape);

}  // namespace ridgepoint::engine::llamacpp
