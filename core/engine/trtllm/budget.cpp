#include "engine/trtllm/budget.hpp"

#include <algorithm>
#include <cmath>

#include "arithmetic.hpp"
#include "engine/trtllm/constants.hpp"
#include "engine/trtllm/dry_run.hpp"
#include "estimate_sums.hpp"

namespace ridgepoint::engine::trtllm {
namespace {

using model::Attention;
using model::AttentionKind;
using model::FeedForward;
using model::Layer;

constexpr double kMostBytes = 1e18;

Bytes plus_exactly(const Bytes& a, std::uint64_t b) {
  return {a.low + b, a.best + b, a.high + b, a.basis, a.starts};
}

/// A constant times a figure.
Bytes times(const Constant& constant, double figure) {
  return {to_bytes(constant.low * figure), to_bytes(constant.best * figure),
          to_bytes(constant.high * figure), constant.basis, constant.starts};
}

/// Computes one stage; each member function is one term.
class BudgetBuilder {
 public:
  BudgetBuilder(const Inputs& inputs, const Settings& settings, const Stage& stage)
      : inputs_(inputs),
        settings_(settings),
        model_(inputs.model),
        tp_(settings.parallelism.tensor),
        ranks_(settings.attention_ranks()),
        value_bytes_(precision::dtype_bytes(settings.dtype)) {
    budget_.stage = stage;
    budget_.cost = token_cost(inputs, settings, stage);
    budget_.adds_back = settings.version.number >= kAddsBack;
  }

  StageBudget build() {
    add_weights();
    add_activation();
    add_graphs();
    add_non_torch();
    doubt_unmeasured_cards();
    replace_by_measured();
    if (settings_.version.nearest_rules) {
      widen_for_unknown_version();
    }
    add_temporary();
    add_available();
    return budget_;
  }

 private:
  [[nodiscard]] const Constant& fitted(std::string_view name) const {
    return constant(name, settings_.version.number);
  }
  [[nodiscard]] bool pytorch() const { return settings_.backend == Backend::pytorch; }
  [[nodiscard]] bool blackwell() const { return inputs_.device.compute_capability / 10 == 10; }

  /// Attention data parallelism keeps all but the routed experts whole on every rank.
  [[nodiscard]] weights::Shard shard() const {
    weights::Shard shard;
    shard.tensor_parallel = ranks_;
    shard.expert_ranks = settings_.expert_ranks;
    shard.expert_split = tp_ / settings_.expert_ranks;
    shard.first_layer = budget_.stage.first_layer;
    shard.end_layer = budget_.stage.end_layer;
    shard.first_stage = budget_.stage.first;
    shard.last_stage = budget_.stage.last;
    return shard;
  }

  /// Latent attention keeps 16-bit copies of its key and value up-projections beside the fused one
  /// (_torch/modules/attention.py, MLA: k_b_proj_trans and v_b_proj).
  [[nodiscard]] std::uint64_t absorbed_copies() const {
    std::uint64_t bytes = 0;
    const auto of = [&](const Attention& a) {
      const bool latent = a.kind == AttentionKind::latent && !a.cached_per_head;
      return latent ? ceil_div(a.num_attention_heads, ranks_) * a.kv_lora_rank *
                          (a.qk_nope_head_dim + a.v_head_dim) * value_bytes_
                    : 0;
    };
    for (std::uint64_t i = budget_.stage.first_layer; i < budget_.stage.end_layer; ++i) {
      bytes += of(model_.layers[i].attention);
    }
    return bytes;
  }

  [[nodiscard]] std::uint64_t guessing_weights() const {
    if (!budget_.stage.last || !settings_.speculation.enabled) {
      return 0;
    }
    if (settings_.speculation.own_layers) {
      return weights::mtp_bytes(model_, inputs_.tensors, shard(), settings_.dtype);
    }
    if (inputs_.draft == nullptr) {
      return 0;
    }
    weights::Shard whole = shard();
    whole.first_layer = 0;
    whole.end_layer = inputs_.draft->model.layers.size();
    whole.first_stage = whole.last_stage = true;
    return weights::loaded_bytes(inputs_.draft->model, inputs_.draft->tensors, whole,
                                 settings_.dtype)
        .total;
  }

