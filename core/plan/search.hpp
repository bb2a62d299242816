#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plan/bounds.hpp"
#include "plan/layouts.hpp"
#include "plan/weight_choice.hpp"

namespace ridgepoint::plan {

/// What must be carried: requests of a length at once, in seconds if that matters.
struct Load {
  std::uint64_t context = 0;
  std::uint64_t concurrency = 1;
  std::optional<double> ttft_s;  ///< of the best guess, as the next
  std::optional<double> tpot_s;
};

/// What a search may change beside the cards.
struct Freedom {
  std::vector<std::string> weight_formats;  ///< names of weight_choices; empty: all
  std::vector<std::string> kv_formats;      ///< names of kv_choices; empty: all
  bool pipeline = true;
  bool tune = true;  ///< smaller batches, more of the memory, no CUDA graphs
};

/// Steps away from the engine's defaults, the smallest change first. All are taken only where the
/// same number of cards does not do without them.
struct Steps {
  bool small_cache = false;  ///< an 8-bit KV cache
  bool batched = false;      ///< 2,048 tokens of one step
  bool share = false;        ///< 0.95 of the memory
  bool no_graphs = false;

  [[nodiscard]] std::uint32_t count() const {
    return (small_cache ? 1U : 0U) + (batched ? 1U : 0U) + (share ? 1U : 0U) +
           (no_graphs ? 1U : 0U);
  }
};

/// All sixteen sets of steps in the order in which they are tried: fewest first, and of as many the
/// one whose steps come first in Steps.
const std::array<Steps, 16>& ladder();

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
  speed::Speed speed;
  /// Requests that the memory would hold: those of the plan, or on llama.cpp, whose flags make
  /// just the slots that are asked for, those of as many slots as fit.
  std::uint64_t capacity = 0;

  /// The setup as an edit of the request, the card apart.
  [[nodiscard]] Change change() const;
};

/// A counter of work with an end, so that no query can ask for hours.
struct Work {
  std::uint64_t setups = 0;     ///< combinations looked at, those passed over too
  std::uint64_t estimates = 0;  ///< plans computed
  std::uint64_t most_estimates = 60000;

  [[nodiscard]] bool spent() const { return estimates >= most_estimates; }
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
/// Rules 1 and 3 apply only to requests that free_to_bound knows.
class EngineSearch {
 public:
  /// `request` is the query's for this engine, its card left aside; it must outlive the search.
  EngineSearch(const Request& request, const Load& load, const Freedom& freedom, bool prune);
  ~EngineSearch();
  EngineSearch(const EngineSearch&) = delete;
  EngineSearch& operator=(const EngineSearch&) = delete;

  /// The best setup on a card with one of `counts` cards (ascending); empty when none carries the
  /// load, or when the work is spent.
  std::optional<Found> best_on(const hardware::Device& device,
                               const std::vector<std::uint64_t>& counts, Work& work);

  /// The setup that serves the most of the load's requests on `count` cards, and of those the one
  /// with the fastest steps, though too few or too slowly, on the first and the last rung of the
  /// ladder; empty when nothing starts.
  std::optional<Found> nearest_on(const hardware::Device& device, std::uint64_t count, Work& work);

  /// The plan of the plainest setup on one card, to see whether the engine takes the model and the
  /// flags at all.
  Result<engine::MemoryPlan> probe(const hardware::Device& device, Work& work);

  /// The plan of a setup that was found, at another length.
  Result<engine::MemoryPlan> plan_at(const hardware::Device& device, const Found& found,
                                     std::uint64_t context, Work& work);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ridgepoint::plan
