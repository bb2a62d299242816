#include "engine/sglang/report_steps.hpp"

#include <string>

#include "engine/step_list.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::sglang {
namespace {

constexpr std::string_view kSizing =
    "SGLang mem_cache/kv_cache_configurator.py _profile_available_bytes (before 0.5.15 "
    "model_executor/model_runner.py)";
constexpr std::string_view kPools = "SGLang model_executor/pool_configurator.py";

std::string mib(double value) { return grouped(static_cast<std::uint64_t>(value)) + " MiB"; }

/// Writes the steps in the order in which the engine works.
class StepWriter {
 public:
  StepWriter(const Inputs& inputs, const Settings& settings, const StageBudget& budget,
             const PoolLayout& layout, const PoolSizes& sizes, const Slack& slack,
             const MemoryPlan& plan)
      : inputs_(inputs),
        settings_(settings),
        budget_(budget),
        layout_(layout),
        sizes_(sizes),
        slack_(slack),
        plan_(plan) {}

  std::vector<Step> write() {
    before();
    fraction();
    weights();
    rest();
    states();
    cell();
    tokens();
    requests();
    slack();
    return steps_.take();
  }

 private:
  void before() {
    const std::uint64_t free = inputs_.device.free_bytes.value_or(inputs_.device.total_bytes);
    const bool measured = inputs_.measured.non_torch_bytes.has_value();
    steps_.add_bytes("non_torch",
                     measured ? "as measured" : "CUDA context and NCCL, from measured starts",
                     in_gib(budget_.context.low) + " to " + in_gib(budget_.context.high),
                     budget_.context.best, measured ? "given with the request" : "measured starts");
    steps_.add_bytes("pre_model_load_memory",
                     "free memory - CUDA context and NCCL, least of all ranks",
                     in_gib(free) + " - " + in_gib(budget_.context.best), budget_.before.best,
                     "SGLang distributed/bootstrap.py");
  }

  void fraction() {
    const StaticFraction& made = settings_.fraction;
    std::string formula = "--mem-fraction-static as given";
    std::string numbers = decimal(settings_.mem_fraction_static);
    if (!settings_.fraction_given && made.reserved_mib > 0) {
      formula = "round((card - reserved) / card, 3)";
      numbers = "reserved";
      std::string_view joint = " ";
      for (const auto& [what, value] : made.parts) {
        numbers += joint;
        numbers += mib(value) + " (" + what + ")";
        joint = " + ";
      }
      numbers +=
          " = " + mib(made.reserved_mib) + " of " + mib(static_cast<double>(settings_.gpu_mib));
    } else if (!settings_.fraction_given) {
      formula = "table by parallel size and card";
      numbers = mib(static_cast<double>(settings_.gpu_mib));
    }
    if (!settings_.fraction_given && made.multimodal_factor != 1.0) {
      formula += " x factor of the vision tower";
      numbers += ", x " + decimal(made.multimodal_factor);
    }
    if (settings_.late_factor != 1.0) {
      formula += " x what the backend or an old multimodal model leaves";
      numbers += ", x " + decimal(settings_.late_factor);
    }
    numbers += " = " + decimal(settings_.mem_fraction_static);
    steps_.add("mem_fraction_static", std::move(formula), std::move(numbers),
               settings_.mem_fraction_static, "ratio", "SGLang server_args.py");
    steps_.add_bytes("requested", "pre_model_load_memory x mem_fraction_static",
                     in_gib(budget_.before.best) + " x " + decimal(settings_.mem_fraction_static),
                     plan_.requested_bytes.value_or(0), kSizing);
  }

  void weights() {
    if (steps_.add_measured("weights", inputs_.measured.weights_bytes)) {
      return;
    }
    const std::uint64_t known =
        budget_.rope_bytes + budget_.absorbed_bytes + budget_.scale_copies + budget_.draft_weights;
    std::string formula = "this GPU's tensors and loading + float32 table of positions";
    std::string numbers = in_gib(budget_.weights.best - known) + " + " + in_gib(budget_.rope_bytes);
    if (budget_.absorbed_bytes != 0) {
      formula += " + 16-bit copies of W_UK and W_UV";
      numbers += " + " + in_gib(budget_.absorbed_bytes);
    }
    if (budget_.scale_copies != 0) {
      formula += " + second copies of NVFP4 experts' block scales";
      numbers += " + " + in_gib(budget_.scale_copies);
    }
    if (budget_.draft_weights != 0) {
      formula += " + draft";
      numbers += " + " + in_gib(budget_.draft_weights);
    }
    steps_.add_bytes("weights", std::move(formula), std::move(numbers), budget_.weights.best,
                     "SGLang layers/vocab_parallel_embedding.py, dp_attention.py, "
                     "models/deepseek_v2.py; loading from measured starts");
  }