  void add_weights() {
    budget_.weights_detail =
        weights::loaded_bytes(model_, inputs_.tensors, shard(), settings_.dtype);
    std::uint64_t loaded = budget_.weights_detail.total;
    if (model_.checkpoint_bytes) {
      const auto computed = static_cast<double>(weights::checkpoint_bytes(model_, inputs_.tensors));
      const double ratio = static_cast<double>(*model_.checkpoint_bytes) / computed;
      loaded = to_bytes(static_cast<double>(loaded) * ratio);
      for (std::uint64_t& part : budget_.weights_detail.by_part) {
        part = to_bytes(static_cast<double>(part) * ratio);
      }
    }
    budget_.guessing_bytes = guessing_weights();
    budget_.absorbed_bytes = pytorch() ? absorbed_copies() : 0;
    budget_.padding_bytes =
        pytorch() ? expert_padding() + whole_embedding() + budget_.weights_detail.allocator_rest
                  : 0;
    const std::uint64_t tensors =
        loaded + budget_.guessing_bytes + budget_.absorbed_bytes + budget_.padding_bytes;
    budget_.weights = times(fitted("weights_error"), static_cast<double>(tensors));
    budget_.weights.best = tensors;
    if (pytorch() && model_.moe()) {
      const Bytes workspace = loading_workspace();
      budget_.workspace_bytes = workspace.best;
      budget_.weights = plus(budget_.weights, workspace);
    }
  }

  /// Buffers that "after loading" has in it and that grow with the tokens the experts see.
  [[nodiscard]] Bytes loading_workspace() const {
    const std::uint64_t gathered = settings_.attention_dp ? settings_.expert_ranks : 1;
    const double elements = static_cast<double>(settings_.max_num_tokens) *
                            static_cast<double>(gathered) * static_cast<double>(model_.hidden_size);
    return times(fitted(model_.latent() ? "workspace_bytes_latent" : "workspace_bytes"), elements);
  }

  /// The embedding of DeepSeek's model class is whole on every rank, where others split it
  /// (_torch/models/modeling_deepseekv3.py, DeepseekV3Model).
  [[nodiscard]] std::uint64_t whole_embedding() const {
    if (!model_.latent() || ranks_ == 1 || !budget_.stage.first) {
      return 0;
    }
    const std::uint64_t width =
        model_.embedding_size == 0 ? model_.hidden_size : model_.embedding_size;
    return (model_.vocab_size - weights::vocabulary_rows(model_.vocab_size, ranks_)) * width *
           value_bytes_;
  }

  /// MXFP4 experts are rounded up to the tiles of their kernels: the inner width to 256 with those
  /// of TRTLLM and CUTEDSL, both widths to 128 with the others
  /// (_torch/modules/fused_moe/quantization.py).
  [[nodiscard]] std::uint64_t expert_padding() const {
    if (!model_.quantization.quantized() ||
        model_.quantization.groups.front().format.packing != precision::Packing::mxfp4) {
      return 0;
    }
    const auto experts = static_cast<double>(
        budget_.weights_detail.by_part[static_cast<std::size_t>(model::Part::experts)]);
    const std::uint64_t split = tp_ / settings_.expert_ranks;
    for (const Layer& layer : model_.layers) {
      const FeedForward& f = layer.feed_forward;
      if (f.moe()) {
        const std::uint64_t inner = ceil_div(f.moe_intermediate_size, split);
        const std::uint64_t unit = settings_.wide_expert_tiles ? 256 : 128;
        double growth = static_cast<double>(round_up(inner, unit)) / static_cast<double>(inner);
        if (!settings_.wide_expert_tiles) {
          growth *= static_cast<double>(round_up(model_.hidden_size, unit)) /
                    static_cast<double>(model_.hidden_size);
        }
        return to_bytes(experts * (growth - 1.0));
      }
    }
    return 0;
  }

