#include "engine/vllm/report_steps.hpp"

#include <algorithm>
#include <string>

#include "cache/geometry.hpp"
#include "engine/step_list.hpp"
#include "engine/vllm/constants.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::vllm {
namespace {

/// Writes the steps; `settings` holds what went in and `plan` what came out.
class StepWriter {
 public:
  StepWriter(const Inputs& inputs, const Settings& settings, const StageBudget& budget,
             const MemoryPlan& plan, std::uint64_t requested, const BlockFacts& block)
      : inputs_(inputs),
        settings_(settings),
        budget_(budget),
        plan_(plan),
        requested_(requested),
        block_(block) {}

  std::vector<Step> write() {
    requested();
    weights();
    activation();
    rest();
    pool();
    bytes_per_token();
    capacity();
    return steps_.take();
  }

 private:
  void requested() {
    steps_.add_bytes("requested",
                     settings_.version.minor >= 14 ? "ceil(total x gpu_memory_utilization)"
                                                   : "total x gpu_memory_utilization",
                     in_gib(inputs_.device.total_bytes) + " x " +
                         decimal(settings_.gpu_memory_utilization) + " = " + in_gib(requested_),
                     requested_, "vLLM v1/worker/utils.py request_memory");
  }

  void weights() {
    if (steps_.add_measured("weights", inputs_.measured.weights_bytes)) {
      return;
    }
    std::string formula = "this GPU's tensors";
    std::string numbers;
    std::uint64_t tensors = budget_.weights.best + budget_.offloaded_bytes;
    const auto part = [&](std::uint64_t bytes, const char* name) {
      tensors -= bytes;
      if (bytes != 0) {
        formula += std::string(" + ") + name;
        numbers += " + " + in_gib(bytes);
      }
    };
    part(budget_.rope_bytes, "rope table");
    part(budget_.absorbed_bytes, "16-bit copies of W_UK and W_UV");
    part(budget_.padding_bytes, "expert padding");
    part(budget_.weights_detail.allocator_rest, "rests that the allocator does not split off");
    part(budget_.draft_bytes, "draft");
    part(budget_.lora_bytes, "LoRA slots");
    numbers = in_gib(tensors) + numbers;
    if (budget_.offloaded_bytes != 0) {
      formula += " - kept in host memory";
      numbers += " - " + in_gib(budget_.offloaded_bytes);
    }
    steps_.add_bytes(
        "weights", std::move(formula), numbers + " = " + in_gib(budget_.weights.best),
        budget_.weights.best,
        "vLLM model_executor: vocab_parallel_embedding.py, linear.py, rotary_embedding, "
        "attention/mla_attention.py");
  }

  void activation() {
    if (steps_.add_measured("activation", inputs_.measured.activation_bytes)) {
      return;
    }
    const ActivationParts& parts = budget_.parts;
    const std::string tokens = grouped(settings_.max_num_batched_tokens);
    const std::string hidden = grouped(inputs_.model.hidden_size);
    steps_.add_bytes(
        "activation.forward", "8 x tokens x hidden_size + widest layer part",
        "8 x " + tokens + " x " + hidden + " + widest = " + in_gib(parts.forward.best),
        parts.forward.best,
        "vLLM profile run (v1/worker/gpu_model_runner.py), coefficients from measured starts");
    if (parts.compile.best != 0) {
      steps_.add_bytes(
          "activation.compile",
          "embedding table of this GPU + 4 x tokens x hidden_size, on a first start",
          grouped(
              weights::vocabulary_rows(inputs_.model.vocab_size, settings_.parallelism.tensor)) +
              " x " + hidden + " x 2 + 4 x " + tokens + " x " + hidden + " = " +
              in_gib(parts.compile.best),
          parts.compile.best,
          "measured: 0.19 pipeline stage 0, 0.24, 0.28 and 0.29 starts, cold and warm");
    }
    if (parts.sampler.best != 0) {
      const std::string_view name =
          settings_.model_runner_v2 ? "sampler_bytes_per_logit_mrv2" : "sampler_bytes_per_logit";
      const Constant& per_logit = constant(name, settings_.version.minor);
      steps_.add_bytes(
          "activation.sampler", "bytes per logit x max_num_seqs x vocab_size + buffers",
          decimal(per_logit.best) + " x " + grouped(settings_.max_num_seqs) + " x " +
              grouped(inputs_.model.vocab_size) + " + buffers = " + in_gib(parts.sampler.best),
          parts.sampler.best, std::string(per_logit.source));
    }
    if (parts.persistent.best != 0) {
      steps_.add_bytes("activation.persistent", "expert workspaces and sampler state that stay",
                       in_gib(parts.persistent.best), parts.persistent.best,
                       "vLLM v1/worker/workspace.py, v1/worker/gpu/sample");
    }
    steps_.add_bytes("activation", "max(forward, compile, sampler) + persistent",
                     "max(" + in_gib(parts.forward.best) + ", " + in_gib(parts.compile.best) +
                         ", " + in_gib(parts.sampler.best) + ") + " + in_gib(parts.persistent.best),
                     budget_.activation.best,
                     "vLLM v1/worker/gpu_worker.py determine_available_memory");
  }

