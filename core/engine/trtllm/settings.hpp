#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "engine/trtllm/version.hpp"

namespace ridgepoint::engine::trtllm {

enum class Backend : std::uint8_t {
  pytorch,
  tensorrt,  ///< an engine built by TensorRT, run in C++
};

/// How tokens are guessed ahead, as far as memory goes.
struct Speculation {
  bool enabled = false;
  bool own_layers = false;         ///< by the model's own prediction layers (MTP)
  bool one_model = false;          ///< the guessing runs in the same forward pass
  std::uint64_t draft_tokens = 0;  ///< guessed a step
};

/// The recorded CUDA graphs of decoding steps.
struct Graphs {
  std::uint64_t sizes = 0;    ///< batch sizes recorded; 0: none
  std::uint64_t largest = 0;  ///< of them
  std::vector<std::uint64_t> list;
  bool piecewise = false;  ///< prompt processing in pieces too
};

/// An engine as it will run: every option read, every default of the version and card filled in.
struct Settings {
  Version version;
  Backend backend = Backend::pytorch;
  Parallelism parallelism;
  std::uint64_t expert_ranks = 1;  ///< over which whole experts are dealt out
  bool attention_dp = false;
  double free_gpu_memory_fraction = 0.9;
  std::optional<std::uint64_t> max_tokens;
  std::optional<std::uint64_t> max_gpu_total_bytes;
  std::uint64_t tokens_per_block = 32;
  precision::Dtype dtype = precision::Dtype::bfloat16;
  precision::KvFormat kv_format = precision::KvFormat::model_dtype;
  bool state_float32 = false;
  std::vector<std::uint64_t> max_attention_window;  ///< repeated over the layers; empty: none
  std::vector<double> window_shares;                ///< of the bytes, smallest window first
  std::uint64_t max_batch_size = 0;
  std::uint64_t max_num_tokens = 0;
  std::uint64_t max_seq_len = 0;
  std::uint64_t max_beam_width = 1;
  std::uint64_t extra_tokens = 0;  ///< a request keeps room for beyond max_seq_len
  Speculation speculation;
  Graphs graphs;
  bool routed_workspace = false;   ///< experts' kernels that lay out each chosen expert's inputs
  bool wide_expert_tiles = false;  ///< experts' kernels with tiles of 256: TRTLLM and CUTEDSL
  std::optional<std::uint64_t> transfer_tokens;  ///< in a buffer for KV cache between servers
  bool dry_run = true;
  bool block_reuse = true;
  bool chunked_prefill = false;
  bool manager_v2 = false;
  bool fail_fast = false;     ///< stops when one request does not fit, instead of shortening it
  bool asked_length = false;  ///< the request says which length it is about
  std::uint64_t context = 0;  ///< the length asked about
  std::vector<std::string> assumptions;

  /// Ranks that share one request's attention: 1 where each has requests of its own.
  [[nodiscard]] std::uint64_t attention_ranks() const {
    return attention_dp ? 1 : parallelism.tensor;
  }
  /// Independent caches of a deployment.
  [[nodiscard]] std::uint64_t replicas() const {
    return parallelism.data * (attention_dp ? parallelism.tensor : 1);
  }
};

/// Reads options, version, card count and workload. Errors name `engine.args.<option>`,
/// `engine.version`, `engine.env.<name>`, `gpu.count`, `model.adapters` or `workload.context`.
/// Sources: TensorRT-LLM 0.17 to 1.3 llmapi/llm_args.py, commands/serve.py,
/// _torch/pyexecutor/py_executor_creator.py and model_engine.py.
Result<Settings> read_settings(const Inputs& inputs, const std::vector<FlagValue>& options);

/// The batch sizes that graphs are recorded for up to `largest`, with or without padding of
/// batches. Source: TensorRT-LLM 1.2 llmapi/llm_args.py, CudaGraphConfig.
std::vector<std::uint64_t> graph_sizes(std::uint64_t largest, bool padding);

}  // namespace ridgepoint::engine::trtllm
