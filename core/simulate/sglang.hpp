#pragma once

#include "engine/schedule.hpp"
#include "simulate/scheduler.hpp"

namespace ridgepoint::simulate {

/// SGLang's scheduler (0.4 to 0.5.17, managers/scheduler.py and schedule_policy.py, first come
/// first served): a step of prompts alone wherever one can be made, else one token of all that run.
/// A prompt is admitted where it has room with its whole output, of at most 4,096 tokens, beside a
/// share of what the running ones may still bring forth; the share falls with every decode step and
/// rises when tokens run out and requests have to be retracted. Approximated: what a retracted
/// request left in the radix cache is not found again.
class Sglang : public Scheduler {
 public:
  explicit Sglang(const engine::Schedule& schedule);

  void plan(Replica& replica, StepPlan& plan, double seen_s) override;

 private:
  /// What the prompts of one step may still take.
  struct Budget {
    double tokens;        ///< of the pool
    std::uint64_t input;  ///< max-prefill-tokens
    std::uint64_t chunk;  ///< chunked-prefill-size; none: all
  };

  void plan_prompts(Replica& replica, StepPlan& plan, double seen_s);
  void plan_decodes(Replica& replica, StepPlan& plan);
  bool go_on(Replica& replica, StepPlan& plan, Budget& budget) const;
  bool admit_next(Replica& replica, StepPlan& plan, double seen_s, Budget& budget);
  void retract(Replica& replica);
  [[nodiscard]] Budget budget_of(const Replica& replica) const;

  const engine::Schedule& schedule_;
  double first_ratio_;
  double least_ratio_;
  double decay_;
  double ratio_;
  bool full_ = false;            ///< nothing is admitted until one that runs is gone …
  std::uint64_t full_gone_ = 0;  ///< … and so many were
};

}  // namespace ridgepoint::simulate
