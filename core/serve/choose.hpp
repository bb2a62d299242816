#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plan/candidate_cards.hpp"
#include "plan/recommend.hpp"
#include "serve/capacity.hpp"
#include "serve/deployment.hpp"

namespace ridgepoint::serve {

struct ChooseQuery {
  /// Cards, engines, formats, prices and ranking. Its load's concurrency is what must fit at least.
  plan::RecommendQuery search;
  load::Load load;
  simulate::Slo slo;
};

/// A setup that meets the wishes under the load, as a simulation found.
struct Chosen {
  plan::Answer answer;
  Point point;
};

struct Choice {
  std::uint64_t cards = 0;  ///< that pass the constraints
  plan::Work work;
  std::uint64_t runs = 0;
  std::uint64_t carriers = 0;
  std::vector<Chosen> answers;
  std::vector<plan::LeftOut> left_out;
  std::string none;  ///< why there is no answer; empty when there is one
};

/// The smallest number of each card, with each engine, on which a load is served within users'
/// wishes: setups that start are simulated, fewest cards first. It advances in slices.
class Choosing {
 public:
  /// Errors: `bad_value` for a load or wishes that make no sense, and those of the first engine
  /// that takes no setup at all.
  static Result<std::unique_ptr<Choosing>> make(ChooseQuery query);

  Check advance(std::uint64_t steps);
  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] double share() const;
  [[nodiscard]] const Choice& choice() const { return choice_; }
  [[nodiscard]] const ChooseQuery& query() const { return query_; }

 private:
  /// A number of one card with one engine.
  struct Place {
    std::size_t engine = 0;
    std::size_t card = 0;
    std::vector<std::uint64_t> counts;
    std::size_t next = 0;
    std::uint64_t fewest = 0;  ///< cards of the first setup that starts; 0: not known
    plan::Found smallest;      ///< that setup
  };

  explicit Choosing(ChooseQuery query);

  /// Looks for the next run a little further: at one setup, or for those of one number of cards.
  void seek();
  /// The setups of a place's next number of cards; false when there is none to look at.
  bool gather(Place& place);
  void leave(Place& place);
  /// Starts the run of a setup, unless it cannot start or is hopeless.
  void start(const Place& place, const plan::Found& found);
  [[nodiscard]] std::optional<plan::Found> replicated(const Place& place,
                                                      std::uint64_t count) const;
  [[nodiscard]] bool beaten(std::uint64_t count) const;
  void leave_out(std::size_t engine, const std::string& reason);
  void take(simulate::Outcome outcome);
  void finish();

  ChooseQuery query_;
  std::vector<plan::Card> cards_;
  std::vector<std::unique_ptr<plan::EngineSearch>> searches_;
  std::vector<Place> places_;
  std::size_t at_ = 0;
  std::vector<plan::Found> pending_;  ///< setups of the current count that were not run yet
  std::unique_ptr<Deployment> deployment_;
  std::unique_ptr<simulate::Simulation> running_;
  plan::Found trying_;
  bool found_ = false;  ///< of the current place
  Choice choice_;
  bool done_ = false;
};

}  // namespace ridgepoint::serve
