#include <algorithm>

#include "engine/flag_reader.hpp"
#include "engine/vllm/settings.hpp"
#include "engine/vllm/vllm.hpp"

namespace ridgepoint::engine::vllm {
namespace {

constexpr double kV0Watermark = 0.01;  ///< core/block_manager.py, SelfAttnBlockSpaceManager
constexpr double kLongPrompt = 0.04;   ///< of the maximum length (config.py, SchedulerConfig)
constexpr std::uint64_t kUsualBlock = 16;
constexpr std::uint64_t kMostTokens = 1ULL << 32U;

/// On by default in V1, but for models with states before 0.28 (config/vllm.py); V0 asks for it.
bool caches_prefixes(const Inputs& inputs, const Settings& settings, FlagReader& flags) {
  const bool usual = settings.era.v1 && !inputs.model.encoder_only &&
                     (!inputs.model.stateful() || settings.version.minor >= 28);
  return flags.boolean("enable-prefix-caching").value_or(usual);
}

/// The most of one prompt in a step: a long one is cut to it where several are computed at once
/// (v1/core/sched/scheduler.py, long_prefill_token_threshold). 0: the step's.
std::uint64_t long_prompt_tokens(const MemoryPlan& plan, FlagReader& flags) {
  const std::uint64_t given =
      flags.whole("long-prefill-token-threshold", 0, kMostTokens).value_or(0);
  const std::uint64_t at_once = flags.whole("max-num-partial-prefills", 1, kMostTokens).value_or(1);
  if (given != 0 || at_once == 1) {
    return given;
  }
  return static_cast<std::uint64_t>(static_cast<double>(plan.max_model_len) * kLongPrompt);
}

/// HTTP processes: since 0.15 one a replica (entrypoints/cli/serve.py, pull request 32525).
std::uint64_t api_servers(const Settings& settings, FlagReader& flags) {
  constexpr std::uint64_t kMost = 1024;
  const std::uint64_t usual = settings.version.minor >= 15 ? settings.parallelism.data : 1;
  return flags.whole("api-server-count", 1, kMost).value_or(usual);
}

}  // namespace

/// Sources: vLLM 0.6 to 0.28 engine/arg_utils.py, config/scheduler.py, v1/core/sched/scheduler.py.
Result<Schedule> schedule(const Inputs& inputs, const MemoryPlan& plan) {
  auto settings = read_settings(inputs);
  if (!settings) {
    return settings.error();
  }
  FlagReader flags(inputs.args, vllm::flags(), settings->version.minor);
  const bool v1 = settings->era.v1;
  Schedule schedule;
  schedule.scheduler = v1 ? Scheduler::vllm_v1 : Scheduler::vllm_v0;
  // V0 has a scheduler for each stage (engine/llm_engine.py), V1 one whose batches are in flight.
  schedule.max_num_seqs = settings->max_num_seqs * (v1 ? 1 : settings->parallelism.pipeline);
  schedule.max_num_batched_tokens =
      std::min(settings->max_num_batched_tokens,
               flags.whole("max-num-scheduled-tokens", 1, kMostTokens).value_or(kMostTokens));
  schedule.max_model_len = plan.max_model_len;
  schedule.block_tokens = plan.block_tokens != 0 ? plan.block_tokens : kUsualBlock;
  schedule.chunked_prefill = settings->chunked_prefill;
  schedule.chunk_tokens = v1 ? long_prompt_tokens(plan, flags) : 0;
  schedule.mixed = v1 || settings->chunked_prefill;
  schedule.prefix_caching = caches_prefixes(inputs, settings.value(), flags);
  schedule.overlapped = v1 && settings->async_scheduling;
  schedule.watermark = v1 ? flags.number("watermark", 0, 0.99).value_or(0) : kV0Watermark;
  schedule.replicas = settings->parallelism.data;
  schedule.front_ends = v1 ? api_servers(settings.value(), flags) : 1;
  schedule.stages = settings->parallelism.pipeline;
  schedule.graphs = settings->max_capture_size != 0;
  schedule.captured = settings->capture_sizes;
  std::sort(schedule.captured.begin(), schedule.captured.end());
  if (flags.error()) {
    return *flags.error();
  }
  return schedule;
}

}  // namespace ridgepoint::engine::vllm