  void rest() {
    const double rest = budget_.rest.best;
    const std::uint64_t requested = plan_.requested_bytes.value_or(0);
    const double seen = static_cast<double>(requested) - static_cast<double>(budget_.weights.best);
    std::string formula = "pre_model_load_memory x mem_fraction_static - weights";
    std::string numbers = in_gib(requested) + " - " + in_gib(budget_.weights.best);
    if (rest > 0 && seen - rest > 1.0) {
      const auto loss = static_cast<std::uint64_t>(seen - rest);
      steps_.add_bytes("sizing_loss", "what is in use beside the weights when the pool is sized",
                       in_gib(loss), loss, "measured starts");
      formula += " - sizing_loss";
      numbers += " - " + in_gib(loss);
    }
    steps_.add_bytes("rest", std::move(formula), std::move(numbers),
                     rest <= 0 ? 0 : static_cast<std::uint64_t>(rest), kSizing);
  }

  void states() {
    if (layout_.slot_bytes == 0) {
      return;
    }
    steps_.add_bytes(
        "state_bytes", "convolution x 2 bytes + recurrent part, all state layers of a rank",
        grouped(layout_.slot_bytes), layout_.slot_bytes, "SGLang configs/mamba_utils.py");
    const StateSettings& state = settings_.state;
    const bool by_ratio =
        !state.max_mamba_cache_size && (settings_.radix_cache || !settings_.max_running_requests);
    steps_.add(
        "max_mamba_cache_size",
        by_ratio ? "rest x ratio / (1 + ratio) / state_bytes" : "as the flags say",
        by_ratio ? "ratio " + decimal(state.full_memory_ratio) : grouped(sizes_.states.slots),
        static_cast<double>(sizes_.states.slots), "requests",
        "SGLang mem_cache/kv_cache_configurator.py _handle_max_mamba_cache");
    steps_.add_bytes("state_pool", "(max_mamba_cache_size + 1) x state_bytes",
                     grouped(sizes_.states.slots + 1) + " x " + grouped(layout_.slot_bytes),
                     sizes_.states.bytes, kSizing);
  }

  void cell() {
    const StageLayout& stage = layout_.stages[sizes_.tightest];
    const Cell& cell = stage.cell;
    if (layout_.kind == PoolKind::compressed) {
      steps_.add("cell_size",
                 "full, window, 4-fold, 128-fold, index and state pools for each full token",
                 decimal(stage.compressed.per_token), stage.compressed.per_token, "bytes", kPools);
      return;
    }
    std::string formula = "bytes a token of this GPU's layers that keep every token";
    std::string numbers = grouped(cell.charged) + " in " + grouped(cell.full_layers) + " layers";
    if (cell.window_layers != 0 && layout_.kind == PoolKind::windows) {
      formula += " + ratio x those of windowed layers";
      numbers += " + " + decimal(settings_.swa_full_tokens_ratio) + " x " + grouped(cell.window) +
                 " in " + grouped(cell.window_layers) + " layers";
    } else if (cell.window_layers != 0) {
      formula += ", windowed layers apart";
      numbers += ", " + grouped(cell.window) + " in " + grouped(cell.window_layers) + " layers";
    }
    if (cell.draft != 0) {
      formula += " + the draft's layers";
      numbers += " + " + grouped(cell.draft);
    }
    const double windowed = layout_.kind == PoolKind::windows
                                ? settings_.swa_full_tokens_ratio * static_cast<double>(cell.window)
                                : 0.0;
    steps_.add("cell_size", std::move(formula), std::move(numbers),
               static_cast<double>(cell.charged + cell.draft) + windowed, "bytes", kPools);
    steps_.add_bytes("bytes_per_token", "the same of the whole, unsharded model",
                     grouped(plan_.bytes_per_token), plan_.bytes_per_token, kPools);
  }

