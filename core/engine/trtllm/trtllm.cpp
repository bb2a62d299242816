#include "engine/trtllm/trtllm.hpp"

#include <algorithm>
#include <utility>

#include "arithmetic.hpp"
#include "cache/geometry.hpp"
#include "engine/trtllm/architectures.hpp"
#include "engine/trtllm/budget.hpp"
#include "engine/trtllm/ledger.hpp"
#include "engine/trtllm/options.hpp"
#include "engine/trtllm/pool.hpp"
#include "engine/trtllm/report_steps.hpp"
#include "engine/trtllm/settings.hpp"
#include "engine/trtllm/token_cost.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::trtllm {
namespace {

/// Puts one request together from its parts.
class PlanBuilder {
 public:
  PlanBuilder(const Inputs& inputs, Settings settings)
      : inputs_(inputs), settings_(std::move(settings)) {}

  MemoryPlan build() {
    for (const Stage& stage :
         pipeline_stages(inputs_.model.layers.size(), settings_.parallelism.pipeline)) {
      stages_.push_back(stage_budget(inputs_, settings_, stage));
    }
    low_ = cut(settings_, stages_, Bound::low);
    best_ = cut(settings_, stages_, Bound::best);
    high_ = cut(settings_, stages_, Bound::high);
    fill_terms();
    fill_geometry();
    shorten_length();
    fill_capacity();
    fill_pools();
    plan_.charges = charges_of(inputs_, settings_, tightest());
    plan_.holding =
        holding_of(settings_, best_, tightest(), plan_.context, request_bytes(plan_.context));
    judge();
    plan_.assumptions.insert(plan_.assumptions.begin(), settings_.assumptions.begin(),
                             settings_.assumptions.end());
    say_what_is_assumed();
    if (inputs_.explain) {
      plan_.steps = explain(inputs_, settings_, tightest(), best_, plan_);
    }
    return std::move(plan_);
  }

 private:
  /// The stage with the least room for tokens; before anything is left, the fullest.
  [[nodiscard]] const StageBudget& tightest() const {
    const auto short_one = std::find_if(stages_.begin(), stages_.end(),
                                        [](const StageBudget& s) { return s.short_of_memory; });
    return short_one == stages_.end() ? stages_[best_.tightest] : *short_one;
  }

  void fill_terms() {
    const StageBudget& budget = tightest();
    plan_.version = settings_.version.text;
    plan_.parallelism = settings_.parallelism;
    plan_.total_bytes = inputs_.device.total_bytes;
    plan_.weights = budget.weights;
    plan_.activation = budget.activation;
    plan_.cuda_graphs = budget.cuda_graphs;
    plan_.cuda_graphs_charged = budget.cuda_graphs_charged;
    plan_.non_torch = budget.non_torch;
    plan_.kv_pool = budget.available;
    for (std::size_t part = 0; part < budget.weights_detail.by_part.size(); ++part) {
      if (budget.weights_detail.by_part[part] != 0) {
        plan_.weights_by_part.push_back({model::part_name(static_cast<model::Part>(part)),
                                         budget.weights_detail.by_part[part]});
      }
    }
  }

  void fill_geometry() {
    const WholeCost whole = whole_cost(inputs_, settings_);
    plan_.kv_format = settings_.kv_format;
    plan_.dtype = settings_.dtype;
    plan_.bytes_per_token = whole.per_token;
    plan_.growing_bytes_per_token = whole.growing;
    plan_.state_bytes_per_request = 0;
    for (const model::Layer& layer : inputs_.model.layers) {
      plan_.state_bytes_per_request +=
          cache::state_bytes(layer.state, settings_.state_float32, settings_.dtype, 1);
    }
    plan_.block_tokens = settings_.tokens_per_block;
    plan_.max_num_seqs = settings_.max_batch_size;
    plan_.max_num_batched_tokens = settings_.max_num_tokens;
  }

  /// A pool that does not hold one request of the maximum length shortens it, unless told to stop.
  void shorten_length() {
    longest_ = longest_request(settings_, best_, settings_.max_seq_len);
    plan_.max_model_len = settings_.max_seq_len;
    if (longest_ == 0 || longest_ >= settings_.max_seq_len || settings_.fail_fast) {
      plan_.context = settings_.context;
      return;
    }
    plan_.max_model_len = longest_;
    plan_.context = settings_.asked_length ? settings_.context : longest_;
    plan_.assumptions.push_back(
        worded({"The cache does not hold one request of ", grouped(settings_.max_seq_len),
                " tokens: the engine lowers max_seq_len to ", grouped(longest_), " and starts."}));
  }

