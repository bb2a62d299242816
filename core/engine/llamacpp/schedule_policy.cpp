#include "engine/flag_reader.hpp"
#include "engine/llamacpp/flags.hpp"
#include "engine/llamacpp/llamacpp.hpp"
#include "engine/llamacpp/settings.hpp"

namespace ridgepoint::engine::llamacpp {

/// Sources: llama.cpp tools/server/server.cpp, common/arg.cpp, ggml/src/ggml-cuda/ggml-cuda.cu
/// (graphs of one token alone) at the builds in core/data/llamacpp_constants.json. Every stage is
/// passed in turn, so that there is one.
Result<Schedule> schedule(const Inputs& inputs, const MemoryPlan& plan) {
  auto settings = read_settings(inputs);
  if (!settings) {
    return settings.error();
  }
  FlagReader flags(inputs.args, llamacpp::flags(), settings->version.build);
  Schedule schedule;
  schedule.scheduler = Scheduler::llamacpp;
  schedule.max_num_seqs = settings->parallel;
  schedule.slots = settings->parallel;
  schedule.max_num_batched_tokens = settings->batch;
  schedule.max_model_len = plan.max_model_len;
  schedule.block_tokens = 1;
  schedule.prefix_caching = flags.boolean("cache-prompt").value_or(true);
  schedule.overlapped = false;
  schedule.graphs = true;
  schedule.captured = {1};
  if (flags.error()) {
    return *flags.error();
  }
  return schedule;
}

}  // namespace ridgepoint::engine::llamacpp
