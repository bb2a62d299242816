#include "engine/llamacpp/fit.hpp"

#include <algorithm>

#include "wording.hpp"

namespace ridgepoint::engine::llamacpp {
namespace {

constexpr std::uint64_t kContextStep = 256;

std::uint64_t sum(const Projection& projection) {
  std::uint64_t total = 0;
  for (const DeviceMemory& memory : projection.devices) {
    total += memory.total();
  }
  return total;
}

/// Layers that a device has, from the front: whole ones, then those without their experts, the
/// first of which may keep more.
struct DeviceLayers {
  std::uint64_t layers = 0;   ///< the output counts as one
  std::uint64_t partial = 0;  ///< of those
  HostPart first_partial = HostPart::experts;
};

/// Fills devices layer by layer.
class LayerFitter {
 public:
  LayerFitter(const Projector& projector, const Settings& settings, std::uint64_t context,
              std::uint64_t free_bytes)
      : projector_(projector), settings_(settings), context_(context) {
    layers_ = projector.placement(settings).layers.size();
    for (const std::uint64_t margin : settings.fit_target_bytes) {
      targets_.push_back(free_bytes > margin ? free_bytes - margin : 0);
    }
    filled_.resize(settings.devices);
  }

  Placement dense() {
    fill_back_to_front(false);
    return placed(filled_);
  }

  Placement mixture() {
    fill_back_to_front(true);
    if (assigned() < layers_ + 1) {
      return placed(filled_);
    }
    for (std::size_t device = 0; device < filled_.size(); ++device) {
      convert_to_whole(device);
      extend_by_part(device);
    }
    return placed(filled_);
  }

 private:
  [[nodiscard]] std::uint64_t assigned() const {
    std::uint64_t layers = 0;
    for (const DeviceLayers& device : filled_) {
      layers += device.layers;
    }
    return layers;
  }

  [[nodiscard]] Placement placed(const std::vector<DeviceLayers>& filled) const {
    Placement placement;
    placement.layers.resize(layers_);
    placement.overrides = false;
    std::uint64_t all = 0;
    for (const DeviceLayers& device : filled) {
      all += device.layers;
    }
    std::uint64_t il = layers_ + 1 - std::min(all, layers_ + 1);
    for (std::size_t device = 0; device < filled.size(); ++device) {
      const DeviceLayers& d = filled[device];
      for (std::uint64_t i = 0; i < d.layers && il <= layers_; ++i, ++il) {
        if (il == layers_) {
          placement.output = device;
          continue;
        }
        placement.layers[il].device = device;
        const std::uint64_t whole = d.layers - d.partial;
        if (i >= whole) {
          placement.layers[il].host = i == whole ? d.first_partial : HostPart::experts;
          placement.overrides = true;
        }
      }
    }
    return placement;
  }

  [[nodiscard]] bool fits(const std::vector<DeviceLayers>& filled, std::size_t device) const {
    return projector_.device_bytes(settings_, placed(filled), context_, device) <= targets_[device];
  }

  void fill_back_to_front(bool without_experts) {
    for (std::size_t at = filled_.size(); at-- > 0;) {
      const std::uint64_t left = layers_ + 1 - assigned();
      const bool last = at + 1 == filled_.size();
      const auto with = [&](std::uint64_t layers) {
        std::vector<DeviceLayers> tried = filled_;
        tried[at].layers = layers;
        // The output is a whole layer always.
        tried[at].partial = without_experts && layers != 0 ? layers - (last ? 1 : 0) : 0;
        return tried;
      };
      std::uint64_t low = 0;
      std::uint64_t high = left + 1;
      while (high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        (fits(with(middle), at) ? low : high) = middle;
      }
      filled_ = with(low);
    }
  }

  /// Moves layers without experts from the back to whole ones of this device.
  [[nodiscard]] std::vector<DeviceLayers> converted(std::size_t device, std::uint64_t count) const {
    std::vector<DeviceLayers> tried = filled_;
    for (std::size_t from = device; from < tried.size() && count != 0; ++from) {
      const std::uint64_t moved = std::min(count, tried[from].partial);
      tried[from].layers -= moved;
      tried[from].partial -= moved;
      tried[device].layers += moved;
      count -= moved;
    }
    return tried;
  }

  void convert_to_whole(std::size_t device) {
    std::uint64_t available = 0;
    for (std::size_t i = device; i < filled_.size(); ++i) {
      available += filled_[i].partial;
    }
    std::uint64_t low = 0;
    std::uint64_t high = available + 1;
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      (fits(converted(device, middle), device) ? low : high) = middle;
    }
    filled_ = converted(device, low);
  }

