#include "engine/vllm/budget.hpp"

#include <algorithm>
#include <cmath>

#include "arithmetic.hpp"
#include "cache/geometry.hpp"
#include "engine/vllm/constants.hpp"
#include "engine/vllm/encoder.hpp"
#include "engine/vllm/lora.hpp"
#include "estimate_sums.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::vllm {
namespace {

using model::Attention;
using model::AttentionKind;
using model::FeedForward;
using model::Layer;
using model::ModelSpec;
using precision::Packing;

/// Measured starts with quantized weights, and those whose peak is the forward pass.
constexpr std::uint32_t kQuantizedStarts = 26;
constexpr std::uint32_t kForwardStarts = 7;

/// Computes one stage; each member function is one term.
class BudgetBuilder {
 public:
  BudgetBuilder(const Inputs& inputs, const Settings& settings, const Stage& stage)
      : inputs_(inputs),
        settings_(settings),
        model_(inputs.model),
        tp_(settings.parallelism.tensor),
        tokens_(settings.max_num_batched_tokens),
        value_bytes_(precision::dtype_bytes(settings.dtype)) {
    budget_.stage = stage;
  }

  StageBudget build(std::uint64_t requested) {
    add_weights();
    add_activation();
    add_non_torch();
    add_graphs();
    replace_by_measured();
    if (settings_.version.nearest_rules) {
      widen_for_unknown_version();
    }
    add_available(requested);
    return budget_;
  }

 private:
  [[nodiscard]] std::uint32_t minor() const { return settings_.version.minor; }
  [[nodiscard]] bool hopper_or_newer_datacenter() const {
    const std::uint32_t capability = inputs_.device.compute_capability;
    return capability / 10 == 9 || capability / 10 == 10;
  }

  weights::Shard shard() const {
    const Parallelism& p = settings_.parallelism;
    weights::Shard shard;
    shard.tensor_parallel = tp_;
    const bool deals_experts = p.expert && model_.moe();
    shard.expert_ranks = deals_experts ? p.tensor * p.data : 1;
    shard.expert_split = deals_experts ? 1 : p.tensor * p.data;
    // With data parallelism besides, tokens and not matrices are split (config/parallel.py,
    // use_sequence_parallel_moe, 0.11 and later).
    shard.whole_shared_experts = deals_experts && p.tensor > 1 && p.data > 1 && minor() >= 11;
    shard.first_layer = budget_.stage.first_layer;
    shard.end_layer = budget_.stage.end_layer;
    shard.first_stage = budget_.stage.first;
    shard.last_stage = budget_.stage.last;
    shard.mtp = settings_.speculation.kind == SpeculationKind::mtp;
    shard.towers = settings_.media.enabled;
    shard.whole_towers = settings_.media.encoder_whole;
    shard.more_experts = deals_experts ? settings_.redundant_experts : 0;
    return shard;
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
    budget_.weights_detail =
        weights::loaded_bytes(*source, inputs_.tensors, shard(), settings_.dtype);
    budget_.rope_bytes = rope_cache_bytes();
    budget_.absorbed_bytes = absorbed_copies();
    budget_.padding_bytes = expert_padding() + value_projections();
    std::uint64_t loaded = budget_.weights_detail.total;
    if (model_.checkpoint_bytes) {
      const auto computed = static_cast<double>(weights::checkpoint_bytes(model_, inputs_.tensors));
      const double ratio = static_cast<double>(*model_.checkpoint_bytes) / computed;
      loaded = to_bytes(static_cast<double>(loaded) * ratio);
      for (std::uint64_t& part : budget_.weights_detail.by_part) {
        part = to_bytes(static_cast<double>(part) * ratio);
      }
    }
    budget_.draft_bytes = draft_weights();
    budget_.lora_bytes = lora_bytes(inputs_.tensors, settings_, shard());
    const std::uint64_t layers_bytes = loaded - outside_layers();
    budget_.offloaded_bytes = std::min(settings_.cpu_offload_bytes, layers_bytes);
    const std::uint64_t total = loaded + budget_.rope_bytes + budget_.absorbed_bytes +
                                budget_.padding_bytes + budget_.draft_bytes + budget_.lora_bytes +
                                budget_.weights_detail.allocator_rest - budget_.offloaded_bytes;
    budget_.weights = {total, total, total, Basis::exact, 0};
    if (source->quantization.quantized()) {
      // Scales' layouts and kernels' workspaces differ by a few tenths of a percent.
      budget_.weights = widen(budget_.weights, 0.993, 1.01);
      budget_.weights.basis = Basis::measured;
      budget_.weights.starts = kQuantizedStarts;
    } else {
      budget_.weights = widen(budget_.weights, 0.9985, 1.001);
    }
  }