  void rest() {
    if (!steps_.add_measured("non_torch", inputs_.measured.non_torch_bytes)) {
      steps_.add_bytes("non_torch", "from measured starts of this version, card and parallel size",
                       in_gib(budget_.non_torch.low) + " to " + in_gib(budget_.non_torch.high),
                       budget_.non_torch.best, "measured starts");
    }
    const std::uint64_t graphs = settings_.piecewise_graphs + settings_.full_graphs;
    if (!steps_.add_measured("cuda_graphs", inputs_.measured.cuda_graphs_bytes)) {
      steps_.add_bytes("cuda_graphs", "fixed part + graphs x layers x size of one",
                       grouped(settings_.piecewise_graphs) + " piecewise + " +
                           grouped(settings_.full_graphs) + " full graphs, " +
                           grouped(budget_.stage.layers()) +
                           " layers = " + in_gib(budget_.cuda_graphs.best),
                       graphs == 0 ? 0 : budget_.cuda_graphs.best, "measured starts");
    }
    const bool charged = budget_.cuda_graphs_charged.best != 0;
    steps_.add_bytes("cuda_graphs_charged",
                     charged ? "this version subtracts its own estimate of the graphs"
                             : "this version and model runner subtract nothing for graphs",
                     in_gib(budget_.cuda_graphs_charged.best), budget_.cuda_graphs_charged.best,
                     "vLLM v1/worker/gpu_worker.py, gpu_model_runner.py profile_cudagraph_memory");
  }

  void pool() {
    if (steps_.add_measured("kv_pool", inputs_.measured.kv_pool_bytes)) {
      return;
    }
    if (settings_.kv_cache_memory_bytes) {
      steps_.add_bytes("kv_pool", "--kv-cache-memory-bytes", in_gib(plan_.kv_pool.best),
                       plan_.kv_pool.best, "vLLM v1/worker/gpu_worker.py");
      return;
    }
    steps_.add_bytes("kv_pool",
                     "requested - weights - activation - non_torch - cuda_graphs_charged",
                     in_gib(requested_) + " - " + in_gib(budget_.weights.best) + " - " +
                         in_gib(budget_.activation.best) + " - " + in_gib(budget_.non_torch.best) +
                         " - " + in_gib(budget_.cuda_graphs_charged.best),
                     plan_.kv_pool.best, "vLLM v1/worker/gpu_worker.py determine_available_memory");
  }