  /// Bytes a token of the widest layer's queries, keys and values, or of its dense network.
  [[nodiscard]] std::uint64_t widest_bytes() const {
    std::uint64_t widest = 0;
    for (std::uint64_t i = budget_.stage.first_layer; i < budget_.stage.end_layer; ++i) {
      const Layer& layer = model_.layers[i];
      widest = std::max({widest, attention_width(layer.attention), state_width(layer.state),
                         network_width(layer.feed_forward)});
    }
    return widest * value_bytes_;
  }

  [[nodiscard]] std::uint64_t attention_width(const Attention& a) const {
    if (a.kind == AttentionKind::none) {
      return 0;
    }
    const std::uint64_t heads = ceil_div(a.num_attention_heads, ranks_);
    const std::uint64_t kv_heads =
        a.kind == AttentionKind::latent ? heads : ceil_div(a.num_key_value_heads, ranks_);
    return heads * a.head_dim + kv_heads * (a.head_dim + a.v_head_dim);
  }

  [[nodiscard]] std::uint64_t state_width(const model::State& s) const {
    return ceil_div(2 * s.inner_size + 2 * s.groups * s.state_size +
                        2 * s.key_heads * s.key_head_dim + 2 * s.heads * s.head_dim,
                    ranks_);
  }

  [[nodiscard]] std::uint64_t network_width(const FeedForward& f) const {
    const std::uint64_t width = std::max(f.intermediate_size, f.shared_intermediate_size);
    return ceil_div(width, ranks_) * (f.gated ? 3 : 2);
  }

  [[nodiscard]] std::uint64_t chosen_experts() const {
    std::uint64_t most = 0;
    for (const Layer& layer : model_.layers) {
      most = std::max(most, layer.feed_forward.moe() ? layer.feed_forward.num_experts_per_tok : 0);
    }
    return most;
  }

  [[nodiscard]] std::string_view residual_name() const {
    return model_.latent() ? "residual_bytes_latent" : "residual_bytes";
  }

  /// The dry run's forward pass over max_num_tokens tokens and the logits of its requests.
  [[nodiscard]] Bytes forward() const {
    const auto tokens = static_cast<double>(settings_.max_num_tokens);
    const double elements = tokens * static_cast<double>(model_.hidden_size);
    const double widest = tokens * static_cast<double>(widest_bytes());
    const double logits = 4.0 * static_cast<double>(dry_run_requests(settings_)) *
                          static_cast<double>(model_.vocab_size);
    Bytes sum = times(fitted("torch_fixed_gib"), kGiB);
    sum = plus(sum, times(fitted(residual_name()), elements));
    if (settings_.routed_workspace) {
      const Bytes routed =
          times(fitted("routed_bytes"), elements * static_cast<double>(chosen_experts()));
      // Another choice of kernels would leave it out.
      sum = plus(sum, routed);
    }
    // The peaks of the widest layer and of the rest need not coincide.
    const Bytes layer = {to_bytes(0.6 * widest), to_bytes(widest), to_bytes(1.1 * widest),
                         Basis::measured, 0};
    return plus_exactly(plus(sum, layer), to_bytes(logits));
  }

  void add_activation() {
    budget_.activation_source =
        fitted(pytorch() ? residual_name() : "engine_context_factor").source;
    if (!pytorch()) {
      // The engine's execution context, whose size was fixed when it was built.
      const Bytes best = forward();
      budget_.activation = times(fitted("engine_context_factor"), static_cast<double>(best.best));
      return;
    }
    budget_.activation = settings_.dry_run ? forward() : exactly<std::uint64_t>(0);
    if (settings_.graphs.piecewise && settings_.dry_run && !settings_.speculation.enabled) {
      // What the recorded pieces allocate lies in the graphs' own pool.
      const Bytes fixed = times(fitted("torch_fixed_gib"), kGiB);
      budget_.activation.low = fixed.low;
      budget_.activation.best = fixed.best;
    }
  }