  /// What is not in the decoder's layers stays on the GPU whatever is offloaded
  /// (model_executor/models/utils.py, make_layers).
  std::uint64_t outside_layers() const {
    const auto& parts = budget_.weights_detail.by_part;
    std::uint64_t bytes = 0;
    for (const model::Part part : {model::Part::embedding, model::Part::per_layer_embedding,
                                   model::Part::lm_head, model::Part::vision, model::Part::audio}) {
      bytes += parts[static_cast<std::size_t>(part)];
    }
    return bytes;
  }

  /// EAGLE's drafts and their kind take the model's tables; their ranks are the model's unless said
  /// (v1/spec_decode, config/speculative.py).
  std::uint64_t draft_weights() const {
    const Speculation& speculation = settings_.speculation;
    if (speculation.kind != SpeculationKind::draft || !budget_.stage.last) {
      return 0;
    }
    weights::Shard whole;
    whole.tensor_parallel = speculation.tensor_parallel == 0 ? tp_ : speculation.tensor_parallel;
    whole.expert_split = whole.tensor_parallel;
    whole.end_layer = inputs_.draft->model.layers.size();
    const weights::WeightBytes draft =
        weights::loaded_bytes(inputs_.draft->model, inputs_.draft->tensors, whole, settings_.dtype);
    std::uint64_t bytes = draft.total + draft.allocator_rest;
    if (speculation.shares_embedding) {
      for (const model::Part part : {model::Part::embedding, model::Part::lm_head}) {
        bytes -= draft.by_part[static_cast<std::size_t>(part)];
      }
    }
    return bytes;
  }

  /// cos and sin for every position, once a model: positions x rotary_dim values.
  std::uint64_t rope_cache_bytes() const {
    std::uint64_t positions = model::claimed_context(model_);
    const std::uint64_t claimed = positions;
    if (model_.rope.type == "yarn" && !model_.rope.length_is_scaled) {
      positions = derive_max_model_len(model_);
    } else if (model_.rope.type == "linear") {
      positions = to_bytes(static_cast<double>(positions) * model_.rope.factor);
    }
    positions = std::max(positions, settings_.max_model_len);
    return (positions * model_.rope.rotary_dim + claimed * model_.rope.local_rotary_dim) *
           value_bytes_;
  }

  /// vLLM keeps W_UK and W_UV of latent attention in 16 bits; extra only when kv_b_proj is
  /// quantised.
  std::uint64_t absorbed_copies() const {
    std::uint64_t bytes = 0;
    for_stage_layers([&](const Layer& layer, std::uint64_t index) {
      const Attention& a = layer.attention;
      if (a.kind != AttentionKind::latent || !model_.quantization.quantized()) {
        return;
      }
      std::string name(model_.names.layers);
      name += worded({index, ".", model_.names.attention, "kv_b_proj"});
      if (model_.quantization.format_of(name, precision::ModuleKind::linear).packing !=
          Packing::plain) {
        bytes += ceil_div(a.num_attention_heads, tp_) * (a.qk_nope_head_dim + a.v_head_dim) *
                 a.kv_lora_rank * value_bytes_;
      }
    });
    return bytes;
  }

  /// MXFP4 expert kernels round the hidden size up to 256 and the width to 128
  /// (fused_moe/oracle/mxfp4.py). On Hopper the scales keep their size, and the width was not
  /// rounded before 0.18: gpt-oss-20b loads 13.47 GiB on 0.11 and 13.64 on 0.19 (H100), 13.72 on
  /// A100.
  std::uint64_t expert_padding() const {
    if (model_.quantization.method != "mxfp4") {
      return 0;
    }
    const bool hopper = inputs_.device.compute_capability / 10 == 9;
    const bool pads_width = !hopper || minor() >= 18;
    const weights::Shard split = shard();
    std::uint64_t bytes = 0;
    for_stage_layers([&](const Layer& layer, std::uint64_t) {
      const FeedForward& f = layer.feed_forward;
      const std::uint64_t width = ceil_div(f.moe_intermediate_size, split.expert_split);
      const std::uint64_t wide = pads_width ? round_up(width, 128) : width;
      const std::uint64_t grown =
          wide * round_up(model_.hidden_size, 256) - width * model_.hidden_size;
      const std::uint64_t scales = hopper ? 0 : 3 * grown / 32;
      bytes += ceil_div(f.num_experts, split.expert_ranks) * (3 * grown / 2 + scales);
    });
    return bytes;
  }

