#include "engine/sglang/budget.hpp"

#include <algorithm>

#include "arithmetic.hpp"
#include "engine/sglang/constants.hpp"
#include "estimate_sums.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::sglang {
namespace {

using model::Attention;
using model::AttentionKind;
using model::ModelSpec;
using model::Part;
using weights::Shard;
using weights::WeightBytes;

double as_double(std::uint64_t value) { return static_cast<double>(value); }

Shard shard_of(const Settings& settings, const Stage& stage) {
  Shard shard;
  shard.tensor_parallel = settings.parallelism.tensor;
  shard.expert_ranks = settings.expert_ranks;
  shard.expert_split =
      std::max<std::uint64_t>(1, settings.parallelism.tensor / settings.expert_ranks);
  shard.first_layer = stage.first_layer;
  shard.end_layer = stage.end_layer;
  shard.first_stage = stage.first;
  shard.last_stage = stage.last;
  return shard;
}

/// Computes one stage; each member function is one term.
class BudgetBuilder {
 public:
  BudgetBuilder(const Inputs& inputs, const Settings& settings, const Stage& stage)
      : inputs_(inputs),
        settings_(settings),
        model_(inputs.model),
        value_bytes_(precision::dtype_bytes(settings.dtype)) {
    budget_.stage = stage;
  }

  StageBudget build() {
    add_weights();
    add_context();
    replace_by_measured();
    add_before();
    add_rest();
    return budget_;
  }

 private:
  [[nodiscard]] std::uint32_t number() const { return settings_.version.number; }

  /// The shared expert was cloned for every rank on 0.4.5 and 0.4.6.
  [[nodiscard]] bool whole_shared_experts() const {
    const bool cloned =
        number() >= 4005 && number() <= 4006 && model_.architecture.starts_with("DeepseekV3");
    return settings_.deepep || cloned;
  }

  /// Parts of a model are divided over different ranks: attention within its group, the embedding
  /// not at all under data-parallel attention, dense layers as a flag says.
  [[nodiscard]] WeightBytes loaded(const ModelSpec& source) const {
    const auto of = [&](std::uint64_t ranks) {
      Shard shard = shard_of(settings_, budget_.stage);
      shard.tensor_parallel = ranks;
      shard.whole_shared_experts = whole_shared_experts();
      return weights::loaded_bytes(source, inputs_.tensors, shard, settings_.dtype);
    };
    WeightBytes sum = of(settings_.parallelism.tensor);
    const auto take = [&](Part part, const WeightBytes& from) {
      const auto i = static_cast<std::size_t>(part);
      sum.total = sum.total - sum.by_part[i] + from.by_part[i];
      sum.by_part[i] = from.by_part[i];
    };
    if (settings_.attention_tensor != settings_.parallelism.tensor) {
      const WeightBytes group = of(settings_.attention_tensor);
      take(Part::attention, group);
      take(Part::state_mixer, group);
      if (settings_.data_parallel_attention) {
        take(Part::embedding, of(1));
      }
      if (settings_.head_by_group) {
        take(Part::lm_head, group);
      }
    }
    if (settings_.dense_tensor != settings_.parallelism.tensor) {
      take(Part::dense_ffn, of(settings_.dense_tensor));
    }
    return sum;
  }

