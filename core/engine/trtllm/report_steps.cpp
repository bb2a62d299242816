#include "engine/trtllm/report_steps.hpp"

#include <string>

#include "engine/step_list.hpp"
#include "engine/trtllm/constants.hpp"
#include "engine/trtllm/dry_run.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::trtllm {
namespace {

constexpr const char* kEstimate = "TensorRT-LLM _torch/pyexecutor/_util.py, KvCacheCreator";
constexpr const char* kManager =
    "TensorRT-LLM _torch/pyexecutor/resource_manager.py, KVCacheManager";
constexpr const char* kRuntime = "TensorRT-LLM C++ runtime, kvCacheManager.cpp";

/// Writes the steps; `settings` holds what went in and `plan` what came out.
class StepWriter {
 public:
  StepWriter(const Inputs& inputs, const Settings& settings, const StageBudget& budget,
             const CachePools& pools, const MemoryPlan& plan)
      : inputs_(inputs), settings_(settings), budget_(budget), pools_(pools), plan_(plan) {}

  std::vector<Step> write() {
    weights();
    activation();
    temporary();
    outside();
    graphs();
    available();
    bytes_per_token();
    capacity();
    return steps_.take();
  }

 private:
  [[nodiscard]] bool pytorch() const { return settings_.backend == Backend::pytorch; }

  static std::string range(const Bytes& bytes) {
    return in_gib(bytes.low) + " to " + in_gib(bytes.high);
  }

  void weights() {
    if (steps_.add_measured("weights", inputs_.measured.weights_bytes)) {
      return;
    }
    std::string formula = "this GPU's tensors";
    std::string numbers = in_gib(budget_.weights.best - budget_.guessing_bytes -
                                 budget_.absorbed_bytes - budget_.workspace_bytes);
    const auto part = [&](std::uint64_t bytes, const char* what) {
      if (bytes != 0) {
        formula += std::string(" + ") + what;
        numbers += " + " + in_gib(bytes);
      }
    };
    part(budget_.absorbed_bytes, "16-bit copies of the latent up-projections");
    part(budget_.guessing_bytes, "layers that guess ahead");
    part(budget_.padding_bytes, "padding of experts and the whole embedding");
    part(budget_.workspace_bytes, "buffers by max_num_tokens");
    steps_.add_bytes(
        "weights", std::move(formula), numbers + " = " + in_gib(budget_.weights.best),
        budget_.weights.best,
        "TensorRT-LLM _torch/modules (linear, embedding, fused_moe, attention), against "
        "measured starts");
  }

  void activation() {
    if (steps_.add_measured("activation", inputs_.measured.activation_bytes)) {
      return;
    }
    if (!settings_.dry_run) {
      steps_.add_bytes("activation", "no dry run", "0", 0, kEstimate);
      return;
    }
    steps_.add_bytes(
        "activation",
        "fixed + max_num_tokens x (widest layer + hidden_size x (residual + chosen experts))",
        grouped(settings_.max_num_tokens) + " tokens, hidden size " +
            grouped(inputs_.model.hidden_size) + ": " + range(budget_.activation),
        budget_.activation.best, std::string(budget_.activation_source));
  }

  void temporary() {
    if (budget_.temporary_bytes == 0) {
      return;
    }
    const bool warm_up = settings_.version.number >= kCountsMtp;
    steps_.add_bytes(
        "non_torch.temporary_kv",
        warm_up ? "max(requests of the dry run, one of max_seq_len + a block for each further "
                  "one of a graph, a block each of max_batch_size) x bytes per token"
                : "requests of the dry run x bytes per token",
        grouped(temporary_tokens(settings_)) + " x " + grouped(budget_.cost.allocated),
        budget_.temporary_bytes, kEstimate);
  }

  void outside() {
    if (steps_.add_measured("non_torch", inputs_.measured.non_torch_bytes)) {
      return;
    }
    std::string formula = "CUDA context, libraries, NCCL and workspaces";
    std::string numbers = in_gib(budget_.non_torch.best - budget_.temporary_bytes -
                                 budget_.transfer_bytes - budget_.others_bytes);
    const auto part = [&](std::uint64_t bytes, const char* what) {
      if (bytes != 0) {
        formula += std::string(" + ") + what;
        numbers += " + " + in_gib(bytes);
      }
    };
    part(budget_.transfer_bytes, "2 transfer buffers x tokens x bytes per token");
    part(budget_.others_bytes, "in use before the engine starts");
    part(budget_.temporary_bytes, "temporary cache");
    steps_.add_bytes("non_torch", std::move(formula),
                     numbers + " = " + in_gib(budget_.non_torch.best), budget_.non_torch.best,
                     std::string(budget_.outside_source));
  }

  void graphs() {
    if (steps_.add_measured("cuda_graphs", inputs_.measured.cuda_graphs_bytes)) {
      charged_graphs();
      return;
    }
    steps_.add_bytes("cuda_graphs",
                     settings_.graphs.piecewise
                         ? "sizes x layers x size of one + logits + piecewise graphs"
                         : "sizes x layers x size of one + logits of the largest",
                     grouped(settings_.graphs.sizes) + " sizes up to " +
                         grouped(settings_.graphs.largest) + ": " + range(budget_.cuda_graphs),
                     budget_.cuda_graphs.best,
                     std::string(constant("graph_mib_per_layer", settings_.version.number).source));
    charged_graphs();
  }

