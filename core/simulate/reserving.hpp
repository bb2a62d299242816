#pragma once

#include "engine/schedule.hpp"
#include "simulate/scheduler.hpp"

namespace ridgepoint::simulate {

/// What schedulers have in common that admit a request only where its whole output has room, and so
/// preempt nothing: all that decode compute a token in every step, and prompts share what tokens
/// are left of it, in order of admission.
class Reserving : public Scheduler {
 public:
  /// `places`: requests at once; chunks that do not end a prompt are multiples of `granule`.
  Reserving(const engine::Schedule& schedule, std::uint64_t places, std::uint64_t granule)
      : schedule_(schedule), places_(places), granule_(granule) {}

  void plan(Replica& replica, StepPlan& plan, double seen_s) override;
  [[nodiscard]] bool reserves() const override { return true; }
  [[nodiscard]] bool refuses(std::uint64_t tokens) const override;

 private:
  [[nodiscard]] std::uint64_t chunk_of(std::uint64_t remaining, std::uint64_t budget) const;

  const engine::Schedule& schedule_;
  std::uint64_t places_;
  std::uint64_t granule_;
};

}  // namespace ridgepoint::simulate