  void tokens() {
    steps_.add_bytes(
        "kv_pool",
        layout_.slot_bytes == 0 ? "tokens and a page x bytes a token" : "likewise, beside states",
        grouped(sizes_.tokens) + " tokens, pages of " + grouped(settings_.page_size),
        sizes_.kv_bytes, kPools);
    std::string formula = "what is left / cell_size, rounded down to pages";
    if (settings_.parallelism.pipeline > 1) {
      formula += ", least of all stages";
    }
    if (settings_.max_total_tokens) {
      formula += ", at most --max-total-tokens";
    }
    steps_.add("tokens", std::move(formula), grouped(sizes_.tokens),
               static_cast<double>(sizes_.tokens), "tokens", kPools);
    if (sizes_.window_tokens != 0) {
      steps_.add("window_tokens",
                 layout_.kind == PoolKind::capped_windows
                     ? "running requests x (window + 128 + 2 pages) + chunks in flight + a page"
                     : "tokens x --swa-full-tokens-ratio, rounded down to pages",
                 grouped(sizes_.window_tokens), static_cast<double>(sizes_.window_tokens), "tokens",
                 kPools);
    }
  }

  void requests() {
    std::string formula = settings_.max_running_requests
                              ? "min(--max-running-requests of a group, tokens / 2"
                              : "min(clamp(tokens / context_length x 512, 2048, 4096), tokens / 2";
    std::string numbers =
        grouped(sizes_.tokens) + " tokens, context length " + grouped(settings_.context_length);
    if (layout_.slot_bytes != 0) {
      formula += ", states / states a request";
      numbers +=
          ", " + grouped(sizes_.states.slots) + " / " + grouped(settings_.state.slots_per_request);
    }
    steps_.add("max_running_requests", formula + ")", std::move(numbers),
               static_cast<double>(sizes_.max_running_requests), "requests",
               "SGLang mem_cache/kv_cache_configurator.py resolve_max_num_reqs");
    steps_.add(
        "max_requests", "min(tokens / tokens of one request, max_running_requests) x data parallel",
        "at " + grouped(plan_.context) + " tokens, " + grouped(settings_.parallelism.data) +
            " group(s)",
        static_cast<double>(plan_.max_requests.best), "requests", "SGLang managers/scheduler.py");
  }

  void slack() {
    steps_.add_bytes(
        "slack", "pre_model_load_memory x (1 - mem_fraction_static)",
        in_gib(budget_.before.best) + " x " + decimal(1.0 - settings_.mem_fraction_static),
        slack_.bytes, kSizing);
    steps_.add_bytes("request_table",
                     "(max_running_requests + 1) x (context_length + 4 + drafts) x 4",
                     "(" + grouped(sizes_.max_running_requests) + " + 1) x (" +
                         grouped(settings_.context_length) + " + 4 + " +
                         grouped(settings_.draft.tokens) + ") x 4",
                     slack_.request_table, "SGLang mem_cache/memory_pool.py ReqToTokenPool");
    steps_.add_bytes(
        "activation",
        "request table + the allocator's rounding + drafts not charged + workspaces + one "
        "forward pass",
        in_gib(slack_.request_table) + " + " + in_gib(slack_.rounding) + " + " +
            in_gib(slack_.uncharged_draft + slack_.symmetric + slack_.overrun) + " + " +
            in_gib(slack_.workspace.best) + " + " + in_gib(slack_.forward.best),
        slack_.activation.best, "measured starts; the forward pass is not measured");
    steps_.add_bytes("cuda_graphs", "decode batches + prompt chunks x size of one graph",
                     grouped(settings_.decode_graphs.size()) + " + " +
                         grouped(settings_.prefill_graphs.size()) + " sizes, " +
                         in_gib(slack_.graphs.low) + " to " + in_gib(slack_.graphs.high),
                     slack_.graphs.best, "measured starts");
    steps_.add_bytes("cuda_graphs_charged", "SGLang subtracts nothing for graphs", "0", 0, kSizing);
  }

  const Inputs& inputs_;
  const Settings& settings_;
  const StageBudget& budget_;
  const PoolLayout& layout_;
  const PoolSizes& sizes_;
  const Slack& slack_;
  const MemoryPlan& plan_;
  StepList steps_;
};

}  // namespace

std::vector<Step> explain(const Inputs& inputs, const Settings& settings, const StageBudget& budget,
                          const PoolLayout& layout, const PoolSizes& sizes, const Slack& slack,
                          const MemoryPlan& plan) {
  return StepWriter(inputs, settings, budget, layout, sizes, slack, plan).write();
}

}  // namespace ridgepoint::engine::sglang
