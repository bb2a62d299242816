#include "engine/vllm/vllm.hpp"

#include <algorithm>
#include <utility>

#include "arithmetic.hpp"
#include "cache/geometry.hpp"
#include "engine/vllm/architectures.hpp"
#include "engine/vllm/budget.hpp"
#include "engine/vllm/layer_caches.hpp"
#include "engine/vllm/ledger.hpp"
#include "engine/vllm/planner.hpp"
#include "engine/vllm/report_steps.hpp"
#include "engine/vllm/settings.hpp"
#include "engine/vllm/unclaimed.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::vllm {
namespace {

using model::AttentionKind;

/// Memory for asking the planner how it lays things out, whatever there is room for.
constexpr std::uint64_t kPlenty = 1ULL << 52U;

/// Layers that cache beside the model's own, on the last stage.
const std::vector<model::Layer>& draft_layers(const Inputs& inputs, const Settings& settings) {
  static const std::vector<model::Layer> kNone;
  switch (settings.speculation.kind) {
    case SpeculationKind::mtp:
      return inputs.model.mtp.layers;
    case SpeculationKind::draft:
      return inputs.draft->model.layers;
    default:
      return kNone;
  }
}

PlannerInput planner_input(const Inputs& inputs, const Settings& settings,
                           const std::vector<StageBudget>& budgets) {
  PlannerInput input;
  input.max_model_len = settings.max_model_len;
  input.in_flight_tokens = in_flight_tokens(settings);
  input.hybrid_manager = settings.hybrid_manager && !settings.era.caches_whole;
  input.auto_length = settings.auto_length;
  input.num_gpu_blocks_override = settings.num_gpu_blocks_override;
  input.rules = planner_rules(settings.version);
  input.encoder_tokens = inputs.model.encoder_tokens;
  input.mamba_mode = settings.mamba_mode;
  input.decode_context_parallel = settings.decode_context_parallel;
  const LayerCaches caches(inputs, settings);
  std::uint64_t caches_before = 0;
  std::uint64_t layers_before = 0;
  for (const StageBudget& budget : budgets) {
    std::vector<LayerCacheSpec> skipped;
    for (; layers_before < budget.stage.first_layer; ++layers_before) {
      caches.add(inputs.model.layers[layers_before], layers_before, skipped);
    }
    caches_before += skipped.size();
    Worker worker;
    worker.first_layer = caches_before;
    worker.available_bytes = budget.kv_available.best;
    worker.layers.reserve(budget.stage.layers());
    for (std::uint64_t i = budget.stage.first_layer; i < budget.stage.end_layer; ++i) {
      caches.add(inputs.model.layers[i], i, worker.layers);
    }
    if (budget.stage.last) {
      std::uint64_t index = inputs.model.layers.size();
      for (const model::Layer& layer : draft_layers(inputs, settings)) {
        caches.add(layer, index++, worker.layers);
      }
    }
    input.workers.push_back(std::move(worker));
  }
  return input;
}

/// The plan the engine would make if memory were no question: the layout alone.
Result<PlannedCache> layout_of(PlannerInput input) {
  for (Worker& worker : input.workers) {
    worker.available_bytes = kPlenty;
  }
  input.auto_length = false;
  input.num_gpu_blocks_override.reset();
  return plan_cache(input);
}

struct BlockRange {
  std::uint64_t low;
  std::uint64_t best;
  std::uint64_t high;
  std::size_t tightest;  ///< the stage that sets the best figure
};

BlockRange block_range(const std::vector<StageBudget>& budgets, const CachePlan& layout) {
  BlockRange range{~0ULL, ~0ULL, ~0ULL, 0};
  for (std::size_t i = 0; i < budgets.size(); ++i) {
    const std::uint64_t bytes = std::max<std::uint64_t>(1, layout.workers[i].bytes_per_block);
    const Bytes& available = budgets[i].kv_available;
    range.low = std::min(range.low, available.low / bytes);
    range.high = std::min(range.high, available.high / bytes);
    if (available.best / bytes < range.best) {
      range.best = available.best / bytes;
      range.tightest = i;
    }
  }
  return range;
}

/// The longest request that `blocks` hold, up to `most` tokens.
std::uint64_t longest_request(const RequestBlocks& request, std::uint64_t blocks,
                              std::uint64_t most) {
  std::uint64_t fits = 0;
  std::uint64_t beyond = most + 1;
  while (beyond - fits > 1) {
    const std::uint64_t middle = fits + (beyond - fits) / 2;
    (request.at(middle) <= blocks ? fits : beyond) = middle;
  }
  return fits;
}

/// Puts one request together from its parts.
class PlanBuilder {
 public:
  PlanBuilder(const Inputs& inputs, Settings settings)
      : inputs_(inputs), settings_(std::move(settings)) {}

