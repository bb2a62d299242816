#include "engine/llamacpp/budget.hpp"

#include <algorithm>

#include "arithmetic.hpp"
#include "engine/llamacpp/constants.hpp"
#include "estimate_sums.hpp"

namespace ridgepoint::engine::llamacpp {
namespace {

constexpr std::uint64_t kPipelineCopies = 4;  // GGML_SCHED_MAX_COPIES
constexpr std::uint64_t kFloat = 4;

/// Graph and memory rules of a build that the shape of a graph follows.
void apply_build(const Settings& settings, GraphShape& shape) {
  const std::uint32_t build = settings.version.build;
  shape.flash = settings.flash;
  shape.half_mask = has_rule("half_mask", build);
  shape.glu = has_rule("glu", build);
  shape.half_copy =
      has_rule("half_copy", build) && (settings.type_k->block > 1 || settings.type_v->block > 1);
}

bool works_as_pipeline(const Settings& settings, const Placement& placement) {
  const bool all =
      std::all_of(placement.layers.begin(), placement.layers.end(), [](const LayerPlace& place) {
        return place.device.has_value() && place.host == HostPart::none;
      });
  return settings.devices > 1 && all && placement.output && settings.kv_offload &&
         settings.split_mode == SplitMode::layer && !placement.overrides;
}

}  // namespace

Projector::Projector(const Inputs& inputs, const Settings& settings)
    : inputs_(inputs),
      model_(load_model(inputs.model, inputs.tensors, settings.mix ? &*settings.mix : nullptr,
                        settings.mtp)) {
  find_overrides(settings, model_);
  if (inputs.draft != nullptr) {
    draft_ = load_model(inputs.draft->model, inputs.draft->tensors,
                        settings.draft_mix ? &*settings.draft_mix : nullptr, false);
  }
}

std::uint64_t Projector::adapter_bytes() const {
  std::uint64_t widths = 0;
  for (const model::Tensor& t : inputs_.tensors) {
    const bool adapted = t.matrix && t.in_decoder() &&
                         (t.part == model::Part::attention || t.part == model::Part::dense_ffn ||
                          t.part == model::Part::state_mixer);
    if (adapted) {
      widths += (t.rows + t.cols) * t.layers;
    }
  }
  std::uint64_t bytes = 0;
  for (const Adapter& adapter : inputs_.adapters) {
    bytes += widths * adapter.rank * kFloat;
  }
  return bytes;
}

void Projector::add_caches(const Settings& settings, Projection& out) const {
  const auto caches = layer_caches(settings, inputs_.model, out.cells);
  for (std::size_t il = 0; il < caches.size(); ++il) {
    const auto& device = out.placement.layers[il].device;
    if (!device || !settings.kv_offload) {
      out.host_cache_bytes += caches[il].total();
      continue;
    }
    if (settings.split_mode == SplitMode::tensor) {
      for (DeviceMemory& memory : out.devices) {
        memory.full_cache += caches[il].full / settings.devices;
        memory.window_cache += caches[il].windowed / settings.devices;
        memory.state += caches[il].state / settings.devices;
      }
      continue;
    }
    DeviceMemory& memory = out.devices[*device];
    memory.full_cache += caches[il].full;
    memory.window_cache += caches[il].windowed;
    memory.state += caches[il].state;
  }
  if (out.placement.output) {
    out.devices[*out.placement.output].draft_cache +=
        mtp_cache_bytes(settings, inputs_.model, out.cells);
  }
}

GraphShape Projector::shape_of(const Settings& settings, const Projection& out,
                               std::uint64_t device) const {
  GraphShape shape;
  apply_build(settings, shape);
  shape.tokens = std::max<std::uint64_t>(1, std::min(settings.ubatch, out.cells.context));
  shape.outputs = settings.limited_outputs
                      ? std::min(shape.tokens, settings.parallel * (1 + settings.draft_tokens))
                      : shape.tokens;
  shape.cells = out.cells.full;
  shape.window_cells = out.cells.windowed;
  shape.streams = out.cells.streams;
  shape.copies = works_as_pipeline(settings, out.placement) ? kPipelineCopies : 1;
  const bool first = device == (settings.split_mode == SplitMode::layer ? 0 : settings.main_gpu);
  for (std::uint64_t il = 0; il < out.placement.layers.size(); ++il) {
    const auto& placed = out.placement.layers[il].device;
    const bool here =
        settings.split_mode == SplitMode::layer ? placed == device : placed.has_value();
    // Products with matrices that stay with the CPU are computed on the first card when a batch is
    // large, whichever card the layer is on.
    const std::uint64_t copied = settings.op_offload ? out.weights.host_matrices[il] : 0;
    GraphLayer layer;
    layer.index = il;
    layer.attends = placed.has_value() && settings.kv_offload;
    layer.mixes = here || !placed;
    layer.feeds_forward = out.weights.host_matrices[il] == 0 || (first && settings.op_offload);
    layer.copied_weight_bytes = first ? copied : 0;
    if (here || (first && copied != 0)) {
      shape.layers.push_back(layer);
    }
  }
  shape.has_output =
      out.placement.output == device || (!out.placement.output && settings.op_offload && first);
  if (settings.op_offload && !out.placement.output && first) {
    shape.copied_head_bytes = out.weights.host_matrices.back();
  }
  // The mask is cast on the first device that attends, and comes in 16 bits to the others.
  shape.half_mask = shape.half_mask || !first;
  return shape;
}

void Projector::add_compute(const Settings& settings, Projection& out,
                            std::optional<std::size_t> only) const {
  for (std::uint64_t device = 0; device < settings.devices; ++device) {
    if (only && *only != device) {
      continue;
    }
    const GraphShape shape = shape_of(settings, out, device);
    out.devices[device].compute = compute_buffer_bytes(inputs_.model, shape);
  }
  if (settings.mtp && out.placement.output && (!only || *only == *out.placement.output)) {
    GraphShape shape = shape_of(settings, out, *out.placement.output);
    // A layer that predicts further tokens is like the last one with attention.
    std::uint64_t like = inputs_.model.layers.size() - 1;
    while (like > 0 && !inputs_.model.layers[like].attention.caches()) {
      --like;
    }
    GraphLayer drafting;
    drafting.index = like;
    drafting.attends = settings.kv_offload;
    shape.layers = {drafting};
    shape.has_output = true;
    shape.half_copy =
        shape.half_copy && (settings.draft_type_k->block > 1 || settings.draft_type_v->block > 1);
    const std::uint64_t bytes = compute_buffer_bytes(inputs_.model, shape);
    out.devices[*out.placement.output].compute += bytes;
    out.devices[*out.placement.output].draft_compute += bytes;
  }
}

void Projector::add_draft(const Settings& settings, Projection& out) const {
  if (inputs_.draft == nullptr) {
    return;
  }
  const model::ModelSpec& spec = inputs_.draft->model;
  Settings drafting = settings;
  drafting.type_k = settings.draft_type_k;
  drafting.type_v = settings.draft_type_v;
  drafting.gpu_layers = std::min<std::uint64_t>(settings.draft_gpu_layers, spec.layers.size() + 1);
  drafting.shares.clear();
  drafting.devices = 1;
  drafting.main_gpu = 0;
  drafting.overrides.clear();
  drafting.cpu_moe_layers = 0;
  drafting.cpu_ffn_layers = 0;
  drafting.state_copies = 1;
  Projection own;
  own.cells = cells_of(drafting, spec, out.cells.context);
  own.placement = place_layers(drafting, spec.layers.size());
  own.weights = weigh(drafting, own.placement, draft_);
  DeviceMemory& memory = out.devices.front();
  out.draft_bytes = own.weights.bytes.front();
  memory.model += out.draft_bytes;
  out.weights.host_bytes += own.weights.host_bytes;
  out.weights.host_tables_bytes += own.weights.host_tables_bytes;
  const auto caches = layer_caches(drafting, spec, own.cells);
  GraphShape shape;
  apply_build(drafting, shape);
  for (std::size_t il = 0; il < caches.size(); ++il) {
    if (own.placement.layers[il].device && settings.kv_offload) {
      memory.draft_cache += caches[il].total();
    } else {
      out.host_cache_bytes += caches[il].total();
    }
    GraphLayer layer;
    layer.index = il;
    layer.attends = settings.kv_offload;
    shape.layers.push_back(layer);
  }
  shape.tokens = std::max<std::uint64_t>(1, std::min(settings.ubatch, own.cells.context));
  shape.outputs =
      settings.limited_outputs ? std::min(shape.tokens, settings.parallel) : shape.tokens;
  shape.cells = own.cells.full;
  shape.window_cells = own.cells.windowed;
  shape.streams = own.cells.streams;
  const std::uint64_t bytes = compute_buffer_bytes(spec, shape);
  memory.compute += bytes;
  memory.draft_compute += bytes;
}

/// Publishers' own mixes spend more bits than the mix they are named after.
DeviceWeights Projector::weigh_model(const Settings& settings, const Placement& placement) const {
  DeviceWeights weights = weigh(settings, placement, model_);
  if (model_.source != WeightSource::publishers) {
    return weights;
  }
  const double more = constant("publishers_mix_size", settings.version.build).best;
  const auto grow = [&](std::uint64_t& bytes) {
    bytes = static_cast<std::uint64_t>(static_cast<double>(bytes) * more);
  };
  for (std::size_t i = 0; i < weights.bytes.size(); ++i) {
    grow(weights.bytes[i]);
    for (auto& part : weights.by_part[i]) {
      grow(part.second);
    }
  }
  return weights;
}

Projection Projector::project(const Settings& settings, const Placement& placement,
                              std::uint64_t context) const {
  return project_devices(settings, placement, context, std::nullopt);
}

std::uint64_t Projector::device_bytes(const Settings& settings, const Placement& placement,
                                      std::uint64_t context, std::size_t device) const {
  return project_devices(settings, placement, context, device).devices[device].total();
}

Projection Projector::project_devices(const Settings& settings, const Placement& placement,
                                      std::uint64_t context,
                                      std::optional<std::size_t> only) const {
  Projection out;
  out.placement = placement;
  out.cells = cells_of(settings, inputs_.model, context);
  out.weights = weigh_model(settings, placement);
  out.devices.resize(settings.devices);
  for (std::size_t i = 0; i < settings.devices; ++i) {
    out.devices[i].model = out.weights.bytes[i];
  }
  if (settings.projector) {
    out.projector_bytes = projector_bytes(inputs_.tensors);
    out.devices[settings.main_gpu].model += out.projector_bytes;
  }
  out.adapter_bytes = adapter_bytes();
  for (DeviceMemory& memory : out.devices) {
    memory.model += out.adapter_bytes / settings.devices;
  }
  add_caches(settings, out);
  add_compute(settings, out, only);
  add_draft(settings, out);
  if (inputs_.measured.weights_bytes) {
    for (DeviceMemory& memory : out.devices) {
      memory.model = *inputs_.measured.weights_bytes;
    }
  }
  for (std::size_t i = 1; i < out.devices.size(); ++i) {
    if (out.devices[i].total() > out.devices[out.tightest].total()) {
      out.tightest = i;
    }
  }
  out.shape = shape_of(settings, out, out.tightest);
  return out;
}

Bytes context_overhead(const Inputs& inputs, const Settings& settings) {
  if (inputs.measured.non_torch_bytes) {
    Bytes bytes = exactly(*inputs.measured.non_torch_bytes);
    bytes.basis = Basis::measured;
    return bytes;
  }
  const std::string_view vendor = inputs.device.vendor;
  const std::string_view name = vendor == "nvidia" || vendor.empty() ? "context_mib_nvidia"
                                : vendor == "amd"                    ? "context_mib_amd"
                                                                     : "context_mib_other";
  return in_bytes(constant(name, settings.version.build), kMiB);
}

}  // namespace ridgepoint::engine::llamacpp
