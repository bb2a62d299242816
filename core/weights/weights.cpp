#include "weights/weights.hpp"

#include <algorithm>
#include <string>

#include "arithmetic.hpp"

namespace ridgepoint::weights {
namespace {

using model::ModelSpec;
using model::Part;
using model::Split;
using model::Tensor;
using precision::Dtype;
using precision::WeightFormat;

constexpr std::uint64_t kVocabularyPadding = 64;

struct Shape {
  std::uint64_t rows;
  std::uint64_t cols;
  std::uint64_t copies;
};

Shape whole(const Tensor& tensor) { return {tensor.rows, tensor.cols, tensor.copies}; }

std::uint64_t key_value_rows(const ModelSpec& spec, const Tensor& tensor, std::uint64_t ranks) {
  const std::uint64_t heads = spec.layers[tensor.first_layer].attention.num_key_value_heads;
  return tensor.rows / heads * std::max<std::uint64_t>(1, heads / ranks);
}

Shape local_shape(const ModelSpec& spec, const Tensor& tensor, const Shard& shard) {
  Shape shape = whole(tensor);
  switch (tensor.split) {
    case Split::replicated:
      break;
    case Split::vocabulary:
      shape.rows = vocabulary_rows(tensor.rows, shard.tensor_parallel);
      break;
    case Split::column:
      shape.rows = ceil_div(tensor.rows, shard.tensor_parallel);
      break;
    case Split::key_value:
      shape.rows = key_value_rows(spec, tensor, shard.tensor_parallel);
      break;
    case Split::row:
      shape.cols = ceil_div(tensor.cols, shard.tensor_parallel);
      break;
    case Split::expert_column:
      shape.rows = ceil_div(tensor.rows, shard.expert_split);
      shape.copies = ceil_div(tensor.copies, shard.expert_ranks);
      break;
    case Split::expert_row:
      // A row-split bias is not divided; only matrices have inputs to divide.
      shape.cols = tensor.matrix ? ceil_div(tensor.cols, shard.expert_split) : tensor.cols;
      shape.copies = ceil_div(tensor.copies, shard.expert_ranks);
      break;
  }
  return shape;
}

std::uint64_t layers_within(const Tensor& tensor, const Shard& shard) {
  const std::uint64_t begin = std::max(tensor.first_layer, shard.first_layer);
  const std::uint64_t end = std::min(tensor.first_layer + tensor.layers, shard.end_layer);
  return end > begin ? end - begin : 0;
}

bool on_stage(const Tensor& tensor, const Shard& shard, const ModelSpec& spec) {
  if (tensor.part == Part::embedding) {
    return shard.first_stage || (shard.last_stage && spec.tie_word_embeddings);
  }
  return shard.last_stage;
}

using SizeOf = std::uint64_t (*)(const WeightFormat&, Dtype, std::uint64_t, std::uint64_t);

/// Bytes of the tensor in layers [begin, end) of the model; `end` 0 means outside the layers.
std::uint64_t bytes_in_layers(const ModelSpec& spec, const Tensor& tensor, const Shape& shape,
                              std::uint64_t begin, std::uint64_t end, Dtype dtype, SizeOf size_of) {
  if (!tensor.matrix) {
    const std::uint64_t count = tensor.layers == 0 ? 1 : end - begin;
    return shape.rows * shape.copies * precision::dtype_bytes(dtype) * count;
  }
  if (tensor.layers == 0 || !spec.quantization.by_name(tensor.kind)) {
    const WeightFormat format = spec.quantization.format_of(tensor.module, tensor.kind);
    const std::uint64_t count = tensor.layers == 0 ? 1 : end - begin;
    return size_of(format, dtype, shape.rows, shape.cols) * shape.copies * count;
  }
  std::uint64_t bytes = 0;
  for (std::uint64_t layer = begin; layer < end; ++layer) {
    std::string name = "model.layers." + std::to_string(layer) + ".";
    name += tensor.module;
    const WeightFormat format = spec.quantization.format_of(name, tensor.kind);
    bytes += size_of(format, dtype, shape.rows, shape.cols) * shape.copies;
  }
  return bytes;
}

}  // namespace

std::uint64_t vocabulary_rows(std::uint64_t vocab_size, std::uint64_t tensor_parallel) {
  return ceil_div(ceil_div(vocab_size, kVocabularyPadding) * kVocabularyPadding, tensor_parallel);
}

std::uint64_t checkpoint_bytes(const ModelSpec& spec, const std::vector<Tensor>& tensors) {
  std::uint64_t total = 0;
  for (const Tensor& tensor : tensors) {
    total += bytes_in_layers(spec, tensor, whole(tensor), tensor.first_layer,
                             tensor.first_layer + tensor.layers, spec.dtype,
                             precision::checkpoint_bytes);
  }
  return total;
}

WeightBytes loaded_bytes(const ModelSpec& spec, const std::vector<Tensor>& tensors,
                         const Shard& shard, Dtype dtype) {
  WeightBytes sum;
  for (const Tensor& tensor : tensors) {
    if (tensor.part == Part::mtp) {
      continue;
    }
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    if (tensor.layers != 0) {
      begin = std::max(tensor.first_layer, shard.first_layer);
      end = begin + layers_within(tensor, shard);
      if (end == begin) {
        continue;
      }
    } else if (!on_stage(tensor, shard, spec)) {
      continue;
    }
    const std::uint64_t bytes = bytes_in_layers(spec, tensor, local_shape(spec, tensor, shard),
                                                begin, end, dtype, precision::loaded_bytes);
    sum.total += bytes;
    sum.by_part[static_cast<std::size_t>(tensor.part)] += bytes;
  }
  return sum;
}

}  // namespace ridgepoint::weights