  Result<MemoryPlan> build() {
    requested_ = requested_bytes(settings_, inputs_.device);
    for (const Stage& stage : pipeline_stages(inputs_.model.layers.size(), settings_)) {
      budgets_.push_back(stage_budget(inputs_, settings_, stage, requested_));
    }
    const PlannerInput input = planner_input(inputs_, settings_, budgets_);
    const auto layout = layout_of(input);
    if (!layout) {
      Error error = layout.error();
      error.path = error.path.empty() ? "engine.args" : error.path;
      const std::string not_run = refused_architecture(inputs_.model, settings_.version);
      return not_run.empty() ? error : Error{"not_supported", not_run, "engine.version"};
    }
    blocks_ = block_range(budgets_, layout->plan);
    plan_.charges = charges_of(inputs_, settings_, tightest(), requested_);
    if (settings_.num_gpu_blocks_override) {
      const std::uint64_t n = *settings_.num_gpu_blocks_override;
      blocks_.low = blocks_.best = blocks_.high = n;
    }
    fill_terms();
    fill_geometry(layout->plan);
    fill_capacity(input, *layout);
    judge(*layout);
    plan_.assumptions.insert(plan_.assumptions.begin(), settings_.assumptions.begin(),
                             settings_.assumptions.end());
    say_what_is_assumed();
    if (inputs_.explain) {
      const BlockFacts block = block_facts(*layout);
      plan_.steps = explain(inputs_, settings_, tightest(), plan_, requested_, block);
    }
    return std::move(plan_);
  }

 private:
  [[nodiscard]] const StageBudget& tightest() const { return budgets_[blocks_.tightest]; }

  [[nodiscard]] BlockFacts block_facts(const PlannedCache& layout) const {
    if (layout.plan.blocks_per_request == 0) {
      return {};
    }
    return {layout.plan.workers[blocks_.tightest].bytes_per_block,
            std::max<std::uint64_t>(1, layout.request_blocks.at(settings_.context))};
  }

  void fill_terms() {
    const StageBudget& budget = tightest();
    plan_.version = settings_.version.text;
    plan_.parallelism = settings_.parallelism;
    plan_.total_bytes = inputs_.device.total_bytes;
    plan_.requested_bytes = requested_;
    plan_.weights = budget.weights;
    plan_.activation = budget.activation;
    plan_.cuda_graphs = budget.cuda_graphs;
    plan_.cuda_graphs_charged = budget.cuda_graphs_charged;
    plan_.non_torch = budget.non_torch;
    plan_.kv_pool = budget.kv_available;
    for (std::size_t part = 0; part < budget.weights_detail.by_part.size(); ++part) {
      if (budget.weights_detail.by_part[part] != 0) {
        plan_.weights_by_part.push_back({model::part_name(static_cast<model::Part>(part)),
                                         budget.weights_detail.by_part[part]});
      }
    }
  }

