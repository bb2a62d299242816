#include <algorithm>

#include "engine/flag_reader.hpp"
#include "engine/sglang/flags.hpp"
#include "engine/sglang/settings.hpp"
#include "engine/sglang/sglang.hpp"

namespace ridgepoint::engine::sglang {
namespace {

/// What attention by groups makes of the conservativeness (server_args.py).
constexpr double kByGroups = 0.3;
constexpr std::uint64_t kMostFrontEnds = 1024;

}  // namespace

/// Sources: SGLang 0.4.0 to 0.5.17 server_args.py, managers/scheduler.py.
Result<Schedule> schedule(const Inputs& inputs, const MemoryPlan& plan) {
  auto settings = read_settings(inputs);
  if (!settings) {
    return settings.error();
  }
  FlagReader flags(inputs.args, sglang::flags(), settings->version.number);
  Schedule schedule;
  schedule.scheduler = Scheduler::sglang;
  schedule.max_num_seqs = plan.max_num_seqs;
  schedule.max_num_batched_tokens = plan.max_num_batched_tokens;
  schedule.max_model_len = plan.max_model_len;
  schedule.block_tokens = settings->page_size;
  schedule.chunked_prefill = settings->chunk != 0;
  schedule.mixed = flags.boolean("enable-mixed-chunk").value_or(false) && settings->chunk != 0;
  schedule.prefix_caching = settings->radix_cache;
  schedule.overlapped = settings->overlap;
  schedule.conservativeness = flags.number("schedule-conservativeness", 0, 100).value_or(1) *
                              (settings->data_parallel_attention ? kByGroups : 1);
  schedule.replicas = settings->parallelism.data;
  schedule.stages = settings->parallelism.pipeline;
  schedule.front_ends = flags.whole("tokenizer-worker-num", 1, kMostFrontEnds).value_or(1);
  schedule.graphs = !settings->decode_graphs.empty();
  schedule.captured = settings->decode_graphs;
  std::sort(schedule.captured.begin(), schedule.captured.end());
  if (flags.error()) {
    return *flags.error();
  }
  return schedule;
}

}  // namespace ridgepoint::engine::sglang