  void fill_capacity() {
    const Basis basis = plan_.kv_pool.basis;
    const std::uint32_t starts = plan_.kv_pool.starts;
    const auto blocks = [](const CachePools& pools) { return pools.pools.back().blocks; };
    const bool caches = std::any_of(stages_.begin(), stages_.end(),
                                    [](const auto& stage) { return stage.cost.allocated != 0; });
    if (caches) {
      plan_.blocks = {blocks(low_), blocks(best_), blocks(high_), basis, starts};
      const std::uint64_t size = settings_.tokens_per_block;
      plan_.tokens = {plan_.blocks.low * size, plan_.blocks.best * size, plan_.blocks.high * size,
                      basis, starts};
      const auto at_most = static_cast<double>(std::max<std::uint64_t>(1, plan_.max_model_len));
      plan_.max_concurrency = {static_cast<double>(plan_.tokens.low) / at_most,
                               static_cast<double>(plan_.tokens.best) / at_most,
                               static_cast<double>(plan_.tokens.high) / at_most, basis, starts};
    } else {
      plan_.blocks = plan_.tokens = exactly<std::uint64_t>(0);
      plan_.max_concurrency = exactly(static_cast<double>(settings_.max_batch_size));
    }
    const auto requests = [&](const CachePools& pools) {
      const std::uint64_t held = requests_held(settings_, pools, plan_.context);
      return std::min(held, settings_.max_batch_size) * settings_.replicas();
    };
    plan_.max_requests = {requests(low_), requests(best_), requests(high_), basis, starts};
    plan_.max_context = longest_request(
        settings_, best_, std::max(settings_.max_seq_len, model::claimed_context(inputs_.model)));
    const auto windowed = plan_.bytes_per_token - plan_.growing_bytes_per_token;
    const double kept =
        static_cast<double>(plan_.growing_bytes_per_token) * static_cast<double>(plan_.context) +
        static_cast<double>(windowed) *
            static_cast<double>(std::min(plan_.context, smallest_window()));
    plan_.bytes_per_request =
        static_cast<std::uint64_t>(std::min(kept, 1e18)) + plan_.state_bytes_per_request;
  }

  [[nodiscard]] std::uint64_t smallest_window() const {
    const auto& windows = settings_.max_attention_window;
    return windows.empty() ? plan_.context : *std::min_element(windows.begin(), windows.end());
  }

  void fill_pools() {
    if (best_.pools.size() > 1) {
      for (std::size_t i = 0; i < best_.pools.size(); ++i) {
        const BlockPool& pool = best_.pools[i];
        plan_.pools.push_back({worded({"window of ", grouped(pool.window)}),
                               {low_.pools[i].bytes, pool.bytes, high_.pools[i].bytes,
                                plan_.kv_pool.basis, plan_.kv_pool.starts},
                               pool.blocks * settings_.tokens_per_block,
                               pool.window});
      }
    }
    if (best_.state_bytes != 0) {
      plan_.pools.push_back(
          {"recurrent state", exactly(best_.state_bytes), settings_.max_batch_size});
    }
  }

  void refuse(Limit limit, std::string text, std::uint64_t needed, std::uint64_t available) {
    plan_.limit = limit;
    plan_.limit_text = std::move(text);
    plan_.needed_bytes = needed;
    plan_.available_bytes = available;
    plan_.max_requests = {0, 0, 0, plan_.max_requests.basis, plan_.max_requests.starts};
  }

  /// Bytes of one request of `tokens` tokens on the tightest rank.
  [[nodiscard]] std::uint64_t request_bytes(std::uint64_t tokens) const {
    const TokenCost& cost = tightest().cost;
    const double blocks = static_cast<double>(cost.allocated) *
                          static_cast<double>(round_up(tokens, settings_.tokens_per_block)) *
                          static_cast<double>(settings_.max_beam_width);
    return static_cast<std::uint64_t>(std::min(blocks, 1e18)) + cost.state;
  }

