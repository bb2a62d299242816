#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace ridgepoint::hardware {

/// What one card costs by the hour, compiled from core/data/prices.json.
struct CardPrice {
  std::string_view id;    ///< of a known card
  double per_hour;        ///< of one card, in the list's currency
  std::string_view date;  ///< when it was read, "2026-11-09"
  std::string_view source;
};

/// What all list prices have in common: one provider and tier, so that they compare.
struct ListPrices {
  std::string_view currency;  ///< "USD"
  std::string_view date;      ///< of the newest
  std::string_view source;
};

const ListPrices& list_prices();

/// The prices there are, in the order of the data file; there may be none.
std::span<const CardPrice> card_prices();

/// The list price of a card by its id; empty where none is known.
std::optional<double> list_price(std::string_view id);

}  // namespace ridgepoint::hardware