  void fill_geometry(const CachePlan& layout) {
    const cache::Geometry geometry =
        cache::geometry(inputs_.model, layer_formats(settings_), settings_.dtype);
    plan_.kv_format = settings_.kv_format;
    plan_.dtype = settings_.dtype;
    plan_.bytes_per_token = geometry.bytes_per_token;
    // Without the hybrid manager windowed layers are kept whole beside full ones.
    const auto& groups = layout.workers.front().groups;
    const bool windows = std::any_of(groups.begin(), groups.end(), [](const CacheGroup& group) {
      return group.kind == SpecKind::sliding || group.kind == SpecKind::chunked ||
             group.kind == SpecKind::sliding_latent;
    });
    plan_.growing_bytes_per_token =
        windows ? geometry.growing_bytes_per_token : geometry.bytes_per_token;
    for (const model::Layer& layer : draft_layers(inputs_, settings_)) {
      const std::uint64_t bytes =
          cache::layer_bytes_per_token(layer.attention, settings_.kv_format, settings_.dtype, 1) +
          cache::indexer_bytes_per_token(layer.attention);
      plan_.bytes_per_token += bytes;
      plan_.growing_bytes_per_token += bytes;
    }
    plan_.host_bytes = tightest().offloaded_bytes;
    plan_.state_bytes_per_request = geometry.state_bytes;
    plan_.bytes_per_request = cache::request_bytes(inputs_.model, layer_formats(settings_),
                                                   settings_.dtype, settings_.context, windows);
    plan_.block_tokens = groups.empty() ? 0 : groups.front().block_size;
    plan_.max_model_len = settings_.max_model_len;
    plan_.context = settings_.context;
    plan_.max_num_seqs = settings_.max_num_seqs;
    plan_.max_num_batched_tokens = settings_.max_num_batched_tokens;
  }

  void fill_capacity(const PlannerInput& input, const PlannedCache& layout) {
    const Basis basis = settings_.num_gpu_blocks_override ? Basis::exact : plan_.kv_pool.basis;
    const std::uint32_t starts = plan_.kv_pool.starts;
    plan_.blocks = {blocks_.low, blocks_.best, blocks_.high, basis, starts};

    const auto planned = plan_cache(input);
    double concurrency = 0;
    double tokens = 0;
    if (planned) {
      concurrency = planned->plan.concurrency;
      tokens = static_cast<double>(planned->plan.tokens);
      plan_.max_model_len = planned->plan.max_model_len;
      settings_.max_model_len = plan_.max_model_len;
      if (settings_.auto_length && !inputs_.workload.context) {
        settings_.context = plan_.max_model_len;
        plan_.context = plan_.max_model_len;
      }
    } else {
      refusal_ = planned.error();
      const std::uint64_t per_request = std::max<std::uint64_t>(1, layout.plan.blocks_per_request);
      concurrency = static_cast<double>(blocks_.best) / static_cast<double>(per_request);
      tokens = concurrency * static_cast<double>(settings_.max_model_len);
      const auto& groups = layout.plan.workers.front().groups;
      if (!input.rules.tokens_from_concurrency && !groups.empty()) {
        const std::uint64_t blocks_a_group = blocks_.best / groups.size();
        tokens = static_cast<double>(blocks_a_group * plan_.block_tokens);
      }
    }
    const auto in_proportion = [&](double value, std::uint64_t blocks) {
      return blocks_.best == 0
                 ? 0.0
                 : value * (static_cast<double>(blocks) / static_cast<double>(blocks_.best));
    };
    plan_.max_concurrency = {in_proportion(concurrency, blocks_.low), concurrency,
                             in_proportion(concurrency, blocks_.high), basis, starts};
    plan_.tokens = {static_cast<std::uint64_t>(in_proportion(tokens, blocks_.low)),
                    static_cast<std::uint64_t>(tokens),
                    static_cast<std::uint64_t>(in_proportion(tokens, blocks_.high)), basis, starts};

    plan_.holding = holding_of(
        settings_, layout,
        {plan_.kv_pool.best, layout.plan.workers[blocks_.tightest].bytes_per_block, blocks_.best});
    if (layout.plan.blocks_per_request == 0) {
      serve_without_cache();
      return;
    }
    const RequestBlocks& request = layout.request_blocks;
    const std::uint64_t a_request = std::max<std::uint64_t>(1, request.at(settings_.context));
    const auto requests = [&](std::uint64_t blocks) {
      return std::min(blocks / a_request, settings_.max_num_seqs) * settings_.parallelism.data;
    };
    plan_.max_requests = {requests(blocks_.low), requests(blocks_.best), requests(blocks_.high),
                          basis, starts};
    plan_.max_context = longest_request(request, blocks_.best, derive_max_model_len(inputs_.model));
  }