  template <typename F>
  void for_stage_layers(F&& visit) const {
    for (std::uint64_t i = budget_.stage.first_layer; i < budget_.stage.end_layer; ++i) {
      visit(model_.layers[i], i);
    }
  }

  [[nodiscard]] std::uint64_t hidden_buffer() const {
    return tokens_ * model_.hidden_size * value_bytes_;
  }

  void add_activation() {
    ActivationParts& parts = budget_.parts;
    const std::uint64_t workspace = expert_workspace();
    parts.forward = widen(exactly(forward_peak()), 0.8, 1.2);
    parts.forward.basis = Basis::measured;
    parts.forward.starts = kForwardStarts;
    parts.compile = compile_peak();
    parts.sampler = budget_.stage.last ? sampler_peak() : Bytes{};
    parts.persistent = exactly(workspace + sampler_state() + indexer_workspace() + states_apart());
    parts.persistent.basis = Basis::measured;
    if (settings_.parallelism.expert && settings_.parallelism.data > 1) {
      // Which tokens meet on a rank depends on the all-to-all kernel; none was measured.
      parts.persistent.low -= workspace - workspace / settings_.parallelism.data;
      parts.persistent.basis = Basis::assumed;
    }
    const std::uint64_t held = fragment_held(workspace);
    parts.persistent.best += held;
    parts.persistent.high += held;

    const MediaLoad media = budget_.stage.first ? media_load(inputs_, settings_) : MediaLoad{};
    parts.media = held_media(media);
    // The encoder runs before the language model, which then runs beside what it made.
    const Bytes encoder = widen(exactly(media.encoder_bytes), 0.3, 1.5);
    Bytes& sum = budget_.activation;
    const auto peak = [&](std::uint64_t Bytes::*end) {
      const std::uint64_t model =
          std::max({parts.forward.*end, parts.compile.*end, parts.sampler.*end});
      return std::max(model + parts.media.*end, encoder.*end) + parts.persistent.*end;
    };
    sum = {peak(&Bytes::low), peak(&Bytes::best), peak(&Bytes::high), Basis::measured, 0};
    if (settings_.era.charges_fragments) {
      const Bytes fragments =
          in_bytes(constant("fragments_share", minor()), static_cast<double>(sum.best));
      sum = plus(sum, fragments);
    }
    const Bytes* widest = &parts.forward;
    for (const Bytes* part : {&parts.compile, &parts.sampler}) {
      widest = part->best > widest->best ? part : widest;
    }
    sum.basis = widest->basis;
    sum.starts = widest->starts;
  }

  /// Embeddings that wait in the encoder cache, and the batch's inputs as embeddings beside its
  /// tokens. Gemma-3-27B, Kimi-VL and LLaVA-NeXT peak 0.1 to 0.2 GiB above their language models.
  Bytes held_media(const MediaLoad& media) const {
    if (media.held_bytes == 0) {
      return {};
    }
    Bytes held = exactly(media.held_bytes + hidden_buffer());
    held = widen(held, 0.5, media.known_item ? 2.0 : 4.0);
    held.basis = media.known_item ? Basis::measured : Basis::assumed;
    held.starts = 3;
    return held;
  }

  /// The residual stream and its copies, and the widest thing inside a layer.
  std::uint64_t forward_peak() const {
    std::uint64_t widest = 0;
    for_stage_layers([&](const Layer& layer, std::uint64_t) {
      widest = std::max({widest, attention_peak(layer.attention), attention_peak(layer.cross),
                         state_peak(layer.state), feed_forward_peak(layer.feed_forward)});
    });
    return 4 * hidden_buffer() + widest;
  }

  /// What a state mixer's in projection makes, and once more for the convolution's result.
  std::uint64_t state_peak(const model::State& s) const {
    const std::uint64_t width = 2 * s.inner_size + 2 * s.groups * s.state_size +
                                2 * s.heads * s.head_dim + 2 * s.key_heads * s.key_head_dim;
    return 2 * tokens_ * ceil_div(width, tp_) * value_bytes_;
  }

