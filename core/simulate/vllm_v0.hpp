#pragma once

#include "engine/schedule.hpp"
#include "simulate/scheduler.hpp"

namespace ridgepoint::simulate {

/// vLLM's V0 scheduler without chunked prefill (0.4 to 0.7, core/scheduler.py, _schedule_default):
/// where a prompt waits and fits beside the watermark the step computes whole prompts alone; else
/// all that run compute a token, and the last of them are preempted, to be computed anew, while a
/// free block is not left for each in turn. With chunked prefill its steps are those of VllmV1.
class VllmV0 : public Scheduler {
 public:
  explicit VllmV0(const engine::Schedule& schedule) : schedule_(schedule) {}

  void plan(Replica& replica, StepPlan& plan, double seen_s) override;
  [[nodiscard]] bool refuses(std::uint64_t tokens) const override;

 private:
  void admit(Replica& replica, StepPlan& plan, double seen_s) const;

  const engine::Schedule& schedule_;
};

}  // namespace ridgepoint::simulate
