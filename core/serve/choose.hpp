#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "load/mean_lengths.hpp"
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
  std::uint64_t seeds = 5;  ///< how often the load is drawn anew, as for a capacity
};

/// A setup that carries the load: it meets the wishes on the first draw of the load, and on all
/// draws but one at least, as simulations found.
struct Chosen {
  plan::Answer answer;
  Point point;     ///< of the first draw
  double low = 0;  ///< least and most share of the requests that meet the wishes, of the draws
  double high = 0;
  std::vector<double> by_seed;
};

struct Choice {
  std::uint64_t cards = 0;  ///< that pass the constraints
  plan::Work work;
  std::uint64_t runs = 0;
  std::uint64_t carriers = 0;
  std::vector<Chosen> answers;
  std::vector<plan::LeftOut> left_out;
  std::string none;                ///< why there is no answer; empty when there is one
  std::vector<std::string> notes;  ///< what an answer means, in sentences
};

/// The smallest number of each card, with each engine, on which a load is served within users'
/// wishes: setups that start are simulated, fewest cards first. Of one number of cards every pair
/// of formats is tried, whatever the others do, so that a format more to choose from never costs
/// cards; the first setup that carries the load is taken, those with the smallest changes going
/// first, but where headroom ranks them: there the one of them with the most. What cannot carry the
/// load by the closed forms is not simulated. It advances in slices.
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
  /// Searches of one engine: one, but of an engine whose slots flags make (llama.cpp) one for each
  /// number of slots, rising.
  struct Searches {
    std::vector<std::uint64_t> slots;
    std::vector<std::unique_ptr<plan::EngineSearch>> of_slots;
  };

  /// The fewest cards on which a pair of formats starts.
  struct Smallest {
    std::size_t pair = 0;
    plan::Found found;
  };

  /// One card with one engine, and how far it has been searched.
  struct Place {
    std::size_t engine = 0;
    std::size_t card = 0;
    std::vector<std::uint64_t> counts;
    std::size_t count = 0;  ///< what is to be looked at next, as the next two
    std::size_t pair = 0;
    std::size_t slots = 0;
    bool starts = false;
    bool beaten = false;
    std::vector<Smallest> smallest;
    std::vector<std::size_t> dead;  ///< pairs of formats that more cards do not help
  };

  explicit Choosing(ChooseQuery query);

  Check add_engine(std::size_t engine);
  /// Looks for the next run a little further: at one setup, or for those of one pair of formats.
  void seek();
  /// The setups of a place's next pair of formats and number of slots; false when there is none.
  bool gather(Place& place);
  /// What of the setups of one pair of formats and number of cards is worth a run.
  [[nodiscard]] std::vector<plan::Found> likely(const Place& place,
                                                std::vector<plan::Found> all) const;
  /// Goes to the next pair of formats, and after the last to the next number of cards.
  static void next_pair(Place& place, std::size_t pairs);
  /// Whether more cards only make room, for they take their parts of a step in turn (llama.cpp).
  [[nodiscard]] bool in_turn(const Place& place) const;
  /// Whether the place goes on to that number of cards.
  bool goes_on(Place& place);
  void leave(Place& place);
  /// Starts the run of a setup, unless it cannot start or is hopeless.
  void start(Place& place, plan::Found found);
  [[nodiscard]] Result<std::unique_ptr<Deployment>> deployed(const Place& place,
                                                             const plan::Found& found) const;
  [[nodiscard]] bool hopeless(Deployment& deployment, Place& place) const;
  [[nodiscard]] bool missed_too_many() const;
  Check draw();
  [[nodiscard]] std::optional<plan::Found> replicated(const Place& place, std::size_t pair,
                                                      std::uint64_t count) const;
  [[nodiscard]] bool beaten(std::uint64_t count) const;
  void leave_out(std::size_t engine, const std::string& reason);
  Check take(simulate::Outcome outcome);
  void accept();
  [[nodiscard]] bool before(const Chosen& a, const Chosen& b) const;
  void finish();

  ChooseQuery query_;
  std::vector<plan::Card> cards_;
  double asked_rate_ = 0;  ///< requests a second of an open load
  load::MeanLengths mean_;
  std::vector<Searches> searches_;  ///< of each engine
  std::vector<Place> places_;
  std::size_t at_ = 0;
  std::vector<plan::Found> pending_;  ///< setups of what was looked at last that were not run yet
  std::unique_ptr<Deployment> deployment_;
  std::unique_ptr<simulate::Simulation> running_;
  plan::Found trying_;
  Point first_draw_;             ///< of the setup that is tried, as the next
  std::vector<double> by_seed_;  ///< shares of the requests that meet the wishes
  std::uint64_t missed_ = 0;     ///< draws on which the wishes are not met
  std::optional<Chosen> found_;  ///< of the current place
  Choice choice_;
  bool done_ = false;
};

}  // namespace ridgepoint::serve
