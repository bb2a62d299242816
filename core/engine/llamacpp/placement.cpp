#include "engine/llamacpp/placement.hpp"

#include <algorithm>

#include "wording.hpp"

namespace ridgepoint::engine::llamacpp {
namespace {

using model::Part;

/// The name a GGUF gives the tensor, as far as patterns of --override-tensor ask.
std::string gguf_name(const LoadedTensor& t) {
  constexpr std::string_view kStems[] = {"token_embd", "output",   "attn_q",    "attn_k",
                                         "attn_v",     "attn_qkv", "attn_kv_b", "attn_output",
                                         "ffn_up",     "ffn_gate", "ffn_down",  ""};
  std::string name(kStems[static_cast<std::size_t>(t.role)]);
  if (name.empty()) {
    name = t.part == Part::router        ? "ffn_gate_inp"
           : t.part == Part::state_mixer ? "ssm"
           : t.part == Part::norms       ? "norm"
                                         : std::string(model::part_name(t.part));
  }
  if (t.expert) {
    name += "_exps";
  } else if (t.part == Part::shared_experts) {
    name += "_shexp";
  }
  name += ".weight";
  return t.layer ? worded({"blk.", *t.layer, ".", name}) : name;
}

bool feed_forward(const LoadedTensor& t) {
  return t.role == Role::ffn_up || t.role == Role::ffn_gate || t.role == Role::ffn_down;
}

bool stays_with_host(HostPart part, const LoadedTensor& t) {
  switch (part) {
    case HostPart::none:
      return false;
    case HostPart::gate_and_down:
      return t.role == Role::ffn_gate || t.role == Role::ffn_down;
    case HostPart::down:
      return t.role == Role::ffn_down;
    case HostPart::all_ffn:
      return feed_forward(t);
    case HostPart::experts:
      return t.expert;
  }
  return false;
}

/// Devices' shares as ends of parts of one.
std::vector<double> split_ends(const Settings& settings) {
  std::vector<double> shares = settings.shares;
  if (shares.empty()) {
    shares.assign(settings.devices, 1.0);
  }
  double sum = 0;
  for (double& share : shares) {
    sum += share;
    share = sum;
  }
  for (double& share : shares) {
    share /= sum;
  }
  return shares;
}

/// Puts one tensor where it belongs.
class Scales {
 public:
  Scales(const Settings& settings, const Placement& placement)
      : settings_(settings), placement_(placement) {
    out_.bytes.assign(settings.devices, 0);
    out_.by_part.resize(settings.devices);
    out_.host_matrices.assign(placement.layers.size() + 1, 0);
  }

  void add(const LoadedTensor& t) {
    const std::optional<std::uint64_t> device = device_of(t);
    if (!device) {
      out_.host_bytes += t.bytes;
      if (t.input) {
        out_.host_tables_bytes += t.bytes;
      } else if (t.matrix) {
        const std::uint64_t last = out_.host_matrices.size() - 1;
        std::uint64_t& largest = out_.host_matrices[std::min(t.layer.value_or(last), last)];
        largest = std::max(largest, t.bytes);
      }
      return;
    }
    const bool cut =
        settings_.devices > 1 && t.matrix &&
        (settings_.split_mode == SplitMode::row || settings_.split_mode == SplitMode::tensor);
    if (!cut) {
      put(*device, t.part, t.bytes);
      return;
    }
    const std::vector<double> ends = split_ends(settings_);
    double before = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      put(i, t.part, static_cast<std::uint64_t>(static_cast<double>(t.bytes) * (ends[i] - before)));
      before = ends[i];
    }
  }

  DeviceWeights take() { return std::move(out_); }

 private:
  [[nodiscard]] std::optional<std::uint64_t> device_of(const LoadedTensor& t) const {
    if (t.override_rule) {
      const TensorOverride& rule = settings_.overrides[*t.override_rule];
      return rule.to_host ? std::nullopt : std::optional(rule.device);
    }
    if (t.input) {
      return std::nullopt;
    }
    if (!t.layer || *t.layer >= placement_.layers.size()) {
      return placement_.output;
    }
    const LayerPlace& place = placement_.layers[*t.layer];
    const bool by_flag =
        (t.expert && *t.layer < settings_.cpu_moe_layers) ||
        (t.part == Part::dense_ffn && t.matrix && *t.layer < settings_.cpu_ffn_layers);
    if (by_flag || stays_with_host(place.host, t)) {
      return std::nullopt;
    }
    return place.device;
  }

  void put(std::uint64_t device, Part part, std::uint64_t bytes) {
    out_.bytes[device] += bytes;
    const std::string_view name = model::part_name(part);
    auto& parts = out_.by_part[device];
    const auto found =
        std::find_if(parts.begin(), parts.end(), [&](const auto& p) { return p.first == name; });
    if (found == parts.end()) {
      parts.push_back({name, bytes});
    } else {
      found->second += bytes;
    }
  }

  const Settings& settings_;
  const Placement& placement_;
  DeviceWeights out_;
};

}  // namespace

Placement place_layers(const Settings& settings, std::uint64_t layers) {
  Placement placement;
  placement.layers.resize(layers);
  const std::uint64_t on_gpu = std::min(settings.gpu_layers.value_or(layers + 1), layers + 1);
  const std::uint64_t start = layers + 1 - on_gpu;
  const std::vector<double> ends = split_ends(settings);
  const auto device_of = [&](std::uint64_t il) -> std::optional<std::uint64_t> {
    if (il < start || on_gpu == 0) {
      return std::nullopt;
    }
    if (settings.split_mode != SplitMode::layer) {
      return settings.main_gpu;
    }
    const double at = static_cast<double>(il - start) / static_cast<double>(on_gpu);
    const auto end = std::upper_bound(ends.begin(), ends.end(), at);
    return std::min<std::uint64_t>(static_cast<std::uint64_t>(end - ends.begin()),
                                   settings.devices - 1);
  };
  for (std::uint64_t il = 0; il < layers; ++il) {
    placement.layers[il].device = device_of(il);
  }
  placement.output = device_of(layers);
  placement.overrides =
      !settings.overrides.empty() || settings.cpu_moe_layers != 0 || settings.cpu_ffn_layers != 0;
  return placement;
}

void find_overrides(const Settings& settings, LoadedModel& model) {
  for (LoadedTensor& tensor : model.tensors) {
    const std::string name = settings.overrides.empty() ? std::string() : gguf_name(tensor);
    for (std::size_t i = 0; i < settings.overrides.size() && !tensor.override_rule; ++i) {
      if (settings.overrides[i].expression.matches(name)) {
        tensor.override_rule = i;
      }
    }
  }
}

DeviceWeights weigh(const Settings& settings, const Placement& placement,
                    const LoadedModel& model) {
  Scales scales(settings, placement);
  for (const LoadedTensor& tensor : model.tensors) {
    scales.add(tensor);
  }
  return scales.take();
}

}  // namespace ridgepoint::engine::llamacpp
