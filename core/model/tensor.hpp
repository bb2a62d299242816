#pragma once

#include <cstdint>
#include <string_view>

#include "precision/quantization.hpp"

namespace ridgepoint::model {

/// What a parameter belongs to, as a report breaks a model down.
enum class Part : std::uint8_t {
  embedding,
  per_layer_embedding,  ///< tables that every layer looks up (Gemma 3n, Gemma 4)
  lm_head,
  attention,
  state_mixer,  ///< Mamba, delta rules, short convolutions, linear attention
  dense_ffn,
  router,
  experts,
  shared_experts,
  norms,
  encoder,  ///< the encoder of an encoder-decoder
  vision,   ///< towers and their projectors
  audio,
  mtp,  ///< multi-token-prediction layers, counted apart
};
inline constexpr std::size_t kParts = 14;

std::string_view part_name(Part part);

/// How engines split a tensor over the ranks of tensor parallelism.
enum class Split : std::uint8_t {
  replicated,
  vocabulary,  ///< rows of the vocabulary
  column,      ///< output rows
  key_value,   ///< output rows by `heads`, never less than one head
  row,         ///< inputs
  expert_column,
  expert_row,
};

/// A tensor, or `copies` equal ones in each of a run of equal layers. Names are literals.
struct Tensor {
  Part part = Part::norms;
  Split split = Split::replicated;
  precision::ModuleKind kind = precision::ModuleKind::linear;
  bool matrix = false;   ///< a linear layer's weight, which quantisers may touch
  bool float32 = false;  ///< stored in float32 whatever the model's dtype
  /// Name before the layer's number where it is no decoder layer ("visual.blocks."); empty: the
  /// model's own.
  std::string_view prefix;
  std::string_view block;    ///< below the layer, with its dot: "self_attn."
  std::string_view module;   ///< below that, "q_proj"; a whole name outside layers
  std::uint64_t rows = 0;    ///< outputs, or the length of a vector
  std::uint64_t cols = 1;    ///< inputs
  std::uint64_t copies = 1;  ///< experts
  std::uint64_t chosen = 0;  ///< experts a token uses; 0: all copies
  std::uint64_t heads = 1;   ///< of key_value: heads in `rows`
  std::uint64_t first_layer = 0;
  std::uint64_t layers = 0;  ///< 0: outside the layers

  [[nodiscard]] std::uint64_t elements() const {
    return rows * cols * copies * (layers == 0 ? 1 : layers);
  }
  /// Whether it lies in layers that pipeline stages divide.
  [[nodiscard]] bool in_decoder() const { return layers != 0 && prefix.empty(); }

  friend bool operator==(const Tensor&, const Tensor&) = default;
};

/// A linear layer's weight, for the lists of extra tensors that dialects write.
inline Tensor matrix(Part part, Split split, std::string_view module, std::uint64_t rows,
                     std::uint64_t cols) {
  Tensor tensor;
  tensor.part = part;
  tensor.split = split;
  tensor.matrix = true;
  tensor.module = module;
  tensor.rows = rows;
  tensor.cols = cols;
  return tensor;
}

/// Values that no quantiser touches: norms, biases, convolutions, position tables.
inline Tensor values(Part part, std::string_view module, std::uint64_t count,
                     Split split = Split::replicated) {
  Tensor tensor;
  tensor.part = part;
  tensor.split = split;
  tensor.module = module;
  tensor.rows = count;
  return tensor;
}

}  // namespace ridgepoint::model
