#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/spec.hpp"

namespace ridgepoint::model {

enum class Part : std::uint8_t {
  embedding,
  lm_head,
  attention,
  dense_ffn,
  router,
  experts,
  shared_experts,
  norms,
  mtp,
};

std::string_view part_name(Part part);

/// How engines split a tensor over the ranks of tensor parallelism.
enum class Split : std::uint8_t {
  replicated,
  vocabulary,  ///< rows of the vocabulary
  column,      ///< output rows
  key_value,   ///< output rows by key/value heads, never less than one head
  row,         ///< inputs
  expert_column,
  expert_row,
};

/// A tensor, or `copies` equal ones in each of a run of equal layers.
struct Tensor {
  Part part = Part::norms;
  Split split = Split::replicated;
  precision::ModuleKind kind = precision::ModuleKind::linear;
  bool matrix = false;  ///< a linear layer's weight, which quantisers may touch
  std::string_view
      module;  ///< below the layer, e.g. "self_attn.q_proj"; a whole name outside layers
  std::uint64_t rows = 0;    ///< outputs, or the length of a vector
  std::uint64_t cols = 1;    ///< inputs
  std::uint64_t copies = 1;  ///< experts
  std::uint64_t first_layer = 0;
  std::uint64_t layers = 0;  ///< 0: outside the layers

  [[nodiscard]] std::uint64_t elements() const {
    return rows * cols * copies * (layers == 0 ? 1 : layers);
  }
};

/// Every tensor of the model, logically: no quantiser's scales, a tied head once.
std::vector<Tensor> tensors(const ModelSpec& spec);

struct ParameterCounts {
  std::uint64_t total = 0;   ///< as published: without multi-token-prediction layers
  std::uint64_t active = 0;  ///< what one token's forward pass uses: k of n experts
  std::uint64_t mtp = 0;     ///< further parameters of the checkpoint
};

ParameterCounts count_parameters(const ModelSpec& spec, const std::vector<Tensor>& list);

}  // namespace ridgepoint::model