  /// One more layer with a part of its experts.
  void extend_by_part(std::size_t device) {
    std::size_t from = device;
    while (from < filled_.size() && filled_[from].partial == 0) {
      ++from;
    }
    if (from == filled_.size()) {
      return;
    }
    std::vector<DeviceLayers> tried = filled_;
    if (from != device) {
      --tried[from].layers;
      --tried[from].partial;
      ++tried[device].layers;
      ++tried[device].partial;
    }
    const auto keeps = [&](HostPart part) {
      tried[device].first_partial = part;
      if (!fits(tried, device)) {
        return false;
      }
      filled_ = tried;
      return true;
    };
    if (keeps(HostPart::gate_and_down)) {
      keeps(HostPart::down);
    } else {
      keeps(HostPart::all_ffn);
    }
  }

  const Projector& projector_;
  const Settings& settings_;
  std::uint64_t context_;
  std::uint64_t layers_ = 0;
  std::vector<std::uint64_t> targets_;
  std::vector<DeviceLayers> filled_;
};

bool leaves_margins(const Projection& projection, const Settings& settings,
                    std::uint64_t free_bytes) {
  for (std::size_t i = 0; i < projection.devices.size(); ++i) {
    if (projection.devices[i].total() + settings.fit_target_bytes[i] > free_bytes) {
      return false;
    }
  }
  return true;
}

std::string refusal(const Settings& settings, const Placement& placement) {
  if (settings.split_mode == SplitMode::tensor) {
    return "llama_params_fit is not implemented for SPLIT_MODE_TENSOR, abort";
  }
  if (settings.gpu_layers) {
    return worded({"n_gpu_layers already set by user to ", *settings.gpu_layers, ", abort"});
  }
  if (settings.devices > 1 && !settings.shares.empty()) {
    return "model_params::tensor_split already set by user, abort";
  }
  if (settings.devices > 1 && settings.split_mode == SplitMode::row) {
    return "changing weight allocation for LLAMA_SPLIT_MODE_ROW not implemented, abort";
  }
  return placement.overrides ? "model_params::tensor_buft_overrides already set by user, abort"
                             : std::string();
}

}  // namespace

Fitted fit_to_memory(const Projector& projector, const Settings& settings, std::uint64_t free_bytes,
                     std::uint64_t experts) {
  Fitted out;
  out.placement = projector.placement(settings);
  out.context = settings.ctx_size.value_or(settings.train_context);
  if (!settings.fit || settings.split_mode == SplitMode::tensor) {
    return out;
  }
  const Projection full = projector.project(settings, out.placement, out.context);
  if (leaves_margins(full, settings, free_bytes)) {
    return out;
  }
  out.use_at_full = sum(full);
  std::uint64_t margins = 0;
  std::uint64_t model = 0;
  for (std::size_t i = 0; i < full.devices.size(); ++i) {
    margins += settings.fit_target_bytes[i];
    model += full.devices[i].model;
  }
  const std::uint64_t devices = full.devices.size();
  const std::uint64_t all_free = free_bytes * devices;
  const bool short_in_all = all_free < out.use_at_full + margins;
  if (!settings.ctx_size && short_in_all && settings.train_context > settings.fit_ctx) {
    std::uint64_t target = all_free > margins ? all_free - margins : 0;
    if (devices > 1) {
      const std::uint64_t layers = out.placement.layers.size() + 1;
      const std::uint64_t waste = (devices + 1) * (model / layers) / (experts == 0 ? 2 : 6);
      target = target > waste ? target - waste : 0;
    }
    const Projection least = projector.project(settings, out.placement, settings.fit_ctx);
    out.use_at_least = sum(least);
    out.changed_context = true;
    out.context = settings.fit_ctx;
    if (target > out.use_at_least && out.use_at_full > out.use_at_least) {
      const auto span = static_cast<double>(settings.train_context - settings.fit_ctx);
      const double share = static_cast<double>(target - out.use_at_least) /
                           static_cast<double>(out.use_at_full - out.use_at_least);
      out.context += static_cast<std::uint64_t>(span * std::min(share, 1.0));
      out.context = std::max(out.context / kContextStep * kContextStep, settings.fit_ctx);
      if (devices == 1) {
        return out;
      }
    }
  }
  out.refusal = refusal(settings, out.placement);
  if (!out.refusal.empty()) {
    return out;
  }
  LayerFitter fitter(projector, settings, out.context, free_bytes);
  out.placement = experts == 0 ? fitter.dense() : fitter.mixture();
  out.changed_layers = true;
  return out;
}

}  // namespace ridgepoint::engine::llamacpp
