#include "engine/sglang/sglang.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "arithmetic.hpp"
#include "engine/sglang/budget.hpp"
#include "engine/sglang/geometry.hpp"
#include "engine/sglang/ledger.hpp"
#include "engine/sglang/pool.hpp"
#include "engine/sglang/report_steps.hpp"
#include "engine/sglang/settings.hpp"
#include "engine/sglang/slack.hpp"
#include "estimate_sums.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::sglang {
namespace {

/// The pools at the low end, the best guess and the high end of what is left.
struct PoolRange {
  PoolSizes low;
  PoolSizes best;
  PoolSizes high;
};

PoolRange pool_range(const PoolLayout& layout, const Settings& settings,
                     const std::vector<StageBudget>& budgets) {
  std::vector<double> low;
  std::vector<double> best;
  std::vector<double> high;
  for (const StageBudget& budget : budgets) {
    low.push_back(budget.rest.low);
    best.push_back(budget.rest.best);
    high.push_back(budget.rest.high);
  }
  return {size_pools(layout, settings, low), size_pools(layout, settings, best),
          size_pools(layout, settings, high)};
}

/// Puts one request together from its parts.
class PlanBuilder {
 public:
  PlanBuilder(const Inputs& inputs, Settings settings)
      : inputs_(inputs), settings_(std::move(settings)) {}

  Result<MemoryPlan> build() {
    const std::vector<Stage> stages =
        pipeline_stages(inputs_.model.layers.size(), settings_.parallelism.pipeline);
    for (const Stage& stage : stages) {
      budgets_.push_back(stage_budget(inputs_, settings_, stage));
    }
    layout_ = pool_layout(inputs_, settings_, stages);
    pools_ = pool_range(layout_, settings_, budgets_);
    use_measured_pool();
    slack_ = slack_of(inputs_, settings_, tightest(), layout_, pools_.best);
    fill_terms();
    fill_pools();
    fill_geometry();
    fill_capacity();
    plan_.charges = charges_of(inputs_, settings_, tightest(), layout_, pools_.best, claim());
    plan_.holding = holding_of(settings_, layout_, pools_.best, one_request(),
                               window_need(std::max<std::uint64_t>(1, settings_.context)));
    judge();
    plan_.assumptions.insert(plan_.assumptions.begin(), settings_.assumptions.begin(),
                             settings_.assumptions.end());
    say_what_is_assumed();
    if (inputs_.explain) {
      plan_.steps = explain(inputs_, settings_, tightest(), layout_, pools_.best, slack_, plan_);
    }
    return std::move(plan_);
  }

 private:
  [[nodiscard]] const StageBudget& tightest() const { return budgets_[pools_.best.tightest]; }
  [[nodiscard]] std::uint64_t claim() const {
    return to_bytes(static_cast<double>(tightest().before.best) * settings_.mem_fraction_static);
  }
  [[nodiscard]] Basis pool_basis() const {
    const StageBudget& budget = tightest();
    return settings_.version.nearest_rules ? Basis::assumed
                                           : weaker(budget.weights.basis, budget.context.basis);
  }
  [[nodiscard]] std::uint32_t pool_starts() const {
    return std::min(tightest().weights.starts, tightest().context.starts);
  }

  /// A pool read from a log: its tokens follow from its bytes.
  void use_measured_pool() {
    if (!inputs_.measured.kv_pool_bytes) {
      return;
    }
    std::vector<double> rest;
    for (std::size_t i = 0; i < budgets_.size(); ++i) {
      rest.push_back(static_cast<double>(*inputs_.measured.kv_pool_bytes) +
                     static_cast<double>(pools_.best.states.charged_bytes));
    }
    Settings fixed = settings_;
    if (layout_.slot_bytes != 0) {
      fixed.state.max_mamba_cache_size =
          std::max<std::uint64_t>(1, pools_.best.states.slots) *
          (settings_.data_parallel_attention ? settings_.parallelism.data : 1);
    }
    PoolLayout printed = layout_;
    for (StageLayout& stage : printed.stages) {
      stage.cell.charged = stage.cell.full;
      stage.cell.draft = 0;
    }
    pools_.best = size_pools(printed, fixed, rest);
    pools_.best.draft_bytes =
        saturating_product(pools_.best.tokens, layout_.stages[pools_.best.tightest].cell.draft);
    pools_.low = pools_.best;
    pools_.high = pools_.best;
  }

