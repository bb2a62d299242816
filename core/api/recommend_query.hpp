#pragma once

#include <cstddef>
#include <vector>

#include "json/fields.hpp"
#include "plan/recommend.hpp"

namespace ridgepoint::api {

/// A query of recommend with the request of each engine, which answers go on from.
struct RecommendRead {
  plan::RecommendQuery query;
  std::vector<json::Value> requests;  ///< without a card, as JSON
  bool list_prices = false;           ///< some price is of the list
};

/// Reads what recommend and choosing by simulation have in common. `context` is the length of a
/// request where the workload says none. Errors name the field by its path in the query.
Result<RecommendRead> read_recommend(const json::Value& query,
                                     std::optional<std::uint64_t> context = std::nullopt);

/// An engine's own words name the flag by its place in a request; this names it in a query.
Error of_query(Error error, const RecommendRead& read);

/// Prices for each card: those of a query in place of the list's.
struct PricesRead {
  std::vector<plan::PriceOf> prices;
  std::size_t of_list = 0;  ///< so many at the front
};

/// `prices` and `use_list_prices` of any query.
Result<PricesRead> read_prices(const json::Value& query);

}  // namespace ridgepoint::api