  /// Nothing is cached (an encoder): requests are limited by the scheduler alone.
  void serve_without_cache() {
    plan_.blocks = exactly<std::uint64_t>(1);
    plan_.tokens = exactly<std::uint64_t>(0);
    plan_.max_concurrency = exactly(0.0);
    plan_.max_requests = exactly(settings_.max_num_seqs * settings_.parallelism.data);
    plan_.max_context = derive_max_model_len(inputs_.model);
    plan_.assumptions.push_back(
        "The model caches nothing: the pool keeps one empty block, and "
        "--max-num-seqs alone limits the requests at once.");
  }

  void refuse(Limit limit, std::string text, std::uint64_t needed, std::uint64_t available) {
    plan_.limit = limit;
    plan_.limit_text = std::move(text);
    plan_.needed_bytes = needed;
    plan_.available_bytes = available;
    plan_.max_requests = {0, 0, 0, plan_.max_requests.basis, plan_.max_requests.starts};
  }

  [[nodiscard]] std::uint64_t usable_bytes() const {
    return inputs_.device.free_bytes.value_or(inputs_.device.total_bytes);
  }

  /// Where other programs' memory is among the terms, the whole card is theirs to fill.
  [[nodiscard]] std::uint64_t room_bytes() const {
    return settings_.era.charges_whole_gpu ? inputs_.device.total_bytes : usable_bytes();
  }

  /// What the start-up check sees: the CUDA context is there, and since 0.11 communicators are.
  [[nodiscard]] std::uint64_t free_at_snapshot() const {
    const std::uint64_t before = taken_before_snapshot(settings_);
    return usable_bytes() - std::min(usable_bytes(), before);
  }

  /// The cache that is made: as given by a flag, or the pool in whole blocks.
  [[nodiscard]] std::uint64_t cache_bytes(const PlannedCache& layout) const {
    if (!settings_.num_gpu_blocks_override) {
      return plan_.kv_pool.best;
    }
    const std::uint64_t block = layout.plan.workers[blocks_.tightest].bytes_per_block;
    const bool beyond = block != 0 && blocks_.best > (~0ULL >> 8U) / block;
    return beyond ? ~0ULL >> 8U : blocks_.best * block;
  }

  /// What lies on the card once the cache is made. Activations come and go in what is left, but
  /// the profile run held them beside the weights.
  [[nodiscard]] std::uint64_t allocated(const PlannedCache& layout) const {
    const StageBudget& budget = tightest();
    return budget.weights.best + budget.non_torch.best + cache_bytes(layout);
  }

  /// Graphs of whole decoding steps hold a state for every sequence that may run (0.20 and later,
  /// v1/worker/gpu_model_runner.py; 0.17 to 0.19 captured fewer sizes without a word).
  [[nodiscard]] bool states_short() const {
    return inputs_.model.stateful() && settings_.era.v1 && settings_.version.minor >= 20 &&
           settings_.full_graphs != 0 && settings_.max_num_seqs > plan_.blocks.best;
  }

