#include "engine/sglang/start_log.hpp"

#include <algorithm>
#include <cmath>

#include "engine/log_facts.hpp"
#include "engine/sglang/log_wordings.hpp"

namespace ridgepoint::engine::sglang {
namespace {

using T = LogTerm;

/// Of the hundreds of settings that ServerArgs prints, those that move memory and that a command
/// may have given.
constexpr SettingFlag kFlags[] = {
    {"mem_fraction_static", "mem-fraction-static"},
    {"max_running_requests", "max-running-requests"},
    {"max_total_tokens", "max-total-tokens"},
    {"context_length", "context-length"},
    {"chunked_prefill_size", "chunked-prefill-size"},
    {"max_prefill_tokens", "max-prefill-tokens"},
    {"page_size", "page-size"},
    {"tp_size", "tensor-parallel-size"},
    {"pp_size", "pipeline-parallel-size"},
    {"dp_size", "data-parallel-size"},
    {"ep_size", "expert-parallel-size"},
    {"enable_dp_attention", "enable-dp-attention"},
    {"enable_dp_lm_head", "enable-dp-lm-head"},
    {"quantization", "quantization"},
    {"kv_cache_dtype", "kv-cache-dtype"},
    {"disable_radix_cache", "disable-radix-cache"},
    {"disable_overlap_schedule", "disable-overlap-schedule"},
    {"disable_cuda_graph", "disable-cuda-graph"},
    {"cuda_graph_max_bs", "cuda-graph-max-bs"},
    {"swa_full_tokens_ratio", "swa-full-tokens-ratio"},
    {"disable_hybrid_swa_memory", "disable-hybrid-swa-memory"},
    {"max_mamba_cache_size", "max-mamba-cache-size"},
    {"mamba_ssm_dtype", "mamba-ssm-dtype"},
    {"mamba_full_memory_ratio", "mamba-full-memory-ratio"},
    {"speculative_algorithm", "speculative-algorithm"},
    {"speculative_num_steps", "speculative-num-steps"},
    {"speculative_eagle_topk", "speculative-eagle-topk"},
    {"speculative_num_draft_tokens", "speculative-num-draft-tokens"},
    {"moe_a2a_backend", "moe-a2a-backend"},
    {"enable_symm_mem", "enable-symm-mem"},
    {"attention_backend", "attention-backend"},
};

class Reader {
 public:
  Reader(const LogScan& scan, std::optional<std::uint64_t> total, StartLog& out)
      : scan_(scan), facts_(scan), out_(out) {
    out_.total_bytes = whole(facts_.least(T::total));
    if (!out_.total_bytes) {
      out_.total_bytes = total;
    }
  }

  void read() {
    out_.version = facts_.version();
    read_settings();
    pools_.resize(facts_.ranks());
    for (std::size_t rank = 0; rank < facts_.ranks(); ++rank) {
      pools_[rank] = pool_of(rank);
    }
    choose_rank();
    read_terms();
    read_claim();
  }

 private:
  void read_settings() {
    for (const LogSettings& list : scan_.settings) {
      add_flags(list.settings, *out_.engine, kFlags, out_);
      if (const std::string* model = setting_text(list.settings, "model_path")) {
        out_.model = *model;
      }
    }
    drop_defaults(out_.args);
    if (!scan_.settings.empty()) {
      std::uint64_t replicas = number("data-parallel-size");
      if (flag("enable-dp-attention") != nullptr) {
        replicas = 1;  // the groups share the tensor-parallel GPUs
      }
      out_.gpu_count = number("tensor-parallel-size") * number("pipeline-parallel-size") * replicas;
    }
  }

  [[nodiscard]] const FlagValue* flag(std::string_view name) const {
    for (const FlagValue& candidate : out_.args) {
      if (candidate.name == name) {
        return &candidate;
      }
    }
    return nullptr;
  }

  [[nodiscard]] std::uint64_t number(std::string_view name) const {
    const FlagValue* found = flag(name);
    const auto* value = found == nullptr ? nullptr : std::get_if<std::int64_t>(&found->value);
    return value != nullptr && *value > 0 && *value < 100000 ? static_cast<std::uint64_t>(*value)
                                                             : 1;
  }

  /// The target's caches on one rank: one allocation, or two where windowed layers have their own.
  /// A draft's follow.
  [[nodiscard]] std::optional<double> pool_of(std::size_t rank) const {
    if (const auto both = facts_.first(rank, T::window_pool)) {
      return both;
    }
    const bool windowed = facts_.has(T::window_tokens);
    std::optional<double> pool;
    std::size_t allocations = 0;
    for (const LogFact& fact : scan_.facts) {
      if (fact.rank != rank) {
        continue;
      }
      const bool begins = fact.term == T::k_cache || fact.term == T::kv_cache;
      if (begins && ++allocations > (windowed ? 2U : 1U)) {
        break;
      }
      if (begins || fact.term == T::v_cache) {
        pool = pool.value_or(0) + fact.value;
      }
    }
    return pool;
  }