  void add_graphs() {
    budget_.cuda_graphs = exactly<std::uint64_t>(0);
    const Graphs& graphs = settings_.graphs;
    if (graphs.sizes != 0) {
      const std::uint64_t layers = budget_.stage.end_layer - budget_.stage.first_layer;
      budget_.cuda_graphs =
          times(fitted("graph_mib_per_layer"), kMiB * static_cast<double>(graphs.sizes * layers));
      if (budget_.stage.last) {
        const std::uint64_t logits = graph_logits();
        // In 16 bits, in float32, or both at once.
        budget_.cuda_graphs =
            plus(budget_.cuda_graphs, {logits / 2, logits, logits / 2 * 3, Basis::measured, 0});
      }
    }
    if (graphs.piecewise) {
      budget_.cuda_graphs = plus(budget_.cuda_graphs, times(fitted("piecewise_gib"), kGiB));
    }
    budget_.cuda_graphs_charged = budget_.cuda_graphs;
  }

  /// The largest graph's logits in float32, which stay in the graphs' pool.
  [[nodiscard]] std::uint64_t graph_logits() const {
    const std::uint64_t rows = settings_.graphs.largest * (1 + settings_.speculation.draft_tokens);
    return to_bytes(4.0 * static_cast<double>(rows) * static_cast<double>(model_.vocab_size));
  }

  void add_non_torch() {
    const char* base = blackwell() ? "outside_gib_blackwell" : "outside_gib_other";
    if (inputs_.device.compute_capability / 10 == 9) {
      base = "outside_gib_hopper";
    }
    budget_.non_torch = times(fitted(base), kGiB);
    budget_.outside_source = fitted(base).source;
    if (tp_ * settings_.parallelism.pipeline > 1) {
      budget_.non_torch = plus(budget_.non_torch, ranks_outside());
    }
    if (has_indexer()) {
      budget_.non_torch = plus(budget_.non_torch, times(fitted("outside_gib_indexer"), kGiB));
    }
    if (settings_.transfer_tokens) {
      // One buffer to send and one to receive.
      budget_.transfer_bytes = to_bytes(2.0 * static_cast<double>(*settings_.transfer_tokens) *
                                        static_cast<double>(budget_.cost.allocated));
      budget_.non_torch = plus_exactly(budget_.non_torch, budget_.transfer_bytes);
    }
    if (inputs_.device.free_bytes) {
      budget_.others_bytes = inputs_.device.total_bytes -
                             std::min(inputs_.device.total_bytes, *inputs_.device.free_bytes);
      budget_.non_torch = plus_exactly(budget_.non_torch, budget_.others_bytes);
    }
  }

  [[nodiscard]] bool has_indexer() const {
    return std::any_of(model_.layers.begin(), model_.layers.end(),
                       [](const Layer& layer) { return layer.attention.indexer.heads != 0; });
  }

  /// NCCL and the workspaces of sums and exchanges between ranks.
  [[nodiscard]] Bytes ranks_outside() const {
    const double elements =
        static_cast<double>(settings_.max_num_tokens) * static_cast<double>(model_.hidden_size);
    if (settings_.attention_dp) {
      const double sent = elements * static_cast<double>(settings_.expert_ranks);
      return plus(times(fitted("outside_gib_attention_dp"), kGiB),
                  times(fitted("exchange_bytes_per_element"), sent));
    }
    double doublings = 0;
    for (std::uint64_t ranks = tp_ * settings_.parallelism.pipeline; ranks > 1; ranks /= 2) {
      ++doublings;
    }
    Bytes sum = times(fitted(blackwell() ? "outside_gib_per_doubling_blackwell"
                                         : "outside_gib_per_doubling_other"),
                      kGiB * doublings);
    if (tp_ > 1) {
      sum = plus(sum, times(fitted("reduce_bytes_per_element"), elements));
    }
    if (settings_.expert_ranks > 1) {
      sum = plus(sum, times(fitted("outside_gib_experts"), kGiB));
    }
    return sum;
  }