  void fill_terms() {
    const StageBudget& budget = tightest();
    plan_.version = settings_.version.text;
    plan_.parallelism = settings_.parallelism;
    plan_.total_bytes = inputs_.device.total_bytes;
    plan_.requested_bytes = claim();
    plan_.weights = budget.weights;
    plan_.activation = slack_.activation;
    plan_.cuda_graphs = slack_.graphs;
    plan_.cuda_graphs_charged = exactly<std::uint64_t>(0);
    plan_.non_torch = budget.context;
    for (std::size_t part = 0; part < budget.weights_detail.by_part.size(); ++part) {
      if (budget.weights_detail.by_part[part] != 0) {
        plan_.weights_by_part.push_back({model::part_name(static_cast<model::Part>(part)),
                                         budget.weights_detail.by_part[part]});
      }
    }
  }

  /// States are whole: a little more room may make one more of them and leave less for tokens, so
  /// the ends are put in order.
  [[nodiscard]] Count in_order(std::uint64_t low, std::uint64_t best, std::uint64_t high) const {
    return {std::min({low, best, high}), best, std::max({low, best, high}), pool_basis(),
            pool_starts()};
  }

  [[nodiscard]] Bytes bytes_of(std::uint64_t PoolSizes::*member) const {
    return in_order(pools_.low.*member, pools_.best.*member, pools_.high.*member);
  }

  void fill_pools() {
    plan_.kv_pool = bytes_of(&PoolSizes::kv_bytes);
    const PoolSizes& best = pools_.best;
    if (best.fault != PoolFault::none) {
      return;
    }
    if (best.window_bytes != 0) {
      const Bytes window = bytes_of(&PoolSizes::window_bytes);
      const Bytes& all = plan_.kv_pool;
      const auto beside = [](std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; };
      plan_.pools.push_back({"full attention",
                             {beside(all.low, window.low), beside(all.best, window.best),
                              beside(all.high, window.high), all.basis, all.starts},
                             best.tokens});
      plan_.pools.push_back({"sliding window", window, best.window_tokens, layout_.window});
    } else if (layout_.slot_bytes != 0 || best.draft_bytes != 0) {
      plan_.pools.push_back({"full attention", plan_.kv_pool, best.tokens});
    }
    if (layout_.slot_bytes != 0) {
      plan_.pools.push_back(
          {"recurrent state",
           in_order(pools_.low.states.bytes, best.states.bytes, pools_.high.states.bytes),
           best.states.slots});
      if (best.states.scratch_bytes != 0) {
        plan_.pools.push_back({"recurrent state of proposed tokens",
                               in_order(pools_.low.states.scratch_bytes, best.states.scratch_bytes,
                                        pools_.high.states.scratch_bytes),
                               best.max_running_requests});
      }
    }
    if (best.draft_bytes != 0) {
      plan_.pools.push_back({"draft", bytes_of(&PoolSizes::draft_bytes), best.tokens});
    }
  }

  void fill_geometry() {
    const Geometry geometry = whole_geometry(inputs_, settings_);
    plan_.kv_format = settings_.kv_format;
    plan_.dtype = settings_.dtype;
    plan_.bytes_per_token = geometry.bytes_per_token;
    plan_.growing_bytes_per_token = geometry.growing_bytes_per_token;
    plan_.state_bytes_per_request = geometry.state_bytes;
    plan_.bytes_per_request = geometry.bytes_per_request;
    plan_.block_tokens = settings_.page_size;
    plan_.max_model_len = settings_.context_length;
    plan_.context = settings_.context;
    plan_.max_num_seqs = pools_.best.max_running_requests;
    plan_.max_num_batched_tokens =
        settings_.chunk == 0 ? settings_.max_prefill_tokens : settings_.chunk;
  }

  /// Tokens that one request of `length` holds in the window pool.
  [[nodiscard]] std::uint64_t window_need(std::uint64_t length) const {
    return round_up(std::min(length, layout_.window + settings_.page_size), settings_.page_size);
  }

  /// Whole requests of the length asked about that one group or replica holds.
  [[nodiscard]] std::uint64_t requests_in(const PoolSizes& sizes) const {
    const std::uint64_t length = std::max<std::uint64_t>(1, settings_.context);
    if (sizes.fault != PoolFault::none ||
        (layout_.kind != PoolKind::none && length >= sizes.tokens)) {
      return 0;
    }
    std::uint64_t requests = sizes.max_running_requests;
    if (layout_.kind != PoolKind::none) {
      requests = std::min(requests, sizes.tokens / round_up(length, settings_.page_size));
    }
    if (sizes.window_tokens != 0) {
      requests = std::min(requests, sizes.window_tokens / window_need(length));
    }
    return requests;
  }

