#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/search.hpp"

namespace ridgepoint::plan {

enum class RankBy : std::uint8_t { cards, price, headroom };

/// Which cards, how many, and what of the setup may change.
struct Constraints {
  std::vector<std::string> gpus;     ///< ids of known cards; empty: all
  std::vector<std::string> vendors;  ///< empty: all
  /// A card passes with a size on its box of at least this, counted in GiB, so that a card of
  /// 80 GB is one of 80 GiB …
  std::uint64_t min_card_bytes = 0;
  std::uint64_t max_card_bytes = ~std::uint64_t{0};  ///< … and of at most this as its driver says
  std::vector<std::uint64_t> counts;                 ///< rising, each once, not none
  bool link = false;  ///< several cards only where they have a link of their own beside PCIe
  Freedom freedom;
  std::optional<double> budget_per_hour;  ///< of all cards; only priced cards count then
};

/// What one card costs by the hour.
struct PriceOf {
  std::string id;
  double per_hour = 0;
};

struct RecommendQuery {
  /// The same model and workload once for each engine; the cards in them are left aside. The
  /// workload has a context, and a concurrency that is the load's.
  std::vector<Request> engines;
  Load load;
  Constraints constraints;
  std::vector<PriceOf> prices;
  RankBy rank_by = RankBy::cards;
  std::size_t limit = 20;
  bool prune = true;                ///< false: every setup is computed, to check the search against
  std::uint64_t most_cost = 60000;  ///< as Work counts it
};

/// The best setup of one card and engine.
struct Answer {
  std::size_t engine = 0;  ///< index into the query's
  const hardware::DeviceFacts* card = nullptr;
  Found found;
  std::optional<double> price_per_hour;  ///< of all its cards
  std::uint64_t headroom_requests = 0;   ///< beyond those asked for
  std::string reason;
  std::string limiting_term;  ///< "kv_pool", or the flag that limits requests before it does
  std::string breaks_first;
};

/// Cards that were not searched with an engine, or on which nothing carries the load.
struct LeftOut {
  std::string engine;
  std::string reason;
  std::uint64_t cards = 0;
};

/// Why there is no answer, what comes closest, and what would make it fit.
struct None {
  std::string text;
  std::string limit;  ///< a limit of a verdict, "latency", "budget" or "cards"
};

struct Recommendation {
  std::uint64_t cards = 0;  ///< that pass the constraints
  Work work;
  std::uint64_t carriers = 0;  ///< cards and engines with an answer, of which `limit` are given
  std::vector<Answer> answers;
  std::vector<LeftOut> left_out;
  std::optional<None> none;
};

/// Searches every card that passes the constraints with every engine (search.hpp) and ranks what
/// carries the load: by `cards` fewest cards, lowest price where there is one (before those
/// without), fewest departures from the defaults (weight format, then steps of the ladder, then
/// layout), most headroom; by `price` the same behind the price, cards without one last; by
/// `headroom` the same behind it. Errors: `too_many_setups` (constraints) when the search is not
/// done within `most_cost`; the engine's own where a flag or version of the query is wrong.
Result<Recommendation> recommend(const RecommendQuery& query);

}  // namespace ridgepoint::plan