  void judge() {
    const StageBudget& budget = tightest();
    const std::uint64_t total = inputs_.device.total_bytes;
    const std::uint64_t one = request_bytes(plan_.context);
    const std::uint64_t consumed = budget.weights.best + budget.activation.best +
                                   budget.non_torch.best + budget.cuda_graphs_charged.best;
    // A pool that was printed says that the start went well.
    const bool started = inputs_.measured.kv_pool_bytes.has_value();
    if (!started && budget.weights.best + budget.others_bytes > total) {
      refuse(Limit::weights,
             worded({"CUDA out of memory while the weights are loaded: they take ",
                     in_gib(budget.weights.best), " of a GPU with ",
                     in_gib(total - std::min(total, budget.others_bytes)), "."}),
             consumed + one, total);
    } else if (!started && consumed > total) {
      refuse(
          Limit::kv_pool,
          worded({"CUDA out of memory in the dry run: weights, activations of ",
                  grouped(settings_.max_num_tokens), " tokens and the rest take ", in_gib(consumed),
                  " of ", in_gib(total), ". A lower max_num_tokens or max_batch_size takes less."}),
          consumed + one, total);
    } else if (best_.states_do_not_fit) {
      const std::uint64_t states = budget.cost.state * settings_.max_batch_size;
      refuse(Limit::kv_pool,
             worded({"The recurrent states of max_batch_size ", grouped(settings_.max_batch_size),
                     " requests take ", in_gib(states), " and ", in_gib(budget.available.best),
                     " are left: lower --max_batch_size."}),
             states + one, budget.available.best);
    } else if (longest_ == 0) {
      refuse(Limit::kv_pool, "Impossible to fit in any sequence in kvCache.", one,
             budget.available.best);
    } else if (settings_.fail_fast && longest_ < settings_.max_seq_len) {
      refuse(Limit::kv_pool,
             worded({"The attention window of ", grouped(settings_.max_seq_len),
                     " tokens exceeds the upper bound of ", grouped(longest_),
                     ", and fail_fast_on_attention_window_too_large is set."}),
             one, budget.available.best);
    } else if (settings_.context > settings_.max_seq_len) {
      refuse(Limit::context,
             worded({"A request of ", grouped(settings_.context), " tokens exceeds max_seq_len, ",
                     grouped(settings_.max_seq_len), "."}),
             one, budget.available.best);
    } else if (plan_.context > plan_.max_model_len || plan_.max_requests.best == 0) {
      refuse(Limit::kv_pool,
             worded({"Attention window size ", grouped(settings_.max_seq_len),
                     " exceeds upper bound: it starts with max_seq_len lowered to ",
                     grouped(plan_.max_model_len), ", and no request of ", grouped(plan_.context),
                     " tokens is served."}),
             one, budget.available.best);
    } else {
      plan_.needed_bytes = one;
      plan_.available_bytes = budget.available.best;
    }
  }

  void say_what_is_assumed() {
    if (settings_.backend == Backend::pytorch) {
      const std::string unlisted = not_listed(inputs_.model.architecture, settings_.version.number);
      if (!unlisted.empty()) {
        plan_.assumptions.push_back(unlisted);
      }
    }
    if (settings_.backend == Backend::tensorrt && !inputs_.measured.activation_bytes) {
      plan_.assumptions.push_back(
          "The execution context of an engine is fixed when it is built and not known here: the "
          "figure is of the kind of a dry run's, within a wide range.");
    }
    if (inputs_.device.unified_memory && !inputs_.device.free_bytes &&
        !inputs_.measured.non_torch_bytes) {
      plan_.assumptions.push_back(
          "The card shares its memory with the CPU, and every other user of it shrinks the cache: "
          "give gpu.free_bytes.");
    }
    if (!inputs_.device.total_is_measured) {
      plan_.assumptions.push_back(
          worded({"The card's memory is estimated, not read from a driver (",
                  inputs_.device.total_source, "); give gpu.total_bytes to be exact."}));
    }
  }

  const Inputs& inputs_;
  Settings settings_;
  MemoryPlan plan_;
  std::vector<StageBudget> stages_;
  CachePools low_;
  CachePools best_;
  CachePools high_;
  std::uint64_t longest_ = 0;
};

}  // namespace

Result<MemoryPlan> plan(const Inputs& inputs) {
  const auto options = spread_options(inputs.args);
  if (!options) {
    return options.error();
  }
  auto settings = read_settings(inputs, options.value());
  if (!settings) {
    return settings.error();
  }
  return PlanBuilder(inputs, std::move(settings.value())).build();
}

}  // namespace ridgepoint::engine::trtllm
