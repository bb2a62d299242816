#include "plan/no_answer.hpp"

#include <string>
#include <utility>
#include <vector>

#include "plan/candidate_cards.hpp"
#include "plan/ranked_answers.hpp"
#include "plan/recommend_text.hpp"

namespace ridgepoint::plan {
namespace {

using engine::Limit;

constexpr std::uint64_t kMostCards = 64;
constexpr std::uint64_t kEndlessBytes = 1ULL << 48U;

/// Says why a query has no answer.
class NoAnswer {
 public:
  NoAnswer(const RecommendQuery& query, const Recommendation& result)
      : query_(query), result_(result), cards_(cards_of(query)) {}

  None explain() {
    if (result_.cards == 0) {
      return {"No card passes the constraints on gpus, vendors and card memory.", "cards"};
    }
    None none = closest();
    std::string ways;
    std::size_t found = 0;
    for (const auto& way :
         {&NoAnswer::other_formats, &NoAnswer::more_cards, &NoAnswer::formats_and_cards,
          &NoAnswer::no_budget, &NoAnswer::no_goals, &NoAnswer::all_cards}) {
      const std::string text = found < kMostWays ? (this->*way)() : std::string();
      if (!text.empty()) {
        ways += (found == 0 ? " It would fit with " : ", or with ") + text;
        ++found;
      }
    }
    none.text += found == 0 ? "" : ways + ".";
    return none;
  }

 private:
  static constexpr std::size_t kMostWays = 2;
  static constexpr std::uint64_t kMostCost = 8000;

  /// The largest number of the largest card of the first engine that has any.
  None closest() {
    for (std::size_t i = 0; i < query_.engines.size(); ++i) {
      const Card* largest = nullptr;
      std::uint64_t count = 0;
      for (const Card& card : cards_) {
        if (!why_not(query_.engines[i], card, query_.constraints).empty()) {
          continue;
        }
        const auto counts = counts_of(card, query_.constraints);
        const std::uint64_t most = counts.empty() ? 0 : counts.back();
        if (most != 0 && (largest == nullptr ||
                          most * card.device.total_bytes > count * largest->device.total_bytes)) {
          largest = &card;
          count = most;
        }
      }
      if (largest != nullptr) {
        return closest_on(i, *largest, count);
      }
    }
    const std::string reason =
        result_.left_out.empty() ? std::string() : " " + result_.left_out.front().reason;
    const bool budget = query_.constraints.budget_per_hour.has_value();
    return {"No card can be searched with these engines and constraints." + reason,
            budget ? "budget" : "cards"};
  }

  None closest_on(std::size_t engine, const Card& card, std::uint64_t count) {
    const Request& request = query_.engines[engine];
    Work work;
    work.most_cost = kMostCost;
    EngineSearch search(request, query_.load, query_.constraints.freedom, true);
    auto nearest = search.nearest_on(card.device, count, work);
    if (nearest) {
      Answer answer;
      answer.engine = engine;
      answer.card = card.facts;
      answer.found = std::move(*nearest);
      const bool slow = answer.found.plan.max_requests.best >= query_.load.concurrency;
      return {"Nothing carries the load. Closest: " + shortfall_of(answer, request, query_.load),
              slow ? "latency" : "kv_pool"};
    }
    // With memory out of the question: is it the length?
    hardware::Device endless = card.device;
    endless.total_bytes = kEndlessBytes;
    endless.driver_total_bytes = kEndlessBytes;
    const auto unbound = search.probe(endless, work);
    if (unbound && unbound->limit == Limit::context) {
      return {"Nothing carries the load: " + unbound->limit_text, "context"};
    }
    const auto plan = search.probe(card.device, work);
    return {"Nothing carries the load: " + std::to_string(count) + " x " +
                std::string(card.facts->name) + " do not even start with it.",
            plan ? std::string(engine::limit_name(plan->limit == Limit::none ? Limit::weights
                                                                             : plan->limit))
                 : "weights"};
  }

  /// The first answer of a query that asks for less; empty when there is none either.
  std::string first_of(RecommendQuery eased) {
    eased.limit = 1;
    eased.prune = true;
    eased.most_cost = kMostCost;
    const auto result = ranked_answers(eased);
    if (!result || result->answers.empty()) {
      return {};
    }
    const Answer& answer = result->answers.front();
    return describe_setup(answer, eased.engines[answer.engine]);
  }

  [[nodiscard]] bool formats_bound() const {
    const Freedom& freedom = query_.constraints.freedom;
    return !freedom.weight_formats.empty() || !freedom.kv_formats.empty() || !freedom.tune ||
           !freedom.pipeline;
  }

  /// Sizes that machines come in, beyond those allowed.
  [[nodiscard]] std::vector<std::uint64_t> further_counts() const {
    std::vector<std::uint64_t> counts;
    for (const std::uint64_t count : {2ULL, 4ULL, 8ULL, 16ULL, 24ULL, 32ULL, 48ULL, 64ULL}) {
      if (count > query_.constraints.counts.back() && count <= kMostCards) {
        counts.push_back(count);
      }
    }
    return counts;
  }

  std::string other_formats() {
    if (!formats_bound()) {
      return {};
    }
    RecommendQuery eased = query_;
    eased.constraints.freedom = {};
    return first_of(std::move(eased));
  }

  std::string more_cards() {
    RecommendQuery eased = query_;
    eased.constraints.counts = further_counts();
    return eased.constraints.counts.empty() ? std::string() : first_of(std::move(eased));
  }

  std::string formats_and_cards() {
    RecommendQuery eased = query_;
    eased.constraints.counts = further_counts();
    eased.constraints.freedom = {};
    return !formats_bound() || eased.constraints.counts.empty() ? std::string()
                                                                : first_of(std::move(eased));
  }

  std::string no_budget() {
    if (!query_.constraints.budget_per_hour) {
      return {};
    }
    RecommendQuery eased = query_;
    eased.constraints.budget_per_hour.reset();
    const std::string text = first_of(std::move(eased));
    return text.empty() ? text : text + " above the budget";
  }

  std::string no_goals() {
    if (!query_.load.ttft_s && !query_.load.tpot_s) {
      return {};
    }
    RecommendQuery eased = query_;
    eased.load.ttft_s.reset();
    eased.load.tpot_s.reset();
    const std::string text = first_of(std::move(eased));
    return text.empty() ? text : text + " more slowly than asked";
  }

  std::string all_cards() {
    const Constraints& c = query_.constraints;
    if (c.gpus.empty() && c.vendors.empty() && c.min_card_bytes == 0 &&
        c.max_card_bytes == ~std::uint64_t{0} && !c.link) {
      return {};
    }
    RecommendQuery eased = query_;
    eased.constraints.gpus.clear();
    eased.constraints.vendors.clear();
    eased.constraints.min_card_bytes = 0;
    eased.constraints.max_card_bytes = ~std::uint64_t{0};
    eased.constraints.link = false;
    return first_of(std::move(eased));
  }

  const RecommendQuery& query_;
  const Recommendation& result_;
  std::vector<Card> cards_;
};

}  // namespace

None why_none(const RecommendQuery& query, const Recommendation& result) {
  return NoAnswer(query, result).explain();
}

}  // namespace ridgepoint::plan
