#include <algorithm>
#include <string>

#include "engine/flag_reader.hpp"
#include "engine/trtllm/flags.hpp"
#include "engine/trtllm/options.hpp"
#include "engine/trtllm/settings.hpp"
#include "engine/trtllm/trtllm.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::trtllm {
namespace {

/// The next step is planned while one runs, by default since 0.20 (llmapi/llm_args.py).
constexpr std::uint32_t kOverlaps = 20;

std::string lower(std::string text) {
  for (char& c : text) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

/// GUARANTEED_NO_EVICT unless said; its name differs by who reads it: the options' file, the
/// benchmark, the Triton backend.
Scheduler read_policy(FlagReader& flags) {
  for (const std::string_view name : {"scheduler-config.capacity-scheduler-policy",
                                      "scheduler-policy", "batch-scheduler-policy"}) {
    const auto given = flags.text(name);
    if (!given) {
      continue;
    }
    const std::string policy = lower(*given);
    if (policy == "max_utilization") {
      return Scheduler::trtllm_max_utilization;
    }
    if (policy != "guaranteed_no_evict") {
      flags.fail("unmodelled_flag", name,
                 worded({"--", name,
                         " is guaranteed_no_evict or max_utilization; other policies "
                         "are not simulated."}));
    }
  }
  return Scheduler::trtllm_no_evict;
}

}  // namespace

/// Sources: TensorRT-LLM 0.17 to 1.3 llmapi/llm_args.py, _torch/pyexecutor/scheduler.py,
/// batch_manager/capacityScheduler.cpp.
Result<Schedule> schedule(const Inputs& inputs, const MemoryPlan& plan) {
  const auto options = spread_options(inputs.args);
  if (!options) {
    return options.error();
  }
  auto settings = read_settings(inputs, options.value());
  if (!settings) {
    return settings.error();
  }
  FlagReader flags(options.value(), trtllm::flags(), settings->version.number);
  const bool pytorch = settings->backend == Backend::pytorch;
  Schedule schedule;
  schedule.scheduler = read_policy(flags);
  schedule.max_num_seqs = settings->max_batch_size;
  schedule.max_num_batched_tokens = settings->max_num_tokens;
  schedule.max_model_len = plan.max_model_len;
  schedule.block_tokens = settings->tokens_per_block;
  schedule.chunked_prefill = settings->chunked_prefill;
  schedule.prefix_caching = settings->block_reuse;
  schedule.overlapped = pytorch && settings->version.number >= kOverlaps &&
                        !flags.boolean("disable-overlap-scheduler").value_or(false);
  schedule.replicas = settings->replicas();
  schedule.stages = settings->parallelism.pipeline;
  schedule.graphs = settings->graphs.sizes != 0;
  schedule.captured = settings->graphs.list;
  std::sort(schedule.captured.begin(), schedule.captured.end());
  if (flags.error()) {
    return *flags.error();
  }
  return schedule;
}

}  // namespace ridgepoint::engine::trtllm
