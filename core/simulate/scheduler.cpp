#include "simulate/scheduler.hpp"

#include "simulate/llamacpp.hpp"
#include "simulate/sglang.hpp"
#include "simulate/trtllm.hpp"
#include "simulate/vllm_v0.hpp"
#include "simulate/vllm_v1.hpp"

namespace ridgepoint::simulate {

std::unique_ptr<Scheduler> make_scheduler(const engine::Schedule& schedule) {
  switch (schedule.scheduler) {
    case engine::Scheduler::vllm_v0:
      if (schedule.chunked_prefill) {
        return std::make_unique<VllmV1>(schedule);
      }
      return std::make_unique<VllmV0>(schedule);
    case engine::Scheduler::sglang:
      return std::make_unique<Sglang>(schedule);
    case engine::Scheduler::trtllm_no_evict:
      return std::make_unique<TrtllmNoEvict>(schedule);
    case engine::Scheduler::trtllm_max_utilization:
      return std::make_unique<TrtllmMaxUtilization>(schedule);
    case engine::Scheduler::llamacpp:
      return std::make_unique<LlamacppSlots>(schedule);
    default:
      return std::make_unique<VllmV1>(schedule);
  }
}

}  // namespace ridgepoint::simulate
