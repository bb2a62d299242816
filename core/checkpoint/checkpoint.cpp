#include "checkpoint/checkpoint.hpp"

#include <algorithm>

#include "json/fields.hpp"

namespace ridgepoint::checkpoint {

std::string_view source_name(Source source) {
  switch (source) {
    case Source::safetensors_index:
      return "safetensors index";
    case Source::safetensors_headers:
      return "safetensors headers";
    case Source::gguf:
      break;
  }
  return "gguf";
}

std::optional<std::uint64_t> element_count(const std::vector<std::uint64_t>& shape) {
  std::uint64_t product = 1;
  for (const std::uint64_t length : shape) {
    if (length == 0) {
      return 0;
    }
  }
  for (const std::uint64_t length : shape) {
    if (length > kMostElements / product) {
      return std::nullopt;
    }
    product *= length;
  }
  return product;
}

Check refuse_repeated(const std::vector<Tensor>& tensors, std::string_view path) {
  std::vector<std::string_view> names;
  names.reserve(tensors.size());
  for (const Tensor& tensor : tensors) {
    names.push_back(tensor.name);
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) {
    return std::nullopt;
  }
  return Error{"bad_header",
               "Tensor \"" + json::excerpt(*twice, 64) +
                   "\" comes twice: give the header of each file of one checkpoint once.",
               std::string(path)};
}

Result<Checkpoint> sum_up(Source source, std::uint64_t files, std::vector<Tensor> tensors,
                          std::string_view path) {
  Checkpoint sum;
  sum.source = source;
  sum.files = files;
  std::uint64_t bytes = 0;
  std::uint64_t elements = 0;
  for (const Tensor& tensor : tensors) {
    elements += tensor.elements;
    bytes += tensor.bytes;
    // Each tensor is bounded, so that checking as they are added leaves no room to overflow.
    if (elements > kMostElements) {
      return Error{"bad_value",
                   "The tensors have more than 10^15 elements together, which no model has; the "
                   "header is damaged.",
                   std::string(path)};
    }
    const auto known = std::find_if(sum.bytes_by_dtype.begin(), sum.bytes_by_dtype.end(),
                                    [&](const auto& entry) { return entry.first == tensor.dtype; });
    if (known != sum.bytes_by_dtype.end()) {
      known->second += tensor.bytes;
    } else {
      sum.bytes_by_dtype.push_back({tensor.dtype, tensor.bytes});
    }
  }
  std::stable_sort(sum.bytes_by_dtype.begin(), sum.bytes_by_dtype.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  sum.total_bytes = bytes;
  sum.elements = elements;
  sum.tensors = std::move(tensors);
  return sum;
}

}  // namespace ridgepoint::checkpoint
