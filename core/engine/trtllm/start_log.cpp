#include "engine/trtllm/start_log.hpp"

#include <cmath>

#include "engine/log_facts.hpp"
#include "engine/trtllm/log_wordings.hpp"

namespace ridgepoint::engine::trtllm {
namespace {

using T = LogTerm;

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
    out_.version = facts_.version();
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
      const double rounded = std::round(*fraction * 1e6);
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
  static const StartLogRules kRules{"trtllm", log_wordings(), conclude};
  return kRules;
}

}  // namespace ridgepoint::engine::trtllm