  /// V0 counts in tokens (worker/worker.py, raise_if_cache_size_invalid).
  [[nodiscard]] std::string v0_refusal() const {
    return worded({"The model's max seq len (", settings_.max_model_len,
                   ") is larger than the maximum number of tokens that can be stored in KV cache (",
                   blocks_.best * plan_.block_tokens,
                   ("). Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when "
                    "initializing the engine.")});
  }

  void judge(const PlannedCache& layout) {
    const StageBudget& budget = tightest();
    const std::uint64_t consumed = budget.weights.best + budget.activation.best +
                                   budget.non_torch.best + budget.cuda_graphs_charged.best;
    const std::uint64_t one_request = layout.plan.needed_bytes;
    const std::string not_run = refused_architecture(inputs_.model, settings_.version);
    if (!not_run.empty()) {
      refuse(Limit::architecture, not_run, consumed + one_request, requested_);
    } else if (budget.short_of_memory && budget.weights.best > requested_) {
      refuse(Limit::weights,
             worded({"The weights alone take ", in_gib(budget.weights.best),
                     " of a GPU and vLLM may use ", in_gib(requested_), "."}),
             consumed + one_request, requested_);
    } else if (budget.short_of_memory) {
      refuse(
          Limit::kv_pool,
          worded(
              {"No available memory for the cache blocks: weights, activations and the rest take ",
               in_gib(consumed), " of the ", in_gib(requested_), " that vLLM may use."}),
          consumed + one_request, requested_);
    } else if (!settings_.era.v1 && layout.plan.blocks_per_request != 0 &&
               plan_.blocks.best * plan_.block_tokens < settings_.max_model_len) {
      refuse(Limit::kv_pool, v0_refusal(), one_request, plan_.kv_pool.best);
    } else if (refusal_) {
      refuse(Limit::kv_pool, refusal_->message, one_request, plan_.kv_pool.best);
    } else if (states_short()) {
      refuse(Limit::kv_pool,
             worded({"max_num_seqs (", settings_.max_num_seqs,
                     ") exceeds the available Mamba cache blocks (", plan_.blocks.best,
                     "): full CUDA graphs want a state for every sequence. Lower --max-num-seqs."}),
             settings_.max_num_seqs * layout.plan.workers[blocks_.tightest].bytes_per_block,
             plan_.kv_pool.best);
    } else if (allocated(layout) > room_bytes()) {
      refuse(Limit::free_memory,
             worded({"Weights and a cache of ", in_gib(cache_bytes(layout)), " take ",
                     in_gib(allocated(layout)), " of a GPU, and ", in_gib(room_bytes()),
                     " are free: CUDA out of memory while the cache is made."}),
             allocated(layout), room_bytes());
    } else if (settings_.era.checks_free_memory && free_at_snapshot() < requested_) {
      refuse(
          Limit::free_memory,
          worded(
              {"Free memory on the device (", in_gib(free_at_snapshot()), " of ",
               in_gib(inputs_.device.total_bytes), ") is less than what --gpu-memory-utilization ",
               decimal(settings_.gpu_memory_utilization), " claims (", in_gib(requested_), ")."}),
          requested_, free_at_snapshot());
    } else if (!settings_.length_refusal.empty()) {
      refuse(Limit::context, settings_.length_refusal, one_request, plan_.kv_pool.best);
    } else if (settings_.context > settings_.max_model_len) {
      refuse(
          Limit::context,
          worded({"A request of ", grouped(settings_.context),
                  " tokens exceeds the maximum length of ", grouped(settings_.max_model_len), "."}),
          one_request, plan_.kv_pool.best);
    } else if (plan_.max_requests.best == 0) {
      // Some versions start with too few blocks by override; nothing of that length is served.
      refuse(
          Limit::kv_pool,
          worded({"It starts, and its ", grouped(plan_.blocks.best),
                  " blocks do not hold one request of ", grouped(settings_.context), " tokens."}),
          one_request, plan_.kv_pool.best);
    } else {
      plan_.needed_bytes = one_request;
      plan_.available_bytes = plan_.kv_pool.best;
    }
  }