  void add_weights() {
    ModelSpec const* source = &model_;
    ModelSpec quantised;
    auto online = precision::online_quantization(settings_.quantization);
    if (online && !model_.quantization.quantized()) {
      quantised = model_;
      quantised.quantization = *std::move(online);
      source = &quantised;
    }
    budget_.weights_detail = loaded(*source);
    std::uint64_t sum = budget_.weights_detail.total;
    if (model_.checkpoint_bytes) {
      const double computed =
          as_double(std::max<std::uint64_t>(1, weights::checkpoint_bytes(model_, inputs_.tensors)));
      const double ratio = as_double(*model_.checkpoint_bytes) / computed;
      sum = to_bytes(as_double(sum) * ratio);
      for (std::uint64_t& part : budget_.weights_detail.by_part) {
        part = to_bytes(as_double(part) * ratio);
      }
    }
    budget_.rope_bytes = rope_table_bytes();
    budget_.absorbed_bytes = absorbed_copies();
    budget_.scale_copies = expert_scale_copies();
    budget_.draft_weights = number() >= 5013 ? draft_weight_bytes(inputs_, settings_) : 0;
    sum +=
        budget_.rope_bytes + budget_.absorbed_bytes + budget_.scale_copies + budget_.draft_weights;
    const char* loading = model_.stateful() ? "loading_gib_states" : "loading_gib";
    const Bytes more = in_bytes(constant(loading, number()), kGiB);
    budget_.weights = {sum + more.low, sum + more.best, sum + more.high, Basis::measured,
                       more.starts};
    widen_weights(*source);
  }

  /// Scales' layouts and kernels' paddings of quantised weights differ by a percent or so, towers
  /// by what of them is kept.
  void widen_weights(const ModelSpec& source) {
    const bool quantised = source.quantization.quantized();
    const double below = model_.vision.present ? 0.97 : (quantised ? 0.985 : 1.0);
    budget_.weights.low = to_bytes(as_double(budget_.weights.low) * below);
    budget_.weights.high = to_bytes(as_double(budget_.weights.high) * (quantised ? 1.02 : 1.0));
  }

  [[nodiscard]] bool experts_in_nvfp4(std::uint64_t layer) const {
    if (!model_.quantization.quantized()) {
      return false;
    }
    std::string name(model_.names.layers);
    name += worded({layer, ".", model_.names.experts});
    name += model_.names.up;
    return model_.quantization.format_of(name, precision::ModuleKind::expert).packing ==
           precision::Packing::nvfp4;
  }

  /// The swizzled block scales are laid out beside those that are loaded, and both stay: one byte
  /// for 16 values each.
  std::uint64_t expert_scale_copies() const {
    constexpr std::uint64_t kValuesAScale = 16;
    const Shard split = shard_of(settings_, budget_.stage);
    std::uint64_t bytes = 0;
    for (std::uint64_t i = budget_.stage.first_layer; i < budget_.stage.end_layer; ++i) {
      const model::FeedForward& f = model_.layers[i].feed_forward;
      if (!f.moe() || !experts_in_nvfp4(i)) {
        continue;
      }
      const std::uint64_t hidden =
          f.expert_hidden_size == 0 ? model_.hidden_size : f.expert_hidden_size;
      const std::uint64_t matrices = f.experts_gated ? 3 : 2;
      bytes += ceil_div(f.num_experts, split.expert_ranks) * matrices * hidden *
               ceil_div(f.moe_intermediate_size, split.expert_split) / kValuesAScale;
    }
    return bytes;
  }

  /// cos and sin of every position in float32, once a model.
  std::uint64_t rope_table_bytes() const {
    const std::uint64_t positions =
        std::max(derived_context_length(model_), settings_.context_length);
    return positions * (model_.rope.rotary_dim + model_.rope.local_rotary_dim) * 4;
  }

  /// W_UK and W_UV by heads, in 16 bits, beside the projection they come from.
  std::uint64_t absorbed_copies() const {
    std::uint64_t bytes = 0;
    for (std::uint64_t i = budget_.stage.first_layer; i < budget_.stage.end_layer; ++i) {
      const Attention& a = model_.layers[i].attention;
      if (a.kind == AttentionKind::latent && !a.cached_per_head) {
        bytes += ceil_div(a.num_attention_heads, settings_.attention_tensor) *
                 (a.qk_nope_head_dim + a.v_head_dim) * a.kv_lora_rank * value_bytes_;
      }
    }
    return bytes;
  }

