#include "plan/layouts.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "plan/change.hpp"

namespace ridgepoint::plan {
namespace {

constexpr std::uint64_t kServer = 8;  ///< cards of one machine, which share its fast links

/// Collects what one number of cards can be.
class LayoutList {
 public:
  LayoutList(const Request& request, std::uint64_t count, bool pipeline)
      : request_(request), levers_(request.engine->levers), count_(count), pipeline_(pipeline) {
    tensor_ = given(levers_.tensor_parallel);
    stages_ = given(levers_.pipeline_parallel);
    data_ = given(levers_.data_parallel);
    groups_given_ = is_given(levers_.attention_groups);
    experts_given_ = is_given(levers_.expert_parallel);
    mixture_ = request.model.moe();
  }

  std::vector<Layout> list() {
    if (levers_.tensor_parallel.empty()) {
      Layout all;
      all.pipeline = count_;
      return {all};
    }
    for (std::uint64_t tensor = count_; tensor > 0; --tensor) {
      if (count_ % tensor != 0) {
        continue;
      }
      const std::uint64_t rest = count_ / tensor;
      for (std::uint64_t stages = 1; stages <= rest; ++stages) {
        if (rest % stages == 0) {
          add_variants(tensor, stages, rest / stages);
        }
      }
    }
    return std::move(list_);
  }

 private:
  [[nodiscard]] bool is_given(std::string_view lever) const {
    return !lever.empty() && given_flag(request_, lever) != nullptr;
  }

  /// A size that the request's flags fix; one that is no number is the engine's to refuse.
  [[nodiscard]] std::optional<std::uint64_t> given(std::string_view lever) const {
    const engine::FlagValue* flag = lever.empty() ? nullptr : given_flag(request_, lever);
    if (flag == nullptr) {
      return std::nullopt;
    }
    const auto* number = std::get_if<std::int64_t>(&flag->value);
    return number != nullptr && *number > 0 ? static_cast<std::uint64_t>(*number) : 1;
  }

  void add_variants(std::uint64_t tensor, std::uint64_t stages, std::uint64_t data) {
    const bool fixed = (tensor_ && *tensor_ != tensor) || (stages_ && *stages_ != stages);
    const bool stages_refused = stages > 1 && !pipeline_ && !stages_;
    if (fixed || stages_refused || stages > request_.model.layers.size()) {
      return;
    }
    if (groups_given_) {
      // The request's own groups are cut out of the tensor-parallel ranks.
      if (data == 1) {
        add({tensor, stages, 1, false, false});
      }
      return;
    }
    if (data_ && *data_ != data) {
      return;
    }
    if (data > 1 && levers_.data_parallel.empty()) {
      return;
    }
    const bool deals = mixture_ && !experts_given_ && !levers_.expert_parallel.empty();
    if (divides(tensor)) {
      add({tensor, stages, data, false, false});
      if (deals && tensor * data > 1) {
        // SGLang and TensorRT-LLM deal experts out over the ranks of one replica.
        const bool within_replica = request_.engine->name != "vllm";
        if (!within_replica || tensor > 1) {
          add({tensor, stages, data, true, false});
        }
      }
    }
    const bool groups = mixture_ && !levers_.attention_groups.empty() && !data_ && data == 1;
    if (groups && tensor > 1) {
      add({tensor, stages, tensor, false, true});
      if (deals) {
        add({tensor, stages, tensor, true, true});
      }
    }
  }

  /// Whether one group of this many ranks can share the heads.
  [[nodiscard]] bool divides(std::uint64_t ranks) const {
    if (groups_given_ || !request_.args.empty()) {
      return true;  // flags may cut the groups smaller
    }
    return std::all_of(request_.model.layers.begin(), request_.model.layers.end(),
                       [&](const model::Layer& layer) {
                         const model::Attention& a = layer.attention;
                         const std::uint64_t kv = a.num_key_value_heads;
                         const bool shared = a.kind == model::AttentionKind::latent || kv == 0 ||
                                             kv % ranks == 0 || ranks % kv == 0;
                         return a.kind == model::AttentionKind::none ||
                                (a.num_attention_heads % ranks == 0 && shared);
                       });
  }

  /// Whether the ranks can share each network, and each expert unless whole ones are dealt out.
  [[nodiscard]] bool divides_networks(std::uint64_t ranks, bool experts) const {
    return std::all_of(
        request_.model.layers.begin(), request_.model.layers.end(), [&](const model::Layer& layer) {
          const model::FeedForward& f = layer.feed_forward;
          return f.moe()
                     ? (experts ? f.num_experts % ranks == 0 : f.moe_intermediate_size % ranks == 0)
                     : f.intermediate_size % ranks == 0;
        });
  }

  void add(const Layout& layout) {
    // vLLM cuts experts over all replicas and says itself what it refuses.
    const bool own_rule = request_.engine->name == "vllm";
    if (own_rule || divides_networks(layout.tensor, layout.experts)) {
      list_.push_back(layout);
    }
  }

  const Request& request_;
  const engine::Levers& levers_;
  std::uint64_t count_;
  bool pipeline_;
  std::optional<std::uint64_t> tensor_;
  std::optional<std::uint64_t> stages_;
  std::optional<std::uint64_t> data_;
  bool groups_given_ = false;
  bool experts_given_ = false;
  bool mixture_ = false;
  std::vector<Layout> list_;
};

}  // namespace

std::uint32_t Layout::departures() const {
  return (pipeline > 1 ? 1U : 0U) + (data > 1 && !attention_groups ? 1U : 0U) +
         (experts ? 1U : 0U) + (attention_groups ? 1U : 0U) + (tensor > kServer ? 2U : 0U);
}

std::vector<Layout> layouts(const Request& request, std::uint64_t count, bool pipeline) {
  return LayoutList(request, count, pipeline).list();
}

std::vector<engine::FlagValue> layout_flags(const Request& request, const Layout& layout) {
  const engine::Levers& levers = request.engine->levers;
  std::vector<engine::FlagValue> flags;
  const auto set = [&](std::string_view lever, auto value) {
    if (!lever.empty() && given_flag(request, lever) == nullptr) {
      flags.push_back({std::string(lever), value});
    }
  };
  const auto size = [&](std::string_view lever, std::uint64_t ranks) {
    if (ranks > 1) {
      set(lever, static_cast<std::int64_t>(ranks));
    }
  };
  size(levers.tensor_parallel, layout.tensor);
  size(levers.pipeline_parallel, layout.pipeline);
  size(levers.data_parallel, layout.data);
  if (layout.attention_groups) {
    set(levers.attention_groups, true);
  }
  if (layout.experts) {
    const bool is_switch = request.engine->name == "vllm";
    if (is_switch) {
      set(levers.expert_parallel, true);
    } else {
      size(levers.expert_parallel, layout.tensor);
    }
  }
  return flags;
}

}  // namespace ridgepoint::plan
