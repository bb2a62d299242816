#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/recommend.hpp"

namespace ridgepoint::plan {

/// A card of the search, as an engine takes it.
struct Card {
  const hardware::DeviceFacts* facts = nullptr;
  hardware::Device device;
  std::optional<double> price;
};

/// The cards that pass the query's constraints on cards, in the order of the data file, with their
/// prices.
std::vector<Card> cards_of(const RecommendQuery& query);

/// How many of a card may be tried: several only with a link where one is wanted, one of what is a
/// whole machine (memory shared with the CPU and no link), and no more than the budget pays.
std::vector<std::uint64_t> counts_of(const Card& card, const Constraints& constraints);

/// Why an engine of the query cannot be searched on a card; empty when it can.
std::string why_not(const Request& request, const Card& card, const Constraints& constraints);

/// Whether no engine's plan tells two cards apart: it reads vendor, architecture, compute
/// capability, multiprocessors, both totals, unified memory, which formats the card computes in,
/// and of the name whether it is an A100, H100 or H200 (vLLM's batch sizes). Rates count only for
/// speed.
bool same_memory(const hardware::DeviceFacts& a, const hardware::DeviceFacts& b);

}  // namespace ridgepoint::plan