  std::uint64_t attention_peak(const Attention& a) const {
    if (a.kind == AttentionKind::none) {
      return 0;
    }
    if (a.kind == AttentionKind::latent) {
      // A layer without cache metadata reserves what chunked prefill may need
      // (mla_attention.py, determine_chunked_prefill_workspace_size).
      const std::uint64_t block = 16;
      const std::uint64_t rows = std::min<std::uint64_t>(
          std::max(8 * settings_.max_model_len, 4 * settings_.max_num_seqs * block), 65536);
      return rows * ceil_div(a.num_attention_heads, tp_) * (a.qk_nope_head_dim + a.v_head_dim) *
             value_bytes_;
    }
    const std::uint64_t q = ceil_div(a.num_attention_heads, tp_) * a.head_dim;
    const std::uint64_t kv = std::max<std::uint64_t>(1, a.num_key_value_heads / tp_) * a.head_dim;
    return tokens_ * (2 * q + 2 * kv) * value_bytes_;
  }

  std::uint64_t feed_forward_peak(const FeedForward& f) const {
    const std::uint64_t width =
        f.moe() ? std::max(f.shared_intermediate_size, f.intermediate_size) : f.intermediate_size;
    const std::uint64_t local = ceil_div(width, tp_);
    std::uint64_t peak = tokens_ * local * (f.gated ? 3 : 2) * value_bytes_;
    if (f.moe()) {
      peak += tokens_ * f.num_experts * 4;
    }
    if (runs_in_eight_bits()) {
      peak += tokens_ * std::max(model_.hidden_size, local);
    }
    return peak;
  }

  [[nodiscard]] bool runs_in_eight_bits() const {
    const auto& groups = model_.quantization.groups;
    if (groups.empty()) {
      return settings_.quantization == "fp8";
    }
    const Packing packing = groups.front().format.packing;
    return packing == Packing::fp8_tensor || packing == Packing::fp8_channel ||
           packing == Packing::fp8_block || packing == Packing::int8_channel;
  }

  /// Buffers between the two expert products, one pair for all layers (workspace_shapes of the
  /// expert kernels): Triton's shapes for 16-bit and 8-bit weights, Marlin's for 4-bit integers.
  std::uint64_t expert_workspace() const {
    std::uint64_t most = 0;
    const weights::Shard split = shard();
    for_stage_layers([&](const Layer& layer, std::uint64_t) {
      const FeedForward& f = layer.feed_forward;
      if (!f.moe()) {
        return;
      }
      const std::uint64_t width = ceil_div(f.moe_intermediate_size, split.expert_split);
      const std::uint64_t hidden = model_.hidden_size;
      const std::uint64_t rows = tokens_ *
                                 (settings_.parallelism.expert ? settings_.parallelism.data : 1) *
                                 f.num_experts_per_tok;
      const Packing packing = model_.quantization.quantized()
                                  ? model_.quantization.groups.front().format.packing
                                  : Packing::plain;
      // MXFP4's own kernels on Hopper and Blackwell, and Blackwell's for FP8 blocks and NVFP4, need
      // none that stays; elsewhere Triton's and Marlin's do.
      const std::uint32_t generation = inputs_.device.compute_capability / 10;
      const bool own_kernels =
          (packing == Packing::mxfp4 && generation >= 9) ||
          ((packing == Packing::fp8_block || packing == Packing::nvfp4) && generation == 10);
      const std::uint64_t elements =
          own_kernels ? 0 : rows * (std::max(width, hidden) + std::max(2 * width, hidden));
      most = std::max(most, elements * value_bytes_);
    });
    return most;
  }

  /// Keys gathered for the indexers of sparse attention: as many as forty requests of the greatest
  /// length have (two on 0.11), one buffer for all layers (v0.28
  /// v1/attention/backends/mla/indexer.py, get_max_prefill_buffer_size).
  std::uint64_t indexer_workspace() const {
    std::uint64_t row = 0;
    for_stage_layers([&](const Layer& layer, std::uint64_t) {
      const Attention& a = layer.attention;
      if (a.kind == AttentionKind::latent) {
        row = std::max(row, cache::indexer_bytes_per_token(a));
      }
    });
    return (minor() >= 12 ? 40 : 2) * settings_.max_model_len * row;
  }

  /// V0 makes the states of all requests that may run in its profile run
  /// (model_executor/models/mamba_cache.py).
  std::uint64_t states_apart() const {
    std::uint64_t bytes = 0;
    if (settings_.era.states_apart) {
      for_stage_layers([&](const Layer& layer, std::uint64_t) {
        bytes += cache::state_bytes(layer.state, settings_.state_format, tp_);
      });
    }
    return bytes * settings_.max_num_seqs;
  }

