#include "simulate/scheduler.hpp"

#include "simulate/vllm_v1.hpp"

namespace ridgepoint::simulate {

std::unique_ptr<Scheduler> make_scheduler(const engine::Schedule& schedule) {
  return std::make_unique<VllmV1>(schedule);
}

}  // namespace ridgepoint::simulate
