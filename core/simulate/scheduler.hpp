#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/schedule.hpp"
#include "simulate/request_table.hpp"

namespace ridgepoint::simulate {

class Replica;

/// Tokens of one prompt that a step computes.
struct PlannedChunk {
  Slot slot = kNone;
  std::uint64_t tokens = 0;
  std::uint64_t cached = 0;
  bool ends = false;  ///< the prompt; a token comes out
};

/// What one step computes.
struct StepPlan {
  bool decode = false;  ///< all that decode, but those in `skipped`, which are out of the set
  std::vector<PlannedChunk> chunks;
  std::vector<Slot> skipped;

  [[nodiscard]] bool empty() const { return !decode && chunks.empty(); }
  void clear() {
    decode = false;
    chunks.clear();
    skipped.clear();
  }
};

/// By which rules the requests of one replica are put into steps.
class Scheduler {
 public:
  virtual ~Scheduler() = default;

  /// Plans the next step, with the requests that arrived up to `seen_s`: takes blocks, admits and
  /// preempts. Leaves the plan empty when there is nothing to compute.
  virtual void plan(Replica& replica, StepPlan& plan, double seen_s) = 0;

  /// Requests take all of their blocks when they are admitted.
  [[nodiscard]] virtual bool reserves() const { return false; }

  /// A request of that many tokens, prompt and output, may never fit into a step.
  [[nodiscard]] virtual bool refuses(std::uint64_t /*tokens*/) const { return false; }
};

/// The rules of `schedule`, which outlives it.
std::unique_ptr<Scheduler> make_scheduler(const engine::Schedule& schedule);

}  // namespace ridgepoint::simulate
