#include "weights/weights.hpp"

#include <algorithm>
#include <string>

#include "arithmetic.hpp"
#include "weights/allocation.hpp"
#include "wording.hpp"

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

std::uint64_t key_value_rows(const Tensor& tensor, std::uint64_t ranks) {
  return tensor.rows / tensor.heads * std::max<std::uint64_t>(1, tensor.heads / ranks);
}

bool in_tower(const Tensor& tensor) {
  return tensor.part == Part::vision || tensor.part == Part::audio;
}

Shape local_shape(const Tensor& tensor, const Shard& shard) {
  Shape shape = whole(tensor);
  const bool whole_tower = shard.whole_towers && in_tower(tensor);
  if (whole_tower || (tensor.part == Part::shared_experts && shard.whole_shared_experts)) {
    return shape;
  }
  const std::uint64_t experts = tensor.copies + shard.more_experts;
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
      shape.rows = key_value_rows(tensor, shard.tensor_parallel);
      break;
    case Split::row:
      shape.cols = ceil_div(tensor.cols, shard.tensor_parallel);
      break;
    case Split::expert_column:
      shape.rows = ceil_div(tensor.rows, shard.expert_split);
      shape.copies = ceil_div(experts, shard.expert_ranks);
      break;
    case Split::expert_row:
      // A row-split bias is not divided; only matrices have inputs to divide.
      shape.cols = tensor.matrix ? ceil_div(tensor.cols, shard.expert_split) : tensor.cols;
      shape.copies = ceil_div(experts, shard.expert_ranks);
      break;
  }
  return shape;
}

std::uint64_t layers_within(const Tensor& tensor, const Shard& shard) {
  const std::uint64_t begin = std::max(tensor.first_layer, shard.first_layer);
  const std::uint64_t end = std::min(tensor.first_layer + tensor.layers, shard.end_layer);
  return end > begin ? end - begin : 0;
}

/// Of tensors outside the decoder's layers: towers and the tables of every layer lie where the
/// input comes in, the tied table is the head of the last stage too.
bool on_stage(const Tensor& tensor, const Shard& shard, const ModelSpec& spec) {
  switch (tensor.part) {
    case Part::embedding:
      return shard.first_stage || (shard.last_stage && spec.tie_word_embeddings);
    case Part::per_layer_embedding:
    case Part::encoder:
    case Part::vision:
    case Part::audio:
      return shard.first_stage;
    default:
      return shard.last_stage;
  }
}

/// A draft has the model's tables, and not the copies of them that a checkpoint may store.
bool shared_table(const Tensor& tensor) {
  return tensor.kind == precision::ModuleKind::embedding ||
         tensor.kind == precision::ModuleKind::lm_head;
}

struct LayerSpan {
  std::uint64_t begin;
  std::uint64_t end;
  bool held;
};

/// Which of a tensor's layers one rank holds; outside the layers both ends are 0.
LayerSpan layers_held(const Tensor& tensor, const Shard& shard, const ModelSpec& spec) {
  const LayerSpan all{tensor.first_layer, tensor.first_layer + tensor.layers, true};
  const LayerSpan none{0, 0, false};
  if (tensor.part == Part::mtp) {
    return shard.mtp && shard.last_stage && !shared_table(tensor) ? all : none;
  }
  if (in_tower(tensor) && !shard.towers) {
    return none;
  }
  if (tensor.in_decoder()) {
    const std::uint64_t begin = std::max(tensor.first_layer, shard.first_layer);
    const std::uint64_t layers = layers_within(tensor, shard);
    return {begin, begin + layers, layers != 0};
  }
  return on_stage(tensor, shard, spec) ? all : none;
}

/// Vectors and what a checkpoint keeps in float32 whatever its dtype.
std::uint64_t value_bytes(const Tensor& tensor, Dtype dtype) {
  return tensor.float32 ? precision::dtype_bytes(Dtype::float32) : precision::dtype_bytes(dtype);
}

using SizeOf = std::uint64_t (*)(const WeightFormat&, Dtype, std::uint64_t, std::uint64_t);

/// Empty where no format depends on it: writing names is most of the work here.
std::string full_name(const ModelSpec& spec, const Tensor& tensor, std::uint64_t layer) {
  if (!spec.quantization.reads_names()) {
    return {};
  }
  std::string name(tensor.prefix.empty() ? spec.names.layers : tensor.prefix);
  name += worded({layer, "."});
  name += tensor.block;
  name += tensor.module;
  return name;
}

