#include "plan/candidate_cards.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "plan/runs_on.hpp"

namespace ridgepoint::plan {
namespace {

using hardware::DeviceFacts;

template <typename T>
bool listed(const std::vector<T>& list, std::string_view name) {
  return list.empty() ||
         std::any_of(list.begin(), list.end(), [&](const T& each) { return each == name; });
}

bool passes(const DeviceFacts& facts, const Constraints& constraints) {
  constexpr std::uint64_t kGiB = 1ULL << 30U;
  const std::uint64_t box = std::max(facts.total_bytes, std::uint64_t{facts.marketing_gb} * kGiB);
  return listed(constraints.gpus, facts.id) && listed(constraints.vendors, facts.vendor) &&
         box >= constraints.min_card_bytes && facts.total_bytes <= constraints.max_card_bytes;
}

}  // namespace

std::vector<Card> cards_of(const RecommendQuery& query) {
  std::vector<Card> cards;
  for (const DeviceFacts& facts : hardware::devices()) {
    if (!passes(facts, query.constraints)) {
      continue;
    }
    hardware::DeviceRequest wanted;
    wanted.id = std::string(facts.id);
    auto device = hardware::make_device(wanted);
    if (!device) {
      continue;  // every known card is one
    }
    Card card{&facts, std::move(device.value()), std::nullopt};
    for (const PriceOf& price : query.prices) {
      if (price.id == facts.id) {
        card.price = price.per_hour;
      }
    }
    cards.push_back(std::move(card));
  }
  return cards;
}

std::vector<std::uint64_t> counts_of(const Card& card, const Constraints& constraints) {
  std::vector<std::uint64_t> counts;
  for (const std::uint64_t count : constraints.counts) {
    const bool has_link = card.facts->link_bytes_per_s > 0;
    const bool linked =
        count == 1 || has_link || (!constraints.link && !card.facts->unified_memory);
    const bool paid =
        !constraints.budget_per_hour ||
        (card.price && *card.price * static_cast<double>(count) <= *constraints.budget_per_hour);
    if (linked && paid) {
      counts.push_back(count);
    }
  }
  return counts;
}

std::string why_not(const Request& request, const Card& card, const Constraints& constraints) {
  if (auto foreign = engine::check_vendor(*request.engine, card.device)) {
    return std::string(request.engine->title) + "'s memory on cards of this make is not computed.";
  }
  Request on_card;
  on_card.engine = request.engine;
  on_card.engine_version = request.engine_version;
  on_card.device = card.device;
  std::string reason = not_published_for(on_card);
  if (reason.empty() && constraints.budget_per_hour && !card.price) {
    return "No price is known, and a budget is set.";
  }
  return reason;
}

bool same_memory(const DeviceFacts& a, const DeviceFacts& b) {
  const auto named = [](const DeviceFacts& facts, std::string_view name) {
    return facts.name.find(name) != std::string_view::npos;
  };
  for (const std::string_view name : {"A100", "H100", "H200"}) {
    if (named(a, name) != named(b, name)) {
      return false;
    }
  }
  return a.vendor == b.vendor && a.architecture == b.architecture &&
         a.compute_capability == b.compute_capability && a.multiprocessors == b.multiprocessors &&
         a.total_bytes == b.total_bytes && a.driver_total_bytes == b.driver_total_bytes &&
         a.unified_memory == b.unified_memory && (a.fp8_flops > 0) == (b.fp8_flops > 0) &&
         (a.link_bytes_per_s > 0) == (b.link_bytes_per_s > 0);
}

}  // namespace ridgepoint::plan