  /// Values that share a projection with keys are given one of their own by vLLM
  /// (models/gemma4.py).
  std::uint64_t value_projections() const {
    std::uint64_t bytes = 0;
    for_stage_layers([&](const Layer& layer, std::uint64_t) {
      const Attention& a = layer.attention;
      if (a.keys_are_values) {
        bytes += std::max<std::uint64_t>(1, a.num_key_value_heads / tp_) * a.v_head_dim *
                 model_.hidden_size * value_bytes_;
      }
    });
    return bytes;
  }

  /// On its first start with a model torch.compile times the generated kernels on tensors of their
  /// inputs' sizes, the largest being this rank's embedding table; later starts find the cache.
  Bytes compile_peak() const {
    if (!budget_.stage.first || !settings_.compiles) {
      return {};
    }
    const std::uint64_t table =
        weights::vocabulary_rows(model_.vocab_size, tp_) * model_.hidden_size * value_bytes_;
    const std::uint64_t peak = table + 2 * hidden_buffer();
    return {0, peak, peak + peak / 20, Basis::measured, 7};
  }

  /// From 0.27 the pool is charged for memory the allocator cannot give back: the freed compile
  /// buffer, when a workspace that stays was placed inside it.
  std::uint64_t fragment_held(std::uint64_t workspace) const {
    const std::uint64_t freed = budget_.parts.compile.best;
    return minor() >= 27 && workspace != 0 && freed > workspace ? freed - workspace : 0;
  }

  Bytes sampler_peak() const {
    const std::uint64_t rows = std::min(settings_.max_num_seqs, tokens_);
    // The rejection sampler of speculation is tried on as many rows again.
    const bool rejects = settings_.speculation.kind != SpeculationKind::none;
    const double logits = static_cast<double>(rows * (rejects ? 2 : 1) * model_.vocab_size);
    if (settings_.model_runner_v2) {
      return in_bytes(constant("sampler_bytes_per_logit_mrv2", minor()), logits);
    }
    Bytes peak = in_bytes(constant("sampler_bytes_per_logit", minor()), logits);
    // The measured coefficient has 16-bit logits in it.
    peak = plus(peak, exactly(rows * model_.vocab_size * (value_bytes_ - 2)));
    if (minor() >= 17) {
      const std::uint64_t buffers =
          inputs_.device.multiprocessors * model_.vocab_size * 4 + hidden_buffer();
      peak = plus(peak, exactly(buffers));
      peak = plus(peak, in_bytes(constant("sampler_slack_gib", minor()), kGiB));
    }
    return peak;
  }

  /// Model runner V2 keeps penalty counts and masks; they count against the pool since 0.27.
  std::uint64_t sampler_state() const {
    if (!settings_.model_runner_v2 || minor() < 27 || !budget_.stage.last) {
      return 0;
    }
    return settings_.max_num_seqs * (model_.vocab_size * 4 + ceil_div(model_.vocab_size, 32) * 4);
  }

  void add_non_torch() {
    std::string name = "non_torch_gib";
    const bool many = tp_ > 1;
    if (inputs_.device.vendor == "amd") {
      name += "_rocm";
    } else {
      const bool blackwell = inputs_.device.compute_capability / 10 == 10;
      name += hopper_or_newer_datacenter() ? (many && blackwell ? "_blackwell" : "_hopper") : "";
      name += many ? "_n" : "_1";
    }
    budget_.non_torch = in_bytes(constant(name, minor()), kGiB);
    if (settings_.era.charges_whole_gpu) {
      budget_.non_torch =
          plus(budget_.non_torch, in_bytes(constant("cuda_context_gib", minor()), kGiB));
      const hardware::Device& device = inputs_.device;
      budget_.non_torch =
          plus(budget_.non_torch,
               exactly(device.total_bytes - device.free_bytes.value_or(device.total_bytes)));
    }
  }

