#include "engine/vllm/lora.hpp"

#include <algorithm>

#include "arithmetic.hpp"

namespace ridgepoint::engine::vllm {
namespace {

using model::Part;
using model::Split;
using model::Tensor;

constexpr std::uint64_t kValueBytes = 2;

bool wrapped(const Tensor& tensor) {
  switch (tensor.part) {
    case Part::attention:
    case Part::state_mixer:
    case Part::dense_ffn:
    case Part::shared_experts:
    case Part::experts:
    case Part::embedding:
    case Part::lm_head:
      return tensor.matrix && tensor.kind != precision::ModuleKind::router;
    default:
      return false;
  }
}

/// Layers of the tensor on this stage; a table counts as one.
std::uint64_t layers_here(const Tensor& tensor, const weights::Shard& shard) {
  if (tensor.part == Part::embedding) {
    return shard.first_stage ? 1 : 0;
  }
  if (tensor.part == Part::lm_head) {
    return shard.last_stage ? 1 : 0;
  }
  const std::uint64_t begin = std::max(tensor.first_layer, shard.first_layer);
  const std::uint64_t end = std::min(tensor.first_layer + tensor.layers, shard.end_layer);
  return end > begin ? end - begin : 0;
}

/// Values of A and B together for one slot of rank `r`.
std::uint64_t slot_values(const Tensor& tensor, std::uint64_t r, const weights::Shard& shard,
                          bool fully_sharded) {
  const std::uint64_t ranks = shard.tensor_parallel;
  const std::uint64_t a_share = fully_sharded ? ceil_div(r, ranks) : r;
  switch (tensor.split) {
    case Split::column:
      return a_share * tensor.cols + ceil_div(tensor.rows, ranks) * r;
    case Split::key_value: {
      const std::uint64_t heads = std::max<std::uint64_t>(1, tensor.heads / ranks);
      return a_share * tensor.cols + tensor.rows / tensor.heads * heads * r;
    }
    case Split::row:
      return r * ceil_div(tensor.cols, ranks) +
             (fully_sharded ? ceil_div(tensor.rows, ranks) : tensor.rows) * r;
    case Split::expert_column:
      return (r * tensor.cols + ceil_div(tensor.rows, shard.expert_split) * r) *
             ceil_div(tensor.copies, shard.expert_ranks);
    case Split::expert_row:
      return (r * ceil_div(tensor.cols, shard.expert_split) + tensor.rows * r) *
             ceil_div(tensor.copies, shard.expert_ranks);
    case Split::replicated:
    case Split::vocabulary:
      return r * (tensor.cols + tensor.rows);
  }
  return 0;
}

}  // namespace

std::uint64_t lora_bytes(const std::vector<Tensor>& tensors, const Settings& settings,
                         const weights::Shard& shard) {
  const LoraSlots& lora = settings.lora;
  if (lora.max_loras == 0) {
    return 0;
  }
  std::uint64_t values = 0;
  for (const Tensor& tensor : tensors) {
    if (wrapped(tensor)) {
      values += layers_here(tensor, shard) *
                slot_values(tensor, lora.max_lora_rank, shard, lora.fully_sharded);
    }
  }
  return values * lora.max_loras * kValueBytes;
}

}  // namespace ridgepoint::engine::vllm
