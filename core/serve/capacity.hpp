#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plan/change.hpp"
#include "serve/bisection.hpp"
#include "serve/deployment.hpp"
#include "serve/limits.hpp"
#include "serve/remedies.hpp"

namespace ridgepoint::serve {

/// What is turned up until users' wishes are no longer met.
enum class Over : std::uint8_t {
  rate,         ///< requests a second, of an open load
  concurrency,  ///< users at once, of a closed loop
};

struct CapacityQuery {
  load::Load load;              ///< its rate or concurrency is replaced
  bool requests_given = false;  ///< false: as many as the value calls for
  simulate::Slo slo;            ///< none: the load only must not pile up
  Over over = Over::rate;
  std::uint64_t seeds = 5;  ///< how often the load is drawn anew
  double most = 0;          ///< of the value; 0: no limit but the load's own
  bool changes = true;      ///< remedies are tried as well
};

/// One value that was tried.
struct Point {
  double value = 0;
  bool meets = false;
  /// More come than are answered: the queue grows as long as the load lasts, whatever the share is.
  bool piles_up = false;
  double share_meeting = 0;
  simulate::Outcome outcome;
};

/// What a change of the setup makes of it, by running again.
struct Gain {
  Remedy remedy;
  double best = 0;
  std::uint64_t cards = 0;
};

struct CapacityAnswer {
  std::optional<double> best;  ///< the median of the seeds; empty when none of them meets any value
  double low = 0;              ///< least and most of the seeds
  double high = 0;
  std::vector<double> by_seed;  ///< 0 where not even the least value is met
  std::optional<Point> at_best;
  std::vector<Point> curve;    ///< rising values, of the first seed
  std::optional<double> knee;  ///< of the curve, where latency begins to rise faster than output
  std::optional<Limiting> limiting;  ///< of the value that just fails
  std::vector<Gain> gains;           ///< most first
  std::uint64_t runs = 0;
};

/// The largest load that a setup carries, by bisection over simulations. It advances in slices.
///
/// A rate holds when the wishes are met by their share of the requests and the load does not pile
/// up: the request that is over last was admitted within 5 % of the time after the last one came.
class Capacity {
 public:
  /// Errors: those of Deployment::make, and `bad_value` for a load that has no rate to turn.
  static Result<std::unique_ptr<Capacity>> make(plan::Request request, CapacityQuery query);

  /// Goes on by that many steps of simulations. Errors: those of a simulation.
  Check advance(std::uint64_t steps);

  [[nodiscard]] bool done() const { return phase_ == Phase::done; }
  /// How far it is, as far as one can know.
  [[nodiscard]] double share() const;
  [[nodiscard]] const CapacityAnswer& answer() const { return answer_; }
  [[nodiscard]] const Deployment& deployment() const { return *deployment_; }
  [[nodiscard]] std::string_view over_name() const {
    return query_.over == Over::rate ? "rate" : "concurrency";
  }
  /// What it is at: "seed", "curve" or "change".
  [[nodiscard]] std::string_view note() const;

 private:
  enum class Phase : std::uint8_t { seeds, curve, changes, done };

  Capacity(std::unique_ptr<Deployment> deployment, CapacityQuery query);

  [[nodiscard]] Bisection::Bounds bounds(double tolerance) const;
  [[nodiscard]] load::Load load_at(double value, std::uint64_t seed) const;
  [[nodiscard]] bool piles_up(const simulate::Outcome& outcome) const;
  [[nodiscard]] double first_guess();
  /// Whether the run cannot meet the wishes any more, and nothing but that is asked of it.
  [[nodiscard]] bool hopeless(const simulate::Progress& progress) const;
  Check start(Deployment& deployment, double value, std::uint64_t seed);
  void take(simulate::Outcome outcome);
  /// Decides what to run next and starts it, or goes to the next phase.
  Check go_on();
  Check next_of_seeds();
  Check next_of_curve();
  Check next_of_changes();
  void settle();
  void finish_curve();

  std::unique_ptr<Deployment> deployment_;
  CapacityQuery query_;
  Phase phase_ = Phase::seeds;
  CapacityAnswer answer_;
  std::unique_ptr<simulate::Simulation> running_;
  double value_ = 0;
  std::optional<Bisection> bisection_;
  std::vector<Point> known_;  ///< of the first seed, in the order tried
  std::vector<double> curve_values_;
  std::vector<Remedy> remedies_;
  std::size_t next_remedy_ = 0;
  std::unique_ptr<Deployment> changed_;
  double expected_runs_ = 1;
};

}  // namespace ridgepoint::serve
