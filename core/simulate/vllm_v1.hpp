#pragma once

#include "engine/schedule.hpp"
#include "simulate/scheduler.hpp"

namespace ridgepoint::simulate {

/// vLLM's V1 scheduler (0.8 to 0.28, v1/core/sched/scheduler.py, schedule): all that run first, in
/// order of admission; where no block is free the last of them is preempted and goes to the front
/// of the queue, to be computed anew. Then, if none was, those that wait, while tokens and places
/// are left; one is admitted when its whole prompt has room beside the watermark, though it is
/// computed in chunks, and no other overtakes the first.
class VllmV1 : public Scheduler {
 public:
  explicit VllmV1(const engine::Schedule& schedule) : schedule_(schedule) {}

  void plan(Replica& replica, StepPlan& plan, double seen_s) override;
  [[nodiscard]] bool refuses(std::uint64_t tokens) const override;

 private:
  [[nodiscard]] std::uint64_t chunk_of(std::uint64_t remaining, std::uint64_t budget) const;
  bool run_all(Replica& replica, StepPlan& plan, std::uint64_t& budget);
  bool run_in_order(Replica& replica, StepPlan& plan, std::uint64_t& budget) const;
  void admit(Replica& replica, StepPlan& plan, double seen_s, std::uint64_t budget) const;

  const engine::Schedule& schedule_;
  std::vector<std::uint64_t> chunks_;  ///< of those that are being computed
};

}  // namespace ridgepoint::simulate
