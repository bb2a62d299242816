#include "hardware/prices.hpp"

namespace ridgepoint::hardware {
namespace {

#include "tables/prices.inc"

}  // namespace

const ListPrices& list_prices() { return kList; }

std::span<const CardPrice> card_prices() {
  return std::span<const CardPrice>(kPrices).subspan(1);  // the first only keeps it from being none
}

std::optional<double> list_price(std::string_view id) {
  for (const CardPrice& price : card_prices()) {
    if (price.id == id) {
      return price.per_hour;
    }
  }
  return std::nullopt;
}

}  // namespace ridgepoint::hardware
