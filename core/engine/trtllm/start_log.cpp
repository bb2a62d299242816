#include "engine/trtllm/start_log.hpp"

#include "engine/log_facts.hpp"

namespace ridgepoint::engine::trtllm {
namespace {

using T = LogTerm;

constexpr Wording kWordings[] = {
    {"TensorRT-LLM version: {w}", {T::version}, T::begins, "all", "tensorrt_llm/__init__.py"},
    {"tensorrt_llm version: {w}", {T::version}, T::none, "all", "pip"},
    {"tensorrt_llm=={w}", {T::version}, T::none, "all", "pip"},
    {"TensorRT-LLM engine args: {rest}",
     {T::settings},
     T::none,
     "1.0 and later",
     "frontends that print their settings"},
    {"max_seq_len={n}, max_num_requests={n}, max_num_tokens={n}",
     {T::max_model_len, T::none, T::max_num_batched_tokens},
     T::none,
     "0.15 and later",
     "_torch/pyexecutor/_util.py"},
    {"max_num_tokens={n}, max_batch_size={n}",
     {T::none, T::max_num_seqs},
     T::none,
     "0.20 and later",
     "_torch/pyexecutor/_util.py"},
    {"TRTGptModel maxBatchSize: {n}",
     {T::max_num_seqs},
     T::none,
     "0.8 and later, engines",
     "batch_manager/trtGptModel.h"},
    {"TRTGptModel maxNumTokens: {n}",
     {T::max_num_batched_tokens},
     T::none,
     "0.8 and later, engines",
     "batch_manager/trtGptModel.h"},
    {"TRTGptModel maxSequenceLen: {n}",
     {T::max_model_len},
     T::none,
     "0.8 and later, engines",
     "batch_manager/trtGptModel.h"},

    // The PyTorch backend's dry run.
    {"Memory used for model weights (inside torch){~}: {size}",
     {T::weights},
     T::none,
     "0.19",
     "_torch/pyexecutor/_util.py"},
    {"Memory used after loading model weights (inside torch){~}: {size}",
     {T::weights},
     T::none,
     "0.19 and later",
     "_torch/pyexecutor/_util.py"},
    {"Memory used after loading model weights (outside torch){~}: {size}",
     {T::outside_torch_at_load},
     T::none,
     "0.19 and later",
     "_torch/pyexecutor/_util.py"},
    {"Memory dynamically allocated during inference (inside torch){~}: {size}",
     {T::activation},
     T::none,
     "0.19 and later",
     "_torch/pyexecutor/_util.py"},
    {"Memory used outside torch{~}profiling: {size}",
     {T::non_torch},
     T::none,
     "0.18 and later",
     "_torch/pyexecutor/_util.py"},
    {"Peak memory during memory usage profiling (torch + non-torch): {size}",
     {T::peak},
     T::none,
     "0.17 and later",
     "_torch/pyexecutor/_util.py"},
    {"available KV cache memory when calculating max tokens: {size}",
     {T::kv_estimated},
     T::none,
     "0.17 and later",
     "_torch/pyexecutor/_util.py"},
    {"fraction is set {n}", {T::fraction}, T::none, "0.19 and later", "_torch/pyexecutor/_util.py"},
    {"kv size is {n}", {T::bytes_per_token}, T::none, "0.19 to 1.1", "_torch/pyexecutor/_util.py"},
    {"kv size per token is {n}",
     {T::bytes_per_token},
     T::none,
     "1.2 and later",
     "_torch/pyexecutor/_util.py"},
    {"device total memory {size}",
     {T::total},
     T::none,
     "0.20 and later",
     "_torch/pyexecutor/_util.py"},
    {"tmp kv_mem {size}", {T::temporary_kv}, T::none, "1.0 and 1.1", "_torch/pyexecutor/_util.py"},
    {"temporary kv cache memory during profiling {size}",
     {T::temporary_kv},
     T::none,
     "1.2 and later",
     "_torch/pyexecutor/_util.py"},
    {"Estimated max memory in KV cache : {size}",
     {T::kv_pool},
     T::none,
     "1.0 and later",
     "_torch/pyexecutor/_util.py"},
    {"Estimated max tokens in KV cache : {n}",
     {T::tokens},
     T::none,
     "0.17 to 1.0",
     "_torch/pyexecutor/_util.py"},

    // The runtime in C++, both backends.
    {"Loaded engine size: {size}", {T::engine_size}, T::none, "all, engines", "TensorRT"},
    {"Allocated {size} for execution context memory",
     {T::execution_context},
     T::none,
     "0.8 and later, engines",
     "runtime/tllmRuntime.cpp"},
    {"Allocated {size} GPU memory for runtime buffers",
     {T::runtime_buffers},
     T::none,
     "0.10 and later, engines",
     "batch_manager/trtGptModelInflightBatching.cpp"},
    {"Allocated {size} GPU memory for decoder",
     {T::decoder_buffers},
     T::none,
     "0.10 and later, engines",
     "batch_manager/trtGptModelInflightBatching.cpp"},
    {"Memory usage when calculating max tokens in paged kv cache: total: {size}, available: {size}",
     {T::total, T::free_for_kv},
     T::none,
     "0.10 and later",
     "batch_manager/kvCacheManager.cpp"},
    {"Number of blocks in KV cache primary pool: {n}",
     {T::blocks},
     T::none,
     "0.10 to 0.19",
     "batch_manager/kvCacheManager.cpp"},
    {"Max KV cache blocks per sequence: {n} [window size={n}], tokens per block={n}, primary "
     "blocks={n}",
     {T::none, T::none, T::block_tokens, T::blocks},
     T::none,
     "0.20 and later",
     "batch_manager/kvCacheManager.cpp"},
    {"Number of tokens per block: {n}",
     {T::block_tokens},
     T::none,
     "all",
     "batch_manager/kvCacheManager.cpp"},
    {"Allocated {size} for max tokens in paged KV cache ({n})",
     {T::kv_allocated, T::cells},
     T::none,
     "0.9 and later",
     "batch_manager/kvCacheManager.cpp"},
    {"Allocated {n} bytes for max tokens in paged KV cache ({n})",
     {T::kv_allocated, T::cells},
     T::none,
     "0.8",
     "batch_manager/kvCacheManager.cpp"},

    {"Engine loaded and ready to serve", {}, T::started, "all", "frontends"},
    {"Executor instance created by worker", {}, T::started, "0.10 and later", "executor/worker.py"},
    {"CUDA runtime error in ::cudaMalloc", {}, T::out_of_memory, "all", "common/cudaUtils.h"},
    {"Failed to create cublas handle", {}, T::out_of_memory, "all", "common/opUtils.cpp"},
    {"Impossible to fit in any sequence in kvCache",
     {},
     T::refused,
     "0.9 and later",
     "batch_manager/kvCacheManager.cpp"},
    {"Executor worker returned error", {}, T::failed, "0.10 and later", "executor/proxy.py"},
};

constexpr SettingFlag kFlags[] = {
    {"tensor_parallel_size", "tensor-parallel-size"},
    {"pipeline_parallel_size", "pipeline-parallel-size"},
    {"moe_expert_parallel_size", "moe-expert-parallel-size"},
    {"enable_attention_dp", "enable-attention-dp"},
    {"max_batch_size", "max-batch-size"},
    {"max_num_tokens", "max-num-tokens"},
    {"max_seq_len", "max-seq-len"},
    {"free_gpu_memory_fraction", "free-gpu-memory-fraction"},
};

class Reader {
 public:
  Reader(const LogScan& scan, std::optional<std::uint64_t> total, StartLog& out)
      : facts_(scan), scan_(scan), out_(out) {
    out_.total_bytes = whole(facts_.least(T::total));
    if (!out_.total_bytes) {
      out_.total_bytes = total;
    }
  }

