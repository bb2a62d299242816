#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "engine/schedule.hpp"
#include "load/demand_source.hpp"
#include "load/load.hpp"
#include "result.hpp"
#include "simulate/front_end.hpp"
#include "simulate/outcome.hpp"
#include "simulate/pool.hpp"
#include "simulate/replica.hpp"
#include "simulate/tally.hpp"
#include "speed/step.hpp"

namespace ridgepoint::simulate {

/// Which replica a request goes to.
enum class Balance : std::uint8_t { in_turn, least_loaded };

/// All that a simulation goes by.
struct Inputs {
  engine::Schedule schedule;
  Pool pool;  ///< of one replica
  /// One for each replica; where there are fewer, they are shared. They outlive the simulation.
  std::vector<speed::StepTimer*> timers;
  speed::FrontEnd front_end;
  load::Load load;
  Slo slo;
  Balance balance = Balance::in_turn;
};

/// How far a simulation is.
struct Progress {
  bool done = false;
  double share = 0;  ///< of the requests, those that are over
  std::uint64_t finished = 0;
  std::uint64_t asked = 0;
  double time_s = 0;
  std::uint64_t steps = 0;
  std::uint64_t running = 0;
  std::uint64_t waiting = 0;
  double kv_share = 0;
  std::uint64_t missed = 0;  ///< requests that did not keep to the wishes, of those that count
};

/// Requests of a load served by the rules of a schedule, step by step. The same inputs give the
/// same bits in every build. Memory is bounded by the requests that run and wait.
///
/// Approximated: a step of pipeline stages stands for one batch in each of them, all alike;
/// speculation is not modelled.
class Simulation {
 public:
  /// Errors: `bad_value`, `too_many_requests`, `empty_trace` of the load (load::check), of the
  /// wishes (slo), of a schedule or pool that can run nothing (`bad_schedule`).
  static Result<std::unique_ptr<Simulation>> create(Inputs inputs);

  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  Simulation(Simulation&&) = delete;
  Simulation& operator=(Simulation&&) = delete;
  ~Simulation() = default;

  /// Goes on by that many steps, or to the end. Errors: `stalled`, `bad_step_time`; further calls
  /// give the same.
  Check advance(std::uint64_t steps);

  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] Progress progress() const;

  /// Of what ran so far.
  [[nodiscard]] Outcome outcome() const;

 private:
  struct Copy {
    std::unique_ptr<Replica> replica;
    double next_s;  ///< when its step ends, or it may start one; infinite while it has nothing
    bool runs = false;
    double idle_since = 0;
  };
  struct Ready {
    load::Demand demand;
    double ready_s = 0;
    bool counted = true;
  };

  explicit Simulation(Inputs inputs);

  /// Up to the next point at which a step ends or starts. False at the end.
  bool advance_once();
  [[nodiscard]] std::uint64_t next_copy() const;
  bool take_arrivals(double until_s);
  void accept_next();
  void read(Ready request);
  void deal_next();
  [[nodiscard]] std::uint64_t choose();
  void end_step(Copy& copy);
  void start_step(Copy& copy);
  void note_peaks();

  Inputs inputs_;
  load::DemandSource source_;
  FrontEndQueue front_end_;
  Tally tally_;
  std::vector<Copy> copies_;
  std::deque<Ready> arrived_;  ///< wait for the front end
  std::deque<Ready> ready_;    ///< the front end reads them, first those that it is done with first
  std::uint64_t accepted_ = 0;
  std::uint64_t left_out_ = 0;  ///< of the first requests
  std::uint64_t turn_ = 0;
  double last_arrival_s_ = 0;
  double now_ = 0;
  bool done_ = false;
  Check failed_;
};

}  // namespace ridgepoint::simulate
