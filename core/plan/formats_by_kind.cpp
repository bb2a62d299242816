#include "plan/formats_by_kind.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace ridgepoint::plan {
namespace {

using precision::ModuleKind;
using precision::Quantization;
using precision::WeightFormat;

constexpr std::size_t kKinds = static_cast<std::size_t>(ModuleKind::convolution) + 1;

/// The one format of each kind of module; empty for a kind that the model does not have.
struct KindFormats {
  std::array<std::optional<WeightFormat>, kKinds> formats;
  bool mixed = false;

  void see(ModuleKind kind, const WeightFormat& format) {
    auto& known = formats[static_cast<std::size_t>(kind)];
    mixed = mixed || (known && *known != format);
    known = format;
  }
};

KindFormats look_up(const model::ModelSpec& model, const std::vector<model::Tensor>& tensors) {
  KindFormats kinds;
  for (const model::Tensor& tensor : tensors) {
    if (!tensor.matrix) {
      continue;
    }
    if (tensor.layers == 0) {
      kinds.see(tensor.kind, model.quantization.format_of(tensor.module, tensor.kind));
    }
    for (std::uint64_t i = 0; i < tensor.layers && !kinds.mixed; ++i) {
      std::string name(tensor.prefix.empty() ? model.names.layers : tensor.prefix);
      name += std::to_string(tensor.first_layer + i) + ".";
      name += tensor.block;
      name += tensor.module;
      kinds.see(tensor.kind, model.quantization.format_of(name, tensor.kind));
    }
    if (kinds.mixed) {
      break;
    }
  }
  return kinds;
}

}  // namespace

Quantization formats_by_kind(const model::ModelSpec& model,
                             const std::vector<model::Tensor>& tensors) {
  const Quantization& named = model.quantization;
  if (!named.quantized()) {
    return named;
  }
  const KindFormats kinds = look_up(model, tensors);
  if (kinds.mixed) {
    return named;
  }
  Quantization plain;
  plain.method = named.method;
  plain.kv_cache = named.kv_cache;
  for (const Quantization::Group& group : named.groups) {
    plain.groups.push_back({0, group.format});
  }
  for (std::size_t i = 0; i < kKinds; ++i) {
    if (!kinds.formats[i] || *kinds.formats[i] == WeightFormat{}) {
      continue;
    }
    const auto group = std::find_if(plain.groups.begin(), plain.groups.end(),
                                    [&](const auto& g) { return g.format == *kinds.formats[i]; });
    if (group == plain.groups.end()) {
      return named;
    }
    group->kinds |= precision::kinds_of(static_cast<ModuleKind>(i));
  }
  return plain;
}

}  // namespace ridgepoint::plan