  void fill_capacity() {
    const std::uint64_t page = settings_.page_size;
    plan_.tokens = in_order(pools_.low.tokens, pools_.best.tokens, pools_.high.tokens);
    plan_.blocks =
        in_order(plan_.tokens.low / page, plan_.tokens.best / page, plan_.tokens.high / page);
    const auto at_full_length = [&](std::uint64_t tokens) {
      return static_cast<double>(tokens) / static_cast<double>(settings_.context_length);
    };
    plan_.max_concurrency = {at_full_length(plan_.tokens.low), at_full_length(plan_.tokens.best),
                             at_full_length(plan_.tokens.high), pool_basis(), pool_starts()};
    const std::uint64_t data = settings_.parallelism.data;
    plan_.max_requests = in_order(requests_in(pools_.low) * data, requests_in(pools_.best) * data,
                                  requests_in(pools_.high) * data);
    if (pools_.best.fault == PoolFault::none && pools_.best.tokens != 0) {
      plan_.max_context = std::min(derived_context_length(inputs_.model), pools_.best.tokens - 1);
    }
    if (layout_.kind == PoolKind::none) {
      plan_.max_context = derived_context_length(inputs_.model);
    }
  }

  /// What the pools of one rank must be for one request of the length asked about: a token more
  /// than it, and the page that pads.
  [[nodiscard]] std::uint64_t one_request() const {
    const StageLayout& stage = layout_.stages[pools_.best.tightest];
    const Cell& cell = stage.cell;
    const std::uint64_t page = settings_.page_size;
    const std::uint64_t tokens = round_up(settings_.context + 1, page) + page;
    const std::uint64_t full = saturating_product(tokens, cell.charged + cell.draft);
    const auto in_ratio = static_cast<double>(tokens) * settings_.swa_full_tokens_ratio;
    switch (layout_.kind) {
      case PoolKind::compressed:
        return to_bytes(static_cast<double>(tokens) * stage.compressed.per_token);
      case PoolKind::windows:
        return full + to_bytes(in_ratio * static_cast<double>(cell.window));
      case PoolKind::capped_windows:
        return full + saturating_product(layout_.window_cap, cell.window);
      case PoolKind::windows_alone:
        return saturating_product(tokens, cell.window);
      default:
        return full;
    }
  }

  /// States of one running request and the one that pads.
  [[nodiscard]] std::uint64_t states_of_one() const {
    return saturating_product(layout_.slot_bytes, settings_.state.slots_per_request + 1);
  }

  void refuse(Limit limit, std::string text, std::uint64_t needed, std::uint64_t available) {
    plan_.limit = limit;
    plan_.limit_text = std::move(text);
    plan_.needed_bytes = needed;
    plan_.available_bytes = available;
    plan_.max_requests = {0, 0, 0, plan_.max_requests.basis, plan_.max_requests.starts};
  }

  [[nodiscard]] std::string no_room_text() const {
    const StageBudget& budget = tightest();
    if (budget.rest.best > static_cast<double>(one_request())) {
      return worded({"The pool does not hold one page of ", grouped(settings_.page_size),
                     " tokens: --max-total-tokens or the measured pool is too small."});
    }
    const double viable = static_cast<double>(budget.weights.best) /
                          static_cast<double>(std::max<std::uint64_t>(1, budget.before.best));
    const std::string fraction = decimal(settings_.mem_fraction_static);
    std::string text =
        settings_.version.number >= 5013
            ? worded({"Loaded weights leave no GPU memory for the KV cache under "
                      "--mem-fraction-static=",
                      fraction, "."})
            : worded({"Not enough memory. Please try to increase --mem-fraction-static (now ",
                      fraction, ")."});
    text += worded({" Weights take ", in_gib(budget.weights.best), " of the ", in_gib(claim()),
                    " that the fraction allows"});
    text += viable < 0.99 ? worded({"; the fraction must be above ", decimal(viable), "."}) : ".";
    return text;
  }

  /// Bytes of the least window pool that the engine starts with.
  [[nodiscard]] std::uint64_t window_pool_need() const {
    const StageLayout& stage = layout_.stages[pools_.best.tightest];
    return saturating_product(layout_.window + settings_.page_size + 1,
                              std::max(stage.cell.window, stage.compressed.window));
  }

  void judge_fault() {
    const std::uint64_t weights = tightest().weights.best;
    const std::uint64_t needed = weights + one_request() + states_of_one();
    switch (pools_.best.fault) {
      case PoolFault::no_room:
        refuse(Limit::kv_pool, no_room_text(), std::max(needed, claim() + 1), claim());
        return;
      case PoolFault::no_states:
        refuse(
            Limit::kv_pool,
            worded({("Not enough GPU memory for the hybrid (mamba/linear-attention) state cache: a "
                     "running request needs "),
                    settings_.state.slots_per_request, " states of ", in_gib(layout_.slot_bytes),
                    "."}),
            std::max(needed, claim() + 1), claim());
        return;
      case PoolFault::narrow_window:
        refuse(Limit::kv_pool,
               worded({"The SWA pool (", grouped(pools_.best.window_tokens),
                       " tokens) cannot hold one request: a window of ", grouped(layout_.window),
                       " and a page. Raise --swa-full-tokens-ratio or the budget."}),
               window_pool_need(), pools_.best.window_bytes);
        return;
      case PoolFault::none:
        return;
    }
  }

