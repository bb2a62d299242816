#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan/setups.hpp"

namespace ridgepoint::plan {

/// A setup that carries the load.
struct Found {
  std::uint64_t count = 0;
  Layout layout;
  std::size_t weight_rank = 0;  ///< place in weight_choices; 0: the checkpoint as published
  FormatChoice weights;
  FormatChoice kv;
  Steps steps;
  std::vector<engine::FlagValue> flags;  ///< set beside the request's own
  engine::MemoryPlan plan;
  speed::ClosedForms speed;
  /// Requests that the memory would hold: those of the plan; on llama.cpp, whose flags make just
  /// the slots that are asked for, with as many more as the bytes left would be, about.
  std::uint64_t capacity = 0;

  /// The setup as an edit of the request, the card apart.
  [[nodiscard]] Change change() const;
};

/// The search of one engine for one load over layouts, formats and flags.
///
/// On a card it is exhaustive in effect: it finds the first setup by (cards, weight format, place
/// in ladder(), departures of the layout, requests held, order of layouts()). With `prune` it
/// passes over what cannot be that one, by rules that change no answer:
/// 1. Least bytes. A setup whose weights and cache are more than all its cards have is not
///    computed (bounds.hpp has the proof).
/// 2. First is best. Setups are tried in the order above, the last two keys within one rung, so
///    that the first rung with a setup that carries the load ends the search of a card.
/// 3. The whole ladder at once (vLLM). Fewer tokens a step, a larger share and no graphs each only
///    shrink what is subtracted from the pool or raise what it is subtracted from, and change
///    neither the bytes of a request nor the limit of sequences: where all of them together fail
///    for want of memory, length or architecture, none of the rungs between does. It concludes
///    nothing from an error, from a start-up check of free memory, which a larger share can fail
///    alone, nor where 2,048 tokens a step could be more than the default (before 0.9, or tiny
///    lengths) or fewer than the requests.
/// 4. Speed by layout. The roofline reads weights, cache bytes and layout, which the tuning steps
///    leave alone: a layout too slow on one rung is too slow on all with that cache.
/// 5. Refused layouts. `bad_parallelism` is told before any step is read.
/// 6. Without --fit (llama.cpp, one card). It changes nothing of a start that fits the card and
///    leaves layers to the processor of one that does not, which does not count as fitting: what
///    does not start without it carries nothing with it. With several cards it also deals layers
///    out anew, and is asked.
/// Rules 1, 3 and 6 apply only to requests that free_to_bound knows.
class EngineSearch {
 public:
  /// `request` is the query's for this engine, its card left aside; it must outlive the search.
  EngineSearch(const Request& request, const Load& load, const Freedom& freedom, bool prune);

  /// The best setup on a card with one of `counts` cards (ascending); empty when none carries the
  /// load, or when the work is spent.
  std::optional<Found> best_on(const hardware::Device& device,
                               const std::vector<std::uint64_t>& counts, Work& work);

  /// How many pairs there are of a weight format and a cache format allowed on a card.
  [[nodiscard]] std::size_t format_pairs_on(const hardware::Device& device);

  /// What of one pair of formats holds the load on `count` cards: every layout that does so on the
  /// pair's first rung with one, the plainest first. Pairs are numbered by their weights, then by
  /// their cache, the smallest change first, and none depends on which others are allowed.
  std::vector<Found> holding_on(const hardware::Device& device, std::uint64_t count,
                                std::size_t pair, Work& work);

  /// Whether the slots of the engine are those of the load's concurrency, made by flags.
  [[nodiscard]] bool makes_slots() const { return setups_.makes_slots(); }

  /// The setup that serves the most of the load's requests on `count` cards, and of those the one
  /// with the fastest steps, though too few or too slowly, on the first and the last rung of the
  /// ladder; empty when nothing starts.
  std::optional<Found> nearest_on(const hardware::Device& device, std::uint64_t count, Work& work);

  /// The plan of the plainest setup on one card, to see whether the engine takes the model and the
  /// flags at all.
  Result<engine::MemoryPlan> probe(const hardware::Device& device, Work& work) {
    return setups_.probe(device, work);
  }

  /// The plan of a setup that was found, at another length.
  Result<engine::MemoryPlan> plan_at(const hardware::Device& device, const Found& found,
                                     std::uint64_t context, Work& work) {
    return setups_.plan_at(device, found.flags, found.weights, found.count, context, work);
  }

  speed::ClosedForms speed_on(const hardware::Device& device, const Found& found) {
    return setups_.speed_of_plan(device, found.weights, found.flags, found.plan);
  }

  /// Whether a plan holds all requests of the load on the cards.
  [[nodiscard]] bool holds_all(const engine::MemoryPlan& plan) const;

 private:
  /// What is known of one layout with one weight format while the ladder is climbed.
  struct LayoutState {
    bool refused = false;
    std::array<bool, 2> checked{};
    std::array<bool, 2> dead{};  ///< by cache format
    std::optional<std::uint64_t> default_batch;
  };

  /// A card's setups that differ in the layout alone.
  struct CardRung {
    const hardware::Device& device;
    const WeightOption& weights;
    const FormatChoice& kv;
    Steps steps;
    std::uint64_t count;
  };

  [[nodiscard]] bool possible(const Steps& steps) const;
  [[nodiscard]] bool allows(const Options& options, const Steps& steps) const;
  [[nodiscard]] bool batches_by_default() const;
  [[nodiscard]] bool fast_enough(const speed::ClosedForms& speed) const;
  [[nodiscard]] bool closer(const Found& a, const Found& b) const;
  /// The setups of one rung that carry the load, in the order of the layouts; none when the work is
  /// spent before the last of them.
  std::vector<Found> rung_of(const CardRung& rung, std::vector<LayoutState>& states, Work& work);
  std::optional<Found> climb(const hardware::Device& device, const Options& options,
                             const WeightOption& weights, std::uint64_t count, Work& work);
  bool worth_trying(const CardSetup& setup, std::size_t kv, LayoutState& state, Work& work);
  bool whole_ladder_fails(const CardSetup& setup, LayoutState& state, Work& work) const;
  bool spills(const CardSetup& setup, LayoutState& state, Work& work) const;
  std::optional<Found> try_setup(const CardSetup& setup, std::size_t kv, LayoutState& state,
                                 Work& work);
  Found found_of(const CardSetup& setup, Estimated made);
  std::optional<Found> finished(const hardware::Device& device, std::optional<Found> found,
                                Work& work);

  const Request& request_;
  Load load_;
  bool prune_;
  bool bounded_;
  double share_;
  Setups setups_;
  bool ladder_only_shrinks_ = false;
};

}  // namespace ridgepoint::plan