  void charged_graphs() {
    const std::uint64_t charged = budget_.cuda_graphs_charged.best;
    const bool inside = inputs_.measured.non_torch_bytes && charged == 0;
    steps_.add_bytes("cuda_graphs_charged",
                     inside         ? "0: the measured memory outside torch has the graphs in it"
                     : charged == 0 ? "0: graphs are recorded after the estimate"
                                    : "graphs are there when the estimate looks what is free",
                     in_gib(charged), charged, kEstimate);
  }

  void available() {
    if (steps_.add_measured("kv_pool", inputs_.measured.kv_pool_bytes)) {
      return;
    }
    const std::uint64_t peak = budget_.weights.best + budget_.activation.best +
                               budget_.non_torch.best + budget_.cuda_graphs_charged.best;
    steps_.add_bytes("peak", "weights + activation + non_torch + cuda_graphs_charged",
                     in_gib(budget_.weights.best) + " + " + in_gib(budget_.activation.best) +
                         " + " + in_gib(budget_.non_torch.best) + " + " +
                         in_gib(budget_.cuda_graphs_charged.best),
                     peak, kEstimate);
    std::string formula = "(total - peak) x free_gpu_memory_fraction";
    std::string numbers = "(" + in_gib(inputs_.device.total_bytes) + " - " + in_gib(peak);
    if (budget_.adds_back && budget_.temporary_bytes != 0) {
      formula = "(total - peak + temporary cache) x free_gpu_memory_fraction";
      numbers += " + " + in_gib(budget_.temporary_bytes);
    }
    numbers += ") x " + decimal(settings_.free_gpu_memory_fraction);
    if (budget_.reserve_bytes != 0) {
      formula += " - workspace for FP8 context MLA";
      numbers += " - " + in_gib(budget_.reserve_bytes);
    }
    if (settings_.max_tokens || settings_.max_gpu_total_bytes) {
      formula = "min(" + formula + ", max_tokens x bytes per token, max_gpu_total_bytes)";
    }
    steps_.add_bytes("kv_pool", std::move(formula), std::move(numbers), budget_.available.best,
                     pytorch() ? kEstimate : kRuntime);
  }

  void bytes_per_token() {
    steps_.add_bytes(
        "bytes_per_token",
        inputs_.model.latent()
            ? "layers x (kv_lora_rank + qk_rope_head_dim) x bytes a value, whole on each GPU"
            : "layers x 2 x num_key_value_heads x head_dim x bytes a value",
        grouped(plan_.bytes_per_token) + " in all; on this GPU " + grouped(budget_.cost.allocated) +
            ", counted as " + grouped(budget_.cost.estimated) + " by the estimate",
        plan_.bytes_per_token, kManager);
    if (budget_.cost.state != 0) {
      steps_.add_bytes("recurrent_states", "max_batch_size x states of one request on this GPU",
                       grouped(settings_.max_batch_size) + " x " + grouped(budget_.cost.state),
                       pools_.state_bytes, "TensorRT-LLM _torch/pyexecutor/mamba_cache_manager.py");
    }
  }

  void capacity() {
    const bool windows = pools_.pools.size() > 1;
    if (budget_.cost.allocated == 0) {
      steps_.add("blocks", "no layer caches tokens", "0", 0, "blocks", kManager);
      steps_.add("max_requests", "max_batch_size x replicas", grouped(settings_.max_batch_size),
                 static_cast<double>(plan_.max_requests.best), "requests", kManager);
      return;
    }
    for (const BlockPool& pool : pools_.pools) {
      const std::string name =
          windows ? "blocks.window_" + std::to_string(pool.window) : std::string("blocks");
      steps_.add(name,
                 windows ? "share of the window / bytes per token / tokens_per_block, rounded down"
                         : "tokens / tokens_per_block, rounded up; the least of all GPUs",
                 in_gib(pool.bytes) + ": " + grouped(pool.tokens) + " / " +
                     grouped(settings_.tokens_per_block),
                 static_cast<double>(pool.blocks), "blocks", pytorch() ? kManager : kRuntime);
    }
    if (windows) {
      steps_.add("blocks", "those of the largest window", grouped(plan_.blocks.best),
                 static_cast<double>(plan_.blocks.best), "blocks", kManager);
    }
    steps_.add("tokens", "blocks x tokens_per_block",
               grouped(plan_.blocks.best) + " x " + grouped(settings_.tokens_per_block),
               static_cast<double>(plan_.tokens.best), "tokens", kManager);
    steps_.add("max_concurrency", "tokens / max_seq_len",
               grouped(plan_.tokens.best) + " / " + grouped(plan_.max_model_len),
               plan_.max_concurrency.best, "requests", kManager);
    steps_.add("max_requests", "min(blocks / blocks of one request, max_batch_size) x replicas",
               "at " + grouped(plan_.context) + " tokens, at most " +
                   grouped(settings_.max_batch_size) + ", " + grouped(settings_.replicas()) +
                   " replica(s)",
               static_cast<double>(plan_.max_requests.best), "requests",
               "TensorRT-LLM scheduler, GUARANTEED_NO_EVICT");
  }

  const Inputs& inputs_;
  const Settings& settings_;
  const StageBudget& budget_;
  const CachePools& pools_;
  const MemoryPlan& plan_;
  StepList steps_;
};

}  // namespace

std::vector<Step> explain(const Inputs& inputs, const Settings& settings, const StageBudget& budget,
                          const CachePools& pools, const MemoryPlan& plan) {
  return StepWriter(inputs, settings, budget, pools, plan).write();
}

}  // namespace ridgepoint::engine::trtllm