  void read() {
    out_.version = facts_.text(T::version);
    read_settings();
    // The first allocation is the dry run's own cache: the last on each rank is the pool.
    pool_term_ = facts_.has(T::kv_pool)        ? T::kv_pool
                 : facts_.has(T::kv_estimated) ? T::kv_estimated
                                               : T::kv_allocated;
    rank_ = facts_.tightest(pool_term_);
    out_.measured_rank = scan_.ranks.empty() ? "" : scan_.ranks[rank_];
    out_.measured.kv_pool_bytes = whole(facts_.least(pool_term_));
    engine_ ? read_engine() : read_dry_run();
    read_cache();
  }

 private:
  void read_settings() {
    engine_ = facts_.has(T::engine_size) || facts_.has(T::execution_context);
    for (const LogSettings& list : scan_.settings) {
      add_flags(list.settings, *out_.engine, kFlags, out_);
      if (const std::string* model = setting_text(list.settings, "model")) {
        out_.model = *model;
      }
    }
    put(T::max_num_seqs, "max-batch-size");
    put(T::max_num_batched_tokens, "max-num-tokens");
    if (engine_) {
      put(T::max_model_len, "max-seq-len");
      put_flag(*out_.engine, {"backend", std::string("tensorrt")}, out_.args);
    }
    if (const auto fraction = facts_.least(T::fraction); fraction && *fraction > 0) {
      // Printed as the nearest single-precision number: 0.8999999761581421.
      const double rounded = static_cast<double>(static_cast<std::int64_t>(*fraction * 1e6 + 0.5));
      out_.utilization = rounded / 1e6;
      put_flag(*out_.engine, {"free-gpu-memory-fraction", *out_.utilization}, out_.args);
    }
    count_gpus();
    drop_defaults(out_.args);
  }