  /// The starts behind the terms ran on Blackwell's datacentre cards, and dense ones on Hopper.
  void doubt_unmeasured_cards() {
    const bool hopper = inputs_.device.compute_capability / 10 == 9;
    if (blackwell() || (hopper && !model_.moe())) {
      return;
    }
    budget_.weights.low -= std::min(budget_.weights.low, budget_.workspace_bytes);
    if (budget_.workspace_bytes != 0) {
      budget_.weights.basis = Basis::assumed;
    }
    budget_.activation = widen(budget_.activation, 0.6, 1.5);
    budget_.activation.basis = Basis::assumed;
    budget_.cuda_graphs = widen(budget_.cuda_graphs, 0.3, 2.0);
    budget_.cuda_graphs_charged = budget_.cuda_graphs;
  }

  void replace_by_measured() {
    const Measured& measured = inputs_.measured;
    if (measured.weights_bytes) {
      budget_.weights = as_measured(*measured.weights_bytes);
    }
    if (measured.activation_bytes) {
      budget_.activation = as_measured(*measured.activation_bytes);
    }
    if (measured.cuda_graphs_bytes) {
      budget_.cuda_graphs = budget_.cuda_graphs_charged = as_measured(*measured.cuda_graphs_bytes);
    }
    if (measured.non_torch_bytes) {
      budget_.non_torch = as_measured(*measured.non_torch_bytes);
      if (!measured.cuda_graphs_bytes) {
        // The log's "outside torch" has the graphs in it.
        budget_.cuda_graphs_charged = exactly<std::uint64_t>(0);
      }
    }
  }

  void widen_for_unknown_version() {
    const auto doubt = [](Bytes& term, bool measured, double below, double above) {
      if (!measured) {
        term = widen(term, below, above);
        term.basis = Basis::assumed;
      }
    };
    const Measured& measured = inputs_.measured;
    doubt(budget_.activation, measured.activation_bytes.has_value(), 0.6, 1.5);
    doubt(budget_.non_torch, measured.non_torch_bytes.has_value(), 0.8, 1.3);
    if (!measured.non_torch_bytes) {
      doubt(budget_.cuda_graphs, measured.cuda_graphs_bytes.has_value(), 0.3, 2.5);
      budget_.cuda_graphs_charged = budget_.cuda_graphs;
    }
  }

  /// The temporary cache lies outside torch. A measured figure has it in it, and what was free when
  /// it was made is more by that.
  void add_temporary() {
    const std::uint64_t total = inputs_.device.total_bytes;
    std::uint64_t outside = budget_.non_torch.best;
    if (inputs_.measured.non_torch_bytes) {
      outside -= std::min(outside, temporary_demand(settings_, budget_.cost));
    }
    const std::uint64_t used = std::min(total, budget_.weights.best + outside);
    budget_.temporary_bytes = temporary_bytes(settings_, budget_.cost, total - used);
    if (inputs_.measured.non_torch_bytes) {
      budget_.temporary_bytes =
          std::min(budget_.temporary_bytes, *inputs_.measured.non_torch_bytes);
    }
    if (!inputs_.measured.non_torch_bytes) {
      budget_.non_torch = plus_exactly(budget_.non_torch, budget_.temporary_bytes);
    }
  }

  /// fraction x (total - peak + temporary).
  [[nodiscard]] std::uint64_t left_over(double peak) const {
    const double temporary = budget_.adds_back ? static_cast<double>(budget_.temporary_bytes) : 0.0;
    return to_bytes((static_cast<double>(inputs_.device.total_bytes) - peak + temporary) *
                    settings_.free_gpu_memory_fraction);
  }