  void add_graphs() {
    const std::uint64_t graphs = settings_.piecewise_graphs + settings_.full_graphs;
    if (graphs != 0) {
      Bytes cost = in_bytes(constant("graph_mib_per_layer", minor()),
                            kMiB * static_cast<double>(graphs * budget_.stage.layers()));
      if (model_.moe()) {
        const Constant& factor = constant("graph_moe_factor", minor());
        cost.low = to_bytes(static_cast<double>(cost.low) * factor.low);
        cost.best = to_bytes(static_cast<double>(cost.best) * factor.best);
        cost.high = to_bytes(static_cast<double>(cost.high) * factor.high);
      }
      const std::string_view fixed =
          hopper_or_newer_datacenter() ? "graph_fixed_gib_hopper" : "graph_fixed_gib";
      budget_.cuda_graphs = plus(cost, in_bytes(constant(fixed, minor()), kGiB));
    }
    // 0.21 began to subtract its own estimate; the second model runner reported none until 0.29.
    const bool charged = settings_.charges_graphs && (!settings_.model_runner_v2 || minor() >= 29);
    budget_.cuda_graphs_charged = charged ? budget_.cuda_graphs : Bytes{};
  }

  void replace_by_measured() {
    const auto replace = [](Bytes& term, const std::optional<std::uint64_t>& value) {
      if (value) {
        term = {*value, *value, *value, Basis::measured, 1};
      }
    };
    const Measured& measured = inputs_.measured;
    replace(budget_.weights, measured.weights_bytes);
    replace(budget_.activation, measured.activation_bytes);
    replace(budget_.non_torch, measured.non_torch_bytes);
    replace(budget_.cuda_graphs, measured.cuda_graphs_bytes);
    if (measured.cuda_graphs_bytes && budget_.cuda_graphs_charged.best != 0) {
      budget_.cuda_graphs_charged = budget_.cuda_graphs;
    }
  }

  void widen_for_unknown_version() {
    for (Bytes* term : {&budget_.activation, &budget_.non_torch, &budget_.cuda_graphs,
                        &budget_.cuda_graphs_charged}) {
      *term = widen(*term, 0.6, 1.6);
      term->basis = Basis::assumed;
    }
  }

  void add_available(std::uint64_t requested) {
    requested -= std::min(requested, settings_.media.ipc_bytes);
    const auto left = [&](std::uint64_t used) { return requested > used ? requested - used : 0; };
    const Bytes used = plus(plus(budget_.weights, budget_.activation),
                            plus(budget_.non_torch, budget_.cuda_graphs_charged));
    budget_.short_of_memory = used.best >= requested;
    budget_.shortfall_bytes = used.best > requested ? used.best - requested : 0;
    budget_.kv_available = {left(used.high), left(used.best), left(used.low), used.basis,
                            used.starts};
    if (settings_.kv_cache_memory_bytes) {
      budget_.kv_available = exactly(*settings_.kv_cache_memory_bytes);
      budget_.short_of_memory = false;
      budget_.shortfall_bytes = 0;
    }
    if (inputs_.measured.kv_pool_bytes) {
      const std::uint64_t pool = *inputs_.measured.kv_pool_bytes;
      budget_.kv_available = {pool, pool, pool, Basis::measured, 1};
      budget_.short_of_memory = pool == 0;
      budget_.shortfall_bytes = 0;
    }
  }

  const Inputs& inputs_;
  const Settings& settings_;
  const ModelSpec& model_;
  std::uint64_t tp_;
  std::uint64_t tokens_;
  std::uint64_t value_bytes_;  ///< of an activation
  StageBudget budget_;
};

}  // namespace

std::vector<Stage> pipeline_stages(std::uint64_t layers, const Settings& settings) {
  const std::uint64_t pipeline = settings.parallelism.pipeline;
  std::vector<std::uint64_t> sizes = settings.stage_layers;
  if (sizes.empty()) {
    sizes.assign(pipeline, layers / pipeline);
    for (std::uint64_t i = 0; i < layers % pipeline; ++i) {
      sizes[pipeline - 2 - i] += 1;
    }
  }
  std::vector<Stage> stages;
  std::uint64_t begin = 0;
  for (std::uint64_t i = 0; i < pipeline; ++i) {
    stages.push_back({begin, begin + sizes[i], i == 0, i + 1 == pipeline});
    begin += sizes[i];
  }
  return stages;
}

std::uint64_t requested_bytes(const Settings& settings, const hardware::Device& device) {
  const double product = static_cast<double>(device.total_bytes) * settings.gpu_memory_utilization;
  return static_cast<std::uint64_t>(settings.version.minor >= 14 ? std::ceil(product) : product);
}

StageBudget stage_budget(const Inputs& inputs, const Settings& settings, const Stage& stage,
                         std::uint64_t requested) {
  return BudgetBuilder(inputs, settings, stage).build(requested);
}

}  // namespace ridgepoint::engine::vllm
