#pragma once

#include <memory>
#include <vector>

#include "engine/schedule.hpp"
#include "load/load.hpp"
#include "plan/fit.hpp"
#include "simulate/simulation.hpp"
#include "speed/step_model.hpp"

namespace ridgepoint::serve {

/// A setup that starts, with all that a load needs of it: the engine's pool and schedule, and the
/// times of its steps. It stays where it is: simulations refer to it.
class Deployment {
 public:
  /// Errors: the engine's; `does_not_serve` with the verdict where it does not start;
  /// `speed_unknown` where the card's bandwidth or peak is not known, or the processor computes a
  /// part of the model; `no_cache` where nothing is generated (encoders).
  static Result<std::unique_ptr<Deployment>> make(plan::Request request);

  /// The same as one would start it to serve that load. It differs for an engine that makes its
  /// cache for the slots and length that flags say (llama.cpp), where no flag says the length: each
  /// slot has room for the load's longest request, or for the length asked about where that is
  /// more. Where that does not start, or the processor would have to compute a part of it, the
  /// slots share the room of one request.
  static Result<std::unique_ptr<Deployment>> serving(plan::Request request, const load::Load& load);

  Deployment(const Deployment&) = delete;
  Deployment& operator=(const Deployment&) = delete;
  Deployment(Deployment&&) = delete;
  Deployment& operator=(Deployment&&) = delete;
  ~Deployment() = default;

  /// What simulates a load on it. The load is copied; the deployment must outlive the simulation.
  simulate::Inputs inputs(const load::Load& load, const simulate::Slo& slo);

  [[nodiscard]] const plan::Request& request() const { return request_; }
  [[nodiscard]] const plan::Report& report() const { return report_; }
  [[nodiscard]] const engine::MemoryPlan& memory() const { return report_.memory; }
  [[nodiscard]] const engine::Schedule& schedule() const { return schedule_; }
  [[nodiscard]] const simulate::Pool& pool() const { return pool_; }
  [[nodiscard]] speed::KernelTimer& timer() { return *timer_; }
  [[nodiscard]] const speed::KernelTimer& timer() const { return *timer_; }
  /// Of all replicas.
  [[nodiscard]] std::uint64_t cards() const;

  /// Requests a second that it can be expected to answer, each of that many tokens; a first guess.
  double expected_rate(double input_tokens, double output_tokens);
  /// The same of that many requests at once, whatever the slots and the pool hold.
  double rate_of_batch(double batch, double input_tokens, double output_tokens);
  /// What the step of a request takes that is alone and at its start: no token takes less.
  double shortest_step_s();

 private:
  explicit Deployment(plan::Request request) : request_(std::move(request)) {}

  plan::Request request_;
  std::vector<model::Tensor> tensors_;
  plan::Report report_;
  engine::Schedule schedule_;
  simulate::Pool pool_;
  std::optional<speed::KernelTimer> timer_;
};

}  // namespace ridgepoint::serve
