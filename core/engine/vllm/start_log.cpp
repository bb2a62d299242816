#include "engine/vllm/start_log.hpp"

#include <algorithm>

#include "engine/log_facts.hpp"
#include "engine/vllm/log_wordings.hpp"
#include "engine/vllm/vllm.hpp"

namespace ridgepoint::engine::vllm {
namespace {

using T = LogTerm;

/// What the line of the engine's config tells of the command, and the flag it is.
constexpr SettingFlag kConfigFlags[] = {
    {"max_seq_len", "max-model-len"},
    {"tensor_parallel_size", "tensor-parallel-size"},
    {"pipeline_parallel_size", "pipeline-parallel-size"},
    {"data_parallel_size", "data-parallel-size"},
    {"enforce_eager", "enforce-eager"},
    {"kv_cache_dtype", "kv-cache-dtype"},
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
    choose_rank();
    read_terms();
    read_cache();
    read_refusal();
    read_claim();
  }

 private:
  void read_settings() {
    bool command = false;
    for (const LogSettings& list : scan_.settings) {
      if (list.wording.find("config:") != std::string_view::npos) {
        add_flags(list.settings, *out_.engine, kConfigFlags, out_);
        take_model(list.settings, "model");
      }
    }
    for (const LogSettings& list : scan_.settings) {
      const bool whole_command = list.wording.find("Namespace") != std::string_view::npos;
      if (list.wording.find("config:") == std::string_view::npos) {
        command = true;
        // A namespace lists defaults too, many of which are not the engine's.
        add_flags(list.settings, *out_.engine,
                  whole_command ? std::span<const SettingFlag>(kNamespaceFlags)
                                : std::span<const SettingFlag>(),
                  out_);
        take_model(list.settings, "model_tag");
        take_model(list.settings, "model");
      }
    }
    drop_defaults(out_.args);
    drop_model();
    const auto utilization = facts_.least(T::utilization);
    if (utilization) {
      out_.utilization = *utilization;
      if (!command && *utilization > 0 && *utilization <= 1) {
        put_flag(*out_.engine, {"gpu-memory-utilization", *utilization}, out_.args);
      }
    }
    if (const auto tokens = whole(facts_.least(T::max_num_batched_tokens)); tokens && *tokens > 0) {
      put_flag(*out_.engine, {"max-num-batched-tokens", static_cast<std::int64_t>(*tokens)},
               out_.args);
    }
    out_.gpu_count = parallel("tensor-parallel-size") * parallel("pipeline-parallel-size") *
                     parallel("data-parallel-size");
  }

  static constexpr SettingFlag kNamespaceFlags[] = {
      {"max_model_len", "max-model-len"},
      {"gpu_memory_utilization", "gpu-memory-utilization"},
      {"tensor_parallel_size", "tensor-parallel-size"},
      {"pipeline_parallel_size", "pipeline-parallel-size"},
      {"data_parallel_size", "data-parallel-size"},
      {"enable_expert_parallel", "enable-expert-parallel"},
      {"max_num_seqs", "max-num-seqs"},
      {"max_num_batched_tokens", "max-num-batched-tokens"},
      {"enforce_eager", "enforce-eager"},
      {"kv_cache_dtype", "kv-cache-dtype"},
      {"quantization", "quantization"},
      {"enable_chunked_prefill", "enable-chunked-prefill"},
      {"enable_lora", "enable-lora"},
      {"max_loras", "max-loras"},
      {"max_lora_rank", "max-lora-rank"},
      {"num_gpu_blocks_override", "num-gpu-blocks-override"},
  };
  void take_model(const std::vector<log::Setting>& settings, std::string_view name) {
    if (const std::string* model = setting_text(settings, name)) {
      out_.model = *model;
    }
  }

  /// The model is told apart from the flags.
  void drop_model() {
    out_.args.erase(std::remove_if(out_.args.begin(), out_.args.end(),
                                   [](const FlagValue& flag) { return flag.name == "model"; }),
                    out_.args.end());
  }

