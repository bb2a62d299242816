#include "weights/allocation.hpp"

#include "arithmetic.hpp"

namespace ridgepoint::weights {
namespace {

using model::Split;
using model::Tensor;

constexpr std::uint64_t kMiB = 1ULL << 20U;
constexpr std::uint64_t kLarge = 10 * kMiB;
constexpr std::uint64_t kSegment = 2 * kMiB;
constexpr std::uint64_t kNotSplit = kMiB;

std::uint64_t rest_of(std::uint64_t bytes) {
  if (bytes < kLarge) {
    return 0;
  }
  const std::uint64_t rest = round_up(bytes, kSegment) - bytes;
  return rest <= kNotSplit ? rest : 0;
}

bool split_by_outputs(const Tensor& tensor) {
  return tensor.split == Split::column || tensor.split == Split::key_value ||
         tensor.split == Split::expert_column;
}

/// Whether an engine keeps the two in one tensor: outputs of the same input, side by side.
bool continues(const Tensor& a, const Tensor& b) {
  return a.layers != 0 && a.matrix && b.matrix && split_by_outputs(a) && split_by_outputs(b) &&
         a.block == b.block && a.prefix == b.prefix && a.cols == b.cols && a.part == b.part &&
         a.copies == b.copies && a.first_layer == b.first_layer && a.layers == b.layers;
}

}  // namespace

void Allocation::add(const Tensor& tensor, std::uint64_t bytes, std::uint64_t layers) {
  if (open_layers_ != 0 && layers == open_layers_ && continues(open_, tensor)) {
    open_bytes_ += bytes;
    return;
  }
  close();
  open_ = tensor;
  open_bytes_ = bytes;
  open_layers_ = layers;
}

std::uint64_t Allocation::rest_bytes() {
  close();
  open_layers_ = 0;
  return rest_;
}

void Allocation::close() { rest_ += rest_of(open_bytes_) * open_layers_; }

}  // namespace ridgepoint::weights