  void choose_rank() {
    std::optional<double> least;
    for (std::size_t rank = 0; rank < pools_.size(); ++rank) {
      if (pools_[rank] && (!least || *pools_[rank] < *least)) {
        least = pools_[rank];
        rank_ = rank;
      }
    }
    if (!least) {
      rank_ = facts_.tightest(T::free_after_load);
    }
    pool_ = least;
    out_.measured_rank = scan_.ranks.empty() ? "" : scan_.ranks[rank_];
  }

  /// The first on the rank: the target model's, before a draft's.
  [[nodiscard]] std::optional<double> first(LogTerm term) const {
    const auto own = facts_.first(rank_, term);
    return own ? own : facts_.first(0, term);
  }

  /// What was loaded before the pool was sized: from 0.5.13 on a draft's weights too.
  [[nodiscard]] std::optional<double> weights_before_pool() const {
    std::optional<double> sum;
    for (const LogFact& fact : scan_.facts) {
      if (fact.rank != rank_) {
        continue;
      }
      if (fact.term == T::k_cache || fact.term == T::kv_cache || fact.term == T::conv_state) {
        break;
      }
      if (fact.term == T::weights) {
        sum = sum.value_or(0) + fact.value;
      }
    }
    return sum ? sum : facts_.first(0, T::weights);
  }

  void read_terms() {
    auto weights = weights_before_pool();
    const auto before = first(T::free_before_load);
    const auto after = first(T::free_after_load);
    if (!weights && before && after) {
      weights = *before - *after;
    }
    out_.measured.weights_bytes = whole(weights);
    out_.measured.kv_pool_bytes = whole(pool_);
    auto graphs = facts_.sum(rank_, T::cuda_graphs);
    const auto graphs_before = facts_.sum(rank_, T::free_before_graphs);
    const auto graphs_after = facts_.sum(rank_, T::free_after_graphs);
    if (!graphs && graphs_before && graphs_after) {
      graphs = *graphs_before - *graphs_after;
    }
    out_.measured.cuda_graphs_bytes = whole(graphs);
    // The fraction is of what is free on the rank with the least.
    std::optional<double> pre;
    for (std::size_t rank = 0; rank < facts_.ranks(); ++rank) {
      if (const auto free = facts_.first(rank, T::free_before_load)) {
        pre = pre ? std::min(*pre, *free) : *free;
      }
    }
    out_.free_bytes = whole(pre);
    if (out_.free_bytes && out_.total_bytes && *out_.total_bytes >= *out_.free_bytes) {
      out_.measured.non_torch_bytes = *out_.total_bytes - *out_.free_bytes;
    }
    out_.tokens = whole(facts_.least(T::tokens));
    if (const auto target = first(T::tokens); target && facts_.has(T::window_tokens)) {
      out_.tokens = whole(facts_.most(T::tokens));
    }
  }

  void read_claim() {
    const FlagValue* fraction = flag("mem-fraction-static");
    const auto* given = fraction == nullptr ? nullptr : std::get_if<double>(&fraction->value);
    if (given != nullptr) {
      out_.utilization = *given;
    } else if (const auto printed = facts_.least(T::fraction)) {
      out_.utilization = *printed;
    }
    if (out_.utilization && out_.free_bytes && *out_.utilization > 0 && *out_.utilization <= 1) {
      out_.requested_bytes =
          whole(std::floor(static_cast<double>(*out_.free_bytes) * *out_.utilization));
    }
    if (facts_.has(T::unbalanced)) {
      out_.notes.emplace_back(
          "SGLang says that the memory of the GPUs is unbalanced: another process holds some of "
          "one, and every rank's pool follows the one with the least. Stop the other process.");
    }
  }

  const LogScan& scan_;
  LogFacts facts_;
  StartLog& out_;
  std::vector<std::optional<double>> pools_;
  std::optional<double> pool_;
  std::size_t rank_ = 0;
};

void conclude(const LogScan& scan, std::optional<std::uint64_t> total, StartLog& out) {
  Reader(scan, total, out).read();
}

}  // namespace

const StartLogRules& start_log_rules() {
  static const StartLogRules kRules{"sglang", log_wordings(), conclude};
  return kRules;
}

}  // namespace ridgepoint::engine::sglang