  [[nodiscard]] std::uint64_t parallel(std::string_view name) const {
    for (const FlagValue& flag : out_.args) {
      const auto* number = std::get_if<std::int64_t>(&flag.value);
      if (flag.name == name && number != nullptr && *number > 0 && *number < 100000) {
        return static_cast<std::uint64_t>(*number);
      }
    }
    return 1;
  }

  void choose_rank() {
    rank_ = facts_.tightest(T::kv_pool);
    out_.measured_rank = scan_.ranks.empty() ? "" : scan_.ranks[rank_];
  }

  [[nodiscard]] std::optional<double> at(LogTerm term) const { return facts_.nearest(rank_, term); }

  void read_terms() {
    const auto loaded = at(T::weights);
    const auto profiled = at(T::weights_in_profile);
    const auto weights = loaded ? loaded : profiled;
    out_.measured.weights_bytes = whole(weights);
    auto activation = at(T::activation);
    if (!activation && weights && at(T::peak_torch)) {
      activation = *at(T::peak_torch) - *weights;
    }
    out_.measured.activation_bytes = whole(activation);
    auto non_torch = at(T::non_torch);
    if (const auto consumed = at(T::consumed); consumed && weights) {
      non_torch = *consumed - *weights;
    }
    out_.measured.non_torch_bytes = whole(non_torch);
    const auto graphs = at(T::cuda_graphs);
    out_.measured.cuda_graphs_bytes = whole(graphs);
    if (graphs && *graphs < 0) {
      out_.notes.emplace_back(
          "The log prints a negative size of CUDA graphs: on memory that others use too, what they "
          "gave back meanwhile counts against it. The figure is left out.");
    }
    out_.cuda_graphs_estimated_bytes = whole(at(T::cuda_graphs_estimated));
    out_.measured.kv_pool_bytes = whole(facts_.least(T::kv_pool));
    out_.free_bytes = whole(facts_.least(T::free_at_start));
  }

  void read_cache() {
    out_.tokens = whole(facts_.least(T::tokens));
    out_.blocks = whole(facts_.least(T::blocks));
    out_.max_concurrency = facts_.least(T::max_concurrency);
  }

  void read_refusal() {
    out_.needed_bytes = whole(facts_.most(T::needed_kv));
    out_.available_bytes = whole(facts_.least(T::available_kv));
    out_.fits_tokens = whole(facts_.least(T::max_that_fits));
    if (!out_.measured.kv_pool_bytes) {
      out_.measured.kv_pool_bytes = out_.available_bytes;
    }
    if (out_.measured.kv_pool_bytes && out_.outcome == Outcome::refused && !out_.available_bytes) {
      out_.available_bytes = out_.measured.kv_pool_bytes;
    }
  }

  /// The engine prints the claim, or the two figures it is the product of. What of it is neither
  /// weights nor cache went to the profiling run.
  void read_claim() {
    out_.requested_bytes = whole(facts_.least(T::requested));
    if (!out_.requested_bytes && out_.total_bytes && out_.utilization) {
      out_.requested_bytes = whole(static_cast<double>(*out_.total_bytes) * *out_.utilization);
    }
    const Measured& m = out_.measured;
    if (!out_.requested_bytes || !m.weights_bytes || !m.kv_pool_bytes || m.activation_bytes) {
      return;
    }
    // From 0.21 on the estimate of graphs is taken off as well: only then is it printed that the
    // share counts otherwise. A log without the estimate charged none.
    const std::uint64_t taken = *m.weights_bytes + *m.kv_pool_bytes;
    if (*out_.requested_bytes > taken && !out_.cuda_graphs_estimated_bytes) {
      out_.activation_and_non_torch_bytes = *out_.requested_bytes - taken;
    }
  }

  const LogScan& scan_;
  LogFacts facts_;
  StartLog& out_;
  std::size_t rank_ = 0;
};

void conclude(const LogScan& scan, std::optional<std::uint64_t> total, StartLog& out) {
  Reader(scan, total, out).read();
}

}  // namespace

const StartLogRules& start_log_rules() {
  static const StartLogRules kRules{"vllm", log_wordings(), conclude};
  return kRules;
}

}  // namespace ridgepoint::engine::vllm