  /// The terms are found apart from each other, so their deviations add as squares.
  void add_available() {
    const StageBudget& b = budget_;
    double peak = 0;
    double above = 0;
    double below = 0;
    for (const Bytes* term : {&b.weights, &b.activation, &b.non_torch, &b.cuda_graphs_charged}) {
      const auto best = static_cast<double>(term->best);
      peak += best;
      above += std::pow(static_cast<double>(term->high) - best, 2);
      below += std::pow(best - static_cast<double>(term->low), 2);
    }
    Bytes& a = budget_.available;
    a.low = left_over(peak + std::sqrt(above));
    a.best = left_over(peak);
    a.high = left_over(peak - std::sqrt(below));
    a.basis = weaker(weaker(b.weights.basis, b.activation.basis),
                     weaker(b.non_torch.basis, b.cuda_graphs_charged.basis));
    a.starts = std::max(b.weights.starts, std::max(b.activation.starts, b.non_torch.starts));
    budget_.short_of_memory = a.best == 0;
    reserve_workspace(a.low);
    reserve_workspace(a.high);
    budget_.reserve_bytes = reserve_workspace(a.best);
    cap(a);
    if (const auto& pool = inputs_.measured.kv_pool_bytes) {
      a = as_measured(*pool);
      budget_.short_of_memory = *pool == 0;
    }
  }

  /// Without chunked prefill a reused prefix is unpacked to FP8 keys and values of one layer:
  /// min(w x requests x max_seq_len, available x w / (k + w)) stays free for it, w bytes a token.
  std::uint64_t reserve_workspace(std::uint64_t& available) const {
    const bool applies = settings_.version.number >= kReserves && model_.latent() &&
                         !has_indexer() && settings_.block_reuse && !settings_.chunked_prefill &&
                         settings_.kv_format == precision::KvFormat::fp8 && pytorch();
    const Attention* first = model::first_attention(model_);
    if (!applies || first == nullptr) {
      return 0;
    }
    const auto width = static_cast<double>(
        ceil_div(first->num_attention_heads, ranks_) *
        (first->qk_rope_head_dim + first->qk_nope_head_dim + first->v_head_dim));
    const auto requests =
        static_cast<double>(std::min(settings_.max_batch_size, settings_.max_num_tokens));
    const double most = width * requests * static_cast<double>(settings_.max_seq_len);
    const double share = static_cast<double>(available) * width /
                         (static_cast<double>(budget_.cost.estimated) + width);
    const std::uint64_t reserve = std::min(to_bytes(std::min(most, share)), available);
    available -= reserve;
    return reserve;
  }

  void cap(Bytes& a) const {
    std::uint64_t most = settings_.max_gpu_total_bytes.value_or(to_bytes(kMostBytes));
    if (settings_.max_tokens) {
      const std::uint64_t per_token = pytorch() ? budget_.cost.estimated : budget_.cost.allocated;
      most = std::min(most, to_bytes(static_cast<double>(*settings_.max_tokens) *
                                         static_cast<double>(per_token) +
                                     static_cast<double>(budget_.cost.state) *
                                         static_cast<double>(settings_.max_batch_size)));
    }
    if (a.low >= most) {
      a = {most, most, most, Basis::exact, 0};
    } else {
      a.best = std::min(a.best, most);
      a.high = std::min(a.high, most);
    }
  }

  const Inputs& inputs_;
  const Settings& settings_;
  const model::ModelSpec& model_;
  std::uint64_t tp_;
  std::uint64_t ranks_;
  std::uint64_t value_bytes_;
  StageBudget budget_;
};

}  // namespace

StageBudget stage_budget(const Inputs& inputs, const Settings& settings, const Stage& stage) {
  return BudgetBuilder(inputs, settings, stage).build();
}

}  // namespace ridgepoint::engine::trtllm