  /// One sum over the kinds of layers there are: count x bytes a token in one of them.
  void bytes_per_token() {
    struct Kind {
      std::string what;
      std::uint64_t bytes;
      std::uint64_t layers;
    };
    std::vector<Kind> kinds;
    const auto count = [&](std::string what, std::uint64_t bytes) {
      for (Kind& kind : kinds) {
        if (kind.what == what && kind.bytes == bytes) {
          ++kind.layers;
          return;
        }
      }
      kinds.push_back({std::move(what), bytes, 1});
    };
    bool latent = false;
    for (const model::Layer& layer : inputs_.model.layers) {
      const model::Attention& a = layer.attention;
      const std::uint64_t bytes =
          cache::layer_bytes_per_token(a, settings_.kv_format, settings_.dtype, 1);
      latent = latent || a.kind == model::AttentionKind::latent;
      if (bytes != 0) {
        count(layer_kind(a), bytes);
      }
      if (const std::uint64_t rows = cache::indexer_bytes_per_token(a); rows != 0) {
        count("indexers", rows);
      }
    }
    std::string numbers;
    for (const Kind& kind : kinds) {
      numbers += (numbers.empty() ? "" : " + ") + grouped(kind.layers) + " " + kind.what + " x " +
                 grouped(kind.bytes);
    }
    steps_.add_bytes("bytes_per_token",
                     latent ? "layers x (kv_lora_rank + qk_rope_head_dim) x bytes a value"
                            : "layers x 2 x num_key_value_heads x head_dim x bytes a value",
                     numbers.empty() ? "no layer caches tokens" : numbers, plan_.bytes_per_token,
                     latent ? "vLLM v1/kv_cache_interface.py MLAAttentionSpec"
                            : "vLLM v1/kv_cache_interface.py AttentionSpec");
    if (plan_.state_bytes_per_request != 0) {
      steps_.add_bytes("state_bytes_per_request",
                       "sum over layers of convolution and recurrent state",
                       grouped(plan_.state_bytes_per_request), plan_.state_bytes_per_request,
                       "vLLM model_executor/layers/mamba/mamba_utils.py");
    }
  }

  static std::string layer_kind(const model::Attention& a) {
    switch (a.kind) {
      case model::AttentionKind::sliding:
        return "layers with a window of " + grouped(a.window);
      case model::AttentionKind::chunked:
        return "layers with chunks of " + grouped(a.window);
      case model::AttentionKind::latent:
        return "latent layers";
      default:
        return "full layers";
    }
  }

  void capacity() {
    const std::string source = "vLLM v1/core/kv_cache_utils.py";
    if (block_.bytes != 0) {
      steps_.add_bytes(
          "bytes_per_block",
          "tokens of a block x bytes a token of this GPU's layers, groups side by side",
          grouped(plan_.block_tokens) + " tokens: " + grouped(block_.bytes), block_.bytes, source);
    }
    steps_.add("blocks",
               settings_.num_gpu_blocks_override
                   ? "--num-gpu-blocks-override"
                   : "kv_pool / bytes_per_block, rounded down, least of all "
                     "GPUs",
               in_gib(plan_.kv_pool.best) + " / " + grouped(block_.bytes) + ", blocks of " +
                   grouped(plan_.block_tokens) + " tokens",
               static_cast<double>(plan_.blocks.best), "blocks", source);
    steps_.add(
        "max_concurrency", "blocks / blocks of one request at max_model_len",
        grouped(plan_.blocks.best) + " blocks at " + grouped(plan_.max_model_len) + " tokens",
        plan_.max_concurrency.best, "requests", source);
    steps_.add("tokens",
               settings_.version.minor >= 21 ? "int(max_concurrency x max_model_len)"
                                             : "blocks / groups x block size",
               decimal(plan_.max_concurrency.best) + " x " + grouped(plan_.max_model_len),
               static_cast<double>(plan_.tokens.best), "tokens", source);
    if (block_.of_request != 0) {
      steps_.add("blocks_per_request", "blocks of all groups at the length asked about, rounded up",
                 grouped(plan_.context) + " tokens in blocks of " + grouped(plan_.block_tokens),
                 static_cast<double>(block_.of_request), "blocks", source);
    }
    steps_.add("max_requests",
               "min(blocks / blocks of one request, max_num_seqs) x data parallel size",
               "at " + grouped(plan_.context) + " tokens, at most " + grouped(plan_.max_num_seqs) +
                   " sequences, " + grouped(settings_.parallelism.data) + " replica(s)",
               static_cast<double>(plan_.max_requests.best), "requests", source);
  }

  const Inputs& inputs_;
  const Settings& settings_;
  const StageBudget& budget_;
  const MemoryPlan& plan_;
  std::uint64_t requested_;
  const BlockFacts& block_;
  StepList steps_;
};

}  // namespace

std::vector<Step> explain(const Inputs& inputs, const Settings& settings, const StageBudget& budget,
                          const MemoryPlan& plan, std::uint64_t requested,
                          const BlockFacts& block) {
  return StepWriter(inputs, settings, budget, plan, requested, block).write();
}

}  // namespace ridgepoint::engine::vllm
