#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "hardware/device.hpp"
#include "model/spec.hpp"
#include "model/tensor.hpp"
#include "precision/kv_format.hpp"
#include "speed/kernels.hpp"

namespace ridgepoint::speed {

/// How one replica's layers lie on its cards. Counts are of ranks.
struct Layout {
  std::uint64_t tensor = 1;    ///< that split attention and dense layers
  std::uint64_t pipeline = 1;  ///< stages
  /// Batches that the stages compute at once, each another one; 1: one passes all of them before
  /// the next begins.
  std::uint64_t in_flight = 1;
  /// Groups that attend to requests of their own and share the experts: data-parallel replicas of a
  /// mixture (vLLM), groups of data-parallel attention (SGLang, TensorRT-LLM). A step's load is
  /// that of one group, and the others are taken to be as busy.
  std::uint64_t groups = 1;
  std::uint64_t expert_ranks = 1;  ///< that whole experts are dealt out over …
  std::uint64_t expert_split = 1;  ///< … and that each expert is split over
  /// Ranks that split dense layers and the head; 0: as many as split attention.
  std::uint64_t dense = 0;

  [[nodiscard]] std::uint64_t dense_ranks() const { return dense == 0 ? tensor : dense; }
};

/// What the time of a step depends on. Referenced values must outlive what is made of it.
struct Setup {
  const model::ModelSpec& model;
  const std::vector<model::Tensor>& tensors;  ///< of that model
  const hardware::Device& device;
  Layout layout;
  precision::KvFormat kv_format = precision::KvFormat::model_dtype;
  precision::Dtype dtype = precision::Dtype::bfloat16;
  std::string_view engine;
  std::string_view version;
  bool graphs = true;                   ///< decode steps run as recorded graphs …
  std::vector<std::uint64_t> captured;  ///< … of these batch sizes, rising; empty: of every size
  std::uint64_t batch_tokens = 0;       ///< the most of one batch in flight; 0: any number
  /// All weights of the replica where their formats are not in the model's quantisation (GGUF mixes
  /// made by the engine); every matrix is then taken to be of the mean format.
  std::optional<std::uint64_t> weight_bytes;
  /// In place of the compiled tables; null: those.
  const Kernels* kernels = nullptr;
  const Links* links = nullptr;
  const Host* host = nullptr;
};

}  // namespace ridgepoint::speed