/// Bytes of the tensor in layers [begin, end) of its stack; outside the layers both are 0.
std::uint64_t bytes_in_layers(const ModelSpec& spec, const Tensor& tensor, const Shape& shape,
                              std::uint64_t begin, std::uint64_t end, Dtype dtype, SizeOf size_of) {
  const std::uint64_t count = tensor.layers == 0 ? 1 : end - begin;
  if (!tensor.matrix) {
    return shape.rows * shape.cols * shape.copies * value_bytes(tensor, dtype) * count;
  }
  if (tensor.layers == 0) {
    const WeightFormat format = spec.quantization.format_of(tensor.module, tensor.kind);
    return size_of(format, dtype, shape.rows, shape.cols) * shape.copies;
  }
  if (!spec.quantization.by_name(tensor.kind)) {
    const WeightFormat format =
        spec.quantization.format_of(full_name(spec, tensor, begin), tensor.kind);
    return size_of(format, dtype, shape.rows, shape.cols) * shape.copies * count;
  }
  std::uint64_t bytes = 0;
  for (std::uint64_t layer = begin; layer < end; ++layer) {
    const WeightFormat format =
        spec.quantization.format_of(full_name(spec, tensor, layer), tensor.kind);
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

namespace {

/// A sum over the linear layers of a quantised checkpoint.
std::uint64_t sum_of_matrices(const ModelSpec& spec, const std::vector<Tensor>& tensors,
                              SizeOf size_of) {
  std::uint64_t total = 0;
  for (const Tensor& tensor : tensors) {
    if (tensor.matrix) {
      total += bytes_in_layers(spec, tensor, whole(tensor), tensor.first_layer,
                               tensor.first_layer + tensor.layers, spec.dtype, size_of);
    }
  }
  return total;
}

}  // namespace

std::uint64_t scale_parameters(const ModelSpec& spec, const std::vector<Tensor>& tensors) {
  if (!spec.quantization.quantized()) {
    return 0;
  }
  return sum_of_matrices(
      spec, tensors, [](const WeightFormat& format, Dtype, std::uint64_t out, std::uint64_t in) {
        return precision::scale_count(format, out, in);
      });
}

std::uint64_t packed_parameters(const ModelSpec& spec, const std::vector<Tensor>& tensors) {
  if (!spec.quantization.quantized()) {
    return 0;
  }
  std::uint64_t total = sum_of_matrices(
      spec, tensors, [](const WeightFormat& format, Dtype, std::uint64_t out, std::uint64_t in) {
        return precision::stored_elements(format, out, in);
      });
  for (const Tensor& tensor : tensors) {
    total += tensor.matrix ? 0 : tensor.elements();
  }
  return total;
}

namespace {

/// Less than this makes no tensor that the allocator would round.
constexpr std::uint64_t kWorthAllocating = 1ULL << 20U;

/// Of one layer: the packed values, which are a tensor apart from their scales.
std::uint64_t largest_piece(const ModelSpec& spec, const Tensor& tensor, const Shape& shape,
                            std::uint64_t layer, Dtype dtype) {
  const std::string name =
      tensor.layers == 0 ? std::string(tensor.module) : full_name(spec, tensor, layer);
  const WeightFormat format = spec.quantization.format_of(name, tensor.kind);
  return precision::value_bytes(format, dtype, shape.rows, shape.cols) * shape.copies;
}

}  // namespace

WeightBytes loaded_bytes(const ModelSpec& spec, const std::vector<Tensor>& tensors,
                         const Shard& shard, Dtype dtype) {
  WeightBytes sum;
  Allocation allocation;
  for (const Tensor& tensor : tensors) {
    const auto [begin, end, held] = layers_held(tensor, shard, spec);
    if (!held) {
      continue;
    }
    const Shape shape = local_shape(tensor, shard);
    const std::uint64_t bytes =
        bytes_in_layers(spec, tensor, shape, begin, end, dtype, precision::loaded_bytes);
    sum.total += bytes;
    sum.by_part[static_cast<std::size_t>(tensor.part)] += bytes;
    if (tensor.matrix && bytes >= kWorthAllocating) {
      const std::uint64_t layers = tensor.layers == 0 ? 1 : end - begin;
      allocation.add(tensor, largest_piece(spec, tensor, shape, begin, dtype), layers);
    }
  }
  sum.allocator_rest = allocation.rest_bytes();
  return sum;
}

std::uint64_t mtp_bytes(const ModelSpec& spec, const std::vector<Tensor>& tensors,
                        const Shard& shard, Dtype dtype) {
  std::uint64_t total = 0;
  for (const Tensor& tensor : tensors) {
    if (tensor.part == Part::mtp && !shared_table(tensor)) {
      total += bytes_in_layers(spec, tensor, local_shape(tensor, shard), tensor.first_layer,
                               tensor.first_layer + tensor.layers, dtype, precision::loaded_bytes);
    }
  }
  return total;
}

}  // namespace ridgepoint::weights