  /// Who pays for what is not in the budget: the part of the card that vLLM does not claim.
  void say_what_is_unclaimed() {
    if (plan_.limit != Limit::none) {
      return;
    }
    const Unclaimed taken = unclaimed(inputs_, settings_, tightest());
    if (taken.bytes == 0) {
      return;
    }
    const std::uint64_t left = plan_.total_bytes - std::min(plan_.total_bytes, requested_);
    plan_.beside_claim_bytes = taken.bytes;
    plan_.left_beside_claim_bytes = left;
    std::string text = worded({"Besides its claim vLLM takes about ", in_gib(taken.bytes),
                               " of the ", in_gib(left), " that it leaves: ", taken.told, "."});
    if (taken.bytes > left) {
      text +=
          " That is more than is left: the check at start-up may refuse it, or it may run out of "
          "memory after the pool is made. Lower --gpu-memory-utilization.";
    }
    plan_.assumptions.push_back(std::move(text));
  }

  void say_what_is_assumed() {
    if (plan_.limit != Limit::weights && plan_.kv_pool.basis != Basis::exact &&
        !inputs_.measured.activation_bytes) {
      const ActivationParts& parts = budgets_[blocks_.tightest].parts;
      const std::uint64_t warm = std::max(parts.forward.best, parts.sampler.best);
      if (parts.compile.best > warm) {
        plan_.assumptions.push_back(worded(
            {"A first start: torch.compile's cache is empty. A later start with the same cache may "
             "leave up to ",
             in_gib(parts.compile.best - warm), " more for the KV pool."}));
      }
    }
    say_what_is_unclaimed();
    if (inputs_.device.unified_memory) {
      plan_.assumptions.push_back(
          "The machine's one memory is shared: what other programs hold and take during start-up "
          "counts too (since 0.20 what is free is what the system calls available). Give "
          "gpu.free_bytes.");
    }
    if (inputs_.device.total_is_measured) {
      return;
    }
    plan_.assumptions.push_back(
        worded({"The card's memory is estimated, not read from a driver (",
                inputs_.device.total_source, "); give gpu.total_bytes to be exact."}));
  }

  const Inputs& inputs_;
  Settings settings_;
  MemoryPlan plan_;
  std::uint64_t requested_ = 0;
  std::vector<StageBudget> budgets_;
  BlockRange blocks_{};
  std::optional<Error> refusal_;
};

}  // namespace

namespace {

/// 0.6 knew no latent cache: it kept keys and values of every head, padded to 256 values
/// (models/deepseek_v2.py).
model::ModelSpec with_latent_as_heads(const model::ModelSpec& spec) {
  constexpr std::uint64_t kPadded = 256;
  model::ModelSpec whole = spec;
  for (model::Layer& layer : whole.layers) {
    model::Attention& a = layer.attention;
    if (a.kind == AttentionKind::latent) {
      a.kind = AttentionKind::full;
      a.num_key_value_heads = a.num_attention_heads;
      a.head_dim = kPadded;
      a.v_head_dim = kPadded;
    }
  }
  return whole;
}

}  // namespace

Result<MemoryPlan> plan(const Inputs& inputs) {
  auto settings = read_settings(inputs);
  if (!settings) {
    return settings.error();
  }
  if (settings->version.minor == 6 && inputs.model.latent()) {
    const model::ModelSpec spec = with_latent_as_heads(inputs.model);
    const Inputs as_heads{spec,          inputs.tensors,   inputs.draft,    inputs.adapters,
                          inputs.device, inputs.gpu_count, inputs.version,  inputs.args,
                          inputs.env,    inputs.workload,  inputs.measured, inputs.explain,
                          inputs.longest};
    return PlanBuilder(as_heads, std::move(settings.value())).build();
  }
  return PlanBuilder(inputs, std::move(settings.value())).build();
}

}  // namespace ridgepoint::engine::vllm
