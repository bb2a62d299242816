#include "precision/quantization.hpp"

#include <algorithm>
#include <optional>

namespace ridgepoint::precision {

bool Quantization::covers(ModuleKind kind) const {
  return std::any_of(groups.begin(), groups.end(),
                     [&](const Group& group) { return (group.kinds & kinds_of(kind)) != 0; });
}

bool Quantization::by_name(ModuleKind kind) const {
  if (kind == ModuleKind::convolution) {
    return false;
  }
  return !assigned_.empty() || (covers(kind) && !ignored_.empty());
}

void Quantization::ignore(std::string_view entry) {
  const std::string_view name = canonical_name(entry);
  if (name == "lm_head") {
    head_ignored_ = true;
  } else {
    ignored_.add(entry, 0);
  }
}

void Quantization::assign(std::string_view entry, const WeightFormat& format) {
  auto group = std::find_if(groups.begin(), groups.end(),
                            [&](const Group& g) { return g.format == format; });
  if (group == groups.end()) {
    group = groups.insert(groups.end(), {0, format});
  }
  assigned_.add(entry, static_cast<std::uint32_t>(group - groups.begin()));
}

WeightFormat Quantization::format_of(std::string_view module, ModuleKind kind) const {
  const WeightFormat plain;
  if (groups.empty() || kind == ModuleKind::convolution ||
      (kind == ModuleKind::lm_head && head_ignored_) ||
      (!ignored_.empty() && ignored_.find(module))) {
    return plain;
  }
  // A pattern such as ".*mlp.*" means the linear layers it covers; the others must be named.
  const bool linear = (kAnyLinear & kinds_of(kind)) != 0;
  const auto number = assigned_.empty() ? std::nullopt
                      : linear          ? assigned_.find(module)
                                        : assigned_.find_name(module);
  if (number) {
    return groups[*number].format;
  }
  for (const Group& group : groups) {
    if ((group.kinds & kinds_of(kind)) != 0) {
      return group.format;
    }
  }
  return plain;
}

Quantization online_fp8() {
  Quantization scheme;
  scheme.method = "fp8";
  WeightFormat format;
  format.packing = Packing::fp8_tensor;
  format.bits = 8;
  scheme.groups.push_back({kAnyLinear, format});
  return scheme;
}

Quantization online_bitsandbytes() {
  Quantization scheme;
  scheme.method = "bitsandbytes";
  WeightFormat format;
  format.packing = Packing::bnb_nf4;
  format.bits = 4;
  scheme.groups.push_back({kAnyLinear, format});
  return scheme;
}

std::optional<Quantization> online_quantization(std::string_view flag) {
  if (flag == "fp8") {
    return online_fp8();
  }
  if (flag == "bitsandbytes") {
    return online_bitsandbytes();
  }
  return std::nullopt;
}

}  // namespace ridgepoint::precision