  /// Unified memory is read as what the operating system calls available, unless it is given.
  [[nodiscard]] std::string context_name() const {
    const hardware::Device& device = inputs_.device;
    if (device.unified_memory && device.vendor == "nvidia" && !device.free_bytes) {
      return "context_gib_unified";
    }
    const bool many = settings_.parallelism.tensor * settings_.parallelism.pipeline > 1;
    const std::string_view ranks = many ? "n" : "1";
    const std::uint32_t generation = device.compute_capability / 10;
    const bool datacentre = generation == 9 || generation == 10 || device.compute_capability == 80;
    const std::string_view kind = device.vendor == "amd" ? "amd_" : datacentre ? "datacentre_" : "";
    return worded({"context_gib_", kind, ranks});
  }

  void add_context() {
    budget_.context = in_bytes(constant(context_name(), number()), kGiB);
    if (settings_.version.nearest_rules) {
      budget_.context.low = budget_.context.low * 6 / 10;
      budget_.context.high = budget_.context.high * 16 / 10;
      budget_.context.basis = Basis::assumed;
    }
  }

  void replace_by_measured() {
    const auto replace = [](Bytes& term, const std::optional<std::uint64_t>& value) {
      if (value) {
        term = {*value, *value, *value, Basis::measured, 1};
      }
    };
    replace(budget_.weights, inputs_.measured.weights_bytes);
    replace(budget_.context, inputs_.measured.non_torch_bytes);
  }

  void add_before() {
    const std::uint64_t free = inputs_.device.free_bytes.value_or(inputs_.device.total_bytes);
    const auto less = [&](std::uint64_t used) { return free > used ? free - used : 0; };
    const Bytes& used = budget_.context;
    budget_.before = {less(used.high), less(used.best), less(used.low), used.basis, used.starts};
  }

  void add_rest() {
    const double fraction = settings_.mem_fraction_static;
    const char* loss_name = model_.stateful() ? "sizing_loss_gib_states" : "sizing_loss_gib";
    const Bytes loss = in_bytes(constant(loss_name, number()), kGiB);
    const Bytes gain = in_bytes(constant("sizing_gain_gib", number()), kGiB);
    const Bytes& before = budget_.before;
    const Bytes& weights = budget_.weights;
    budget_.rest.low =
        as_double(before.low) * fraction - as_double(weights.high) - as_double(loss.high);
    budget_.rest.best =
        as_double(before.best) * fraction - as_double(weights.best) - as_double(loss.best);
    budget_.rest.high =
        as_double(before.high) * fraction - as_double(weights.low) + as_double(gain.high);
  }

  const Inputs& inputs_;
  const Settings& settings_;
  const ModelSpec& model_;
  std::uint64_t value_bytes_;  ///< of a 16-bit or 32-bit weight
  StageBudget budget_;
};

}  // namespace

std::uint64_t draft_weight_bytes(const Inputs& inputs, const Settings& settings) {
  const DraftSettings& draft = settings.draft;
  if (draft.layers == 0) {
    return 0;
  }
  const std::uint64_t layers =
      draft.own_model ? inputs.draft->model.layers.size() : inputs.model.mtp.layers.size();
  Shard shard = shard_of(settings, Stage{0, layers, true, true});
  if (!draft.own_model) {
    return weights::mtp_bytes(inputs.model, inputs.tensors, shard, settings.dtype);
  }
  const WeightBytes loaded =
      weights::loaded_bytes(inputs.draft->model, inputs.draft->tensors, shard, settings.dtype);
  // All but a draft of its own kind look up the embedding of the model they serve.
  const bool keeps_table = draft.speculation == Speculation::standalone;
  const auto table = static_cast<std::size_t>(Part::embedding);
  return loaded.total - (keeps_table ? 0 : loaded.by_part[table]);
}

StageBudget stage_budget(const Inputs& inputs, const Settings& settings, const Stage& stage) {
  return BudgetBuilder(inputs, settings, stage).build();
}

}  // namespace ridgepoint::engine::sglang