  void judge() {
    const StageBudget& budget = tightest();
    const std::uint64_t weights = budget.weights.best;
    if (weights > budget.before.best) {
      refuse(Limit::weights,
             worded({"CUDA out of memory while the weights load: they take ", in_gib(weights),
                     " of a GPU, and ", in_gib(budget.before.best), " are free before."}),
             weights + one_request() + states_of_one(), budget.before.best);
    } else if (pools_.best.fault != PoolFault::none) {
      judge_fault();
    } else if (certain_slack_use() > slack_.bytes) {
      refuse(Limit::free_memory,
             worded({"CUDA out of memory after the pool: outside the static fraction of ",
                     decimal(settings_.mem_fraction_static), " are ", in_gib(slack_.bytes),
                     ", and the request table, graphs and workspaces take at least ",
                     in_gib(certain_slack_use()), ". Lower --mem-fraction-static."}),
             claim(),
             to_bytes(static_cast<double>(budget.before.best) -
                      static_cast<double>(certain_slack_use())));
    } else if (!settings_.length_refusal.empty()) {
      refuse(Limit::context, settings_.length_refusal, one_request(), plan_.kv_pool.best);
    } else if (settings_.context > settings_.context_length) {
      refuse(Limit::context,
             worded({"A request of ", grouped(settings_.context),
                     " tokens exceeds the context length of ", grouped(settings_.context_length),
                     "."}),
             one_request(), plan_.kv_pool.best);
    } else if (plan_.max_requests.best == 0) {
      refuse(Limit::kv_pool,
             worded({"It starts, and its pool of ", grouped(plan_.tokens.best),
                     " tokens does not hold one request of ", grouped(settings_.context), "."}),
             one_request(), plan_.kv_pool.best);
    } else {
      plan_.needed_bytes = one_request();
      plan_.available_bytes = plan_.kv_pool.best;
    }
  }

  /// What must fit beside the static part whatever is not known.
  [[nodiscard]] std::uint64_t certain_slack_use() const {
    return slack_.request_table + slack_.uncharged_draft + slack_.overrun + slack_.workspace.low +
           slack_.graphs.low;
  }

  void say_what_is_assumed() {
    auto& list = plan_.assumptions;
    const std::uint64_t use = slack_.activation.best + slack_.graphs.best;
    const bool starts = plan_.limit == Limit::none || plan_.limit == Limit::context;
    if (plan_.limit == Limit::none) {
      plan_.beside_claim_bytes = use;
      plan_.left_beside_claim_bytes = slack_.bytes;
    }
    if (starts && use > slack_.bytes) {
      list.push_back(
          worded({"The memory outside the static fraction, ", in_gib(slack_.bytes),
                  (", may be too small: the request table, workspaces, one forward pass and "
                   "graphs are likely to take "),
                  in_gib(use), ". A lower --mem-fraction-static is safer."}));
    }
    if (slack_.overrun != 0) {
      list.push_back(
          worded({"This version counts FP8 rows of sparse attention too small: the pool takes ",
                  in_gib(slack_.overrun), " more than its budget."}));
    }
    if (slack_.uncharged_draft != 0) {
      list.push_back(
          worded({"This version does not charge the draft to the pool: its weights and cache, ",
                  in_gib(slack_.uncharged_draft), ", come out of the memory left free."}));
    }
    if (slack_.symmetric != 0) {
      list.push_back("--enable-symm-mem sets 4 GiB apart after the graphs.");
    }
    if (layout_.kind == PoolKind::windows && settings_.version.number < 5009 &&
        inputs_.model.architecture.starts_with("MiMoV2")) {
      list.push_back(
          "Before 0.5.9 MiMo-V2's windowed layers were counted twice: its pool is smaller than "
          "computed here.");
    }
    if (layout_.kind == PoolKind::none) {
      list.push_back(
          "The model caches nothing: --max-running-requests alone limits the requests at once.");
    }
    if (!inputs_.device.total_is_measured) {
      list.push_back(worded({"The card's memory is estimated, not read from a driver (",
                             inputs_.device.total_source, "); give gpu.total_bytes to be exact."}));
    }
  }

  const Inputs& inputs_;
  Settings settings_;
  MemoryPlan plan_;
  std::vector<StageBudget> budgets_;
  PoolLayout layout_;
  PoolRange pools_;
  Slack slack_;
};

}  // namespace

Result<MemoryPlan> plan(const Inputs& inputs) {
  auto settings = read_settings(inputs);
  if (!settings) {
    return settings.error();
  }
  return PlanBuilder(inputs, std::move(settings.value())).build();
}

}  // namespace ridgepoint::engine::sglang