  void put(LogTerm term, std::string_view flag) {
    if (const auto value = whole(facts_.most(term)); value && *value > 0) {
      put_flag(*out_.engine, {std::string(flag), static_cast<std::int64_t>(*value)}, out_.args);
    }
  }

  void count_gpus() {
    std::uint64_t count = 1;
    bool said = false;
    for (const FlagValue& flag : out_.args) {
      const auto* number = std::get_if<std::int64_t>(&flag.value);
      if ((flag.name == "tensor-parallel-size" || flag.name == "pipeline-parallel-size") &&
          number != nullptr && *number > 0 && *number < 100000) {
        count *= static_cast<std::uint64_t>(*number);
        said = true;
      }
    }
    if (said) {
      out_.gpu_count = count;
    }
  }

  void read_dry_run() {
    out_.measured.weights_bytes = whole(facts_.nearest(rank_, T::weights));
    out_.measured.activation_bytes = whole(facts_.nearest(rank_, T::activation));
    out_.measured.non_torch_bytes = whole(facts_.nearest(rank_, T::non_torch));
  }

  /// What an engine's log gives apart: the rest of the card that is not free lies outside.
  void read_engine() {
    const auto weights = facts_.nearest(rank_, T::engine_size);
    const auto context = facts_.nearest(rank_, T::execution_context);
    out_.measured.weights_bytes = whole(weights);
    out_.measured.activation_bytes = whole(context);
    const auto free = facts_.nearest(rank_, T::free_for_kv);
    out_.free_bytes = whole(free);
    if (weights && context && free && out_.total_bytes) {
      out_.measured.non_torch_bytes =
          whole(static_cast<double>(*out_.total_bytes) - *free - *weights - *context);
    }
  }

  void read_cache() {
    std::optional<double> tokens = facts_.least(T::cells);
    out_.tokens = whole(tokens ? tokens : facts_.least(T::tokens));
    out_.blocks = whole(facts_.least(T::blocks));
  }

  LogFacts facts_;
  const LogScan& scan_;
  StartLog& out_;
  LogTerm pool_term_ = T::kv_pool;
  std::size_t rank_ = 0;
  bool engine_ = false;
};

void conclude(const LogScan& scan, std::optional<std::uint64_t> total, StartLog& out) {
  Reader(scan, total, out).read();
}

}  // namespace

const StartLogRules& start_log_rules() {
  static const StartLogRules kRules{"trtllm", kWordings, conclude};
  return kRules;
}

}  // namespace ridgepoint::engine::trtllm
