#include "plan/ranked_answers.hpp"

#include <algorithm>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>

#include "plan/candidate_cards.hpp"
#include "plan/recommend_text.hpp"
#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

using engine::Limit;

/// Departures from the defaults, the gravest first.
auto departures(const Found& found) {
  return std::tuple(found.weight_rank, found.steps.count(), found.layout.departures());
}

class Ranking {
 public:
  explicit Ranking(RankBy by) : by_(by) {}

  bool operator()(const Answer& a, const Answer& b) const {
    if (by_ == RankBy::price && price(a) != price(b)) {
      return price(a) < price(b);
    }
    if (by_ == RankBy::headroom && a.headroom_requests != b.headroom_requests) {
      return a.headroom_requests > b.headroom_requests;
    }
    if (a.found.count != b.found.count) {
      return a.found.count < b.found.count;
    }
    if (price(a) != price(b)) {
      return price(a) < price(b);
    }
    if (departures(a.found) != departures(b.found)) {
      return departures(a.found) < departures(b.found);
    }
    return a.headroom_requests > b.headroom_requests;
  }

 private:
  /// Cards without a price stand behind all others.
  static std::pair<bool, double> price(const Answer& answer) {
    return {!answer.price_per_hour.has_value(), answer.price_per_hour.value_or(0.0)};
  }

  RankBy by_;
};

/// Runs one query.
class Recommender {
 public:
  explicit Recommender(const RecommendQuery& query) : query_(query) {
    out_.work.most_cost = query.most_cost;
  }

  Result<Recommendation> run() {
    const std::vector<Card> cards = cards_of(query_);
    out_.cards = cards.size();
    for (std::size_t i = 0; i < query_.engines.size(); ++i) {
      searches_.push_back(std::make_unique<EngineSearch>(query_.engines[i], query_.load,
                                                         query_.constraints.freedom, query_.prune));
      if (auto wrong = search_engine(i, cards)) {
        return *std::move(wrong);
      }
      if (out_.work.spent()) {
        return Error{"too_many_setups",
                     "The search is not done after " + grouped(out_.work.estimates) +
                         " estimates. Allow fewer cards, counts, engines or formats.",
                     "constraints"};
      }
    }
    std::stable_sort(out_.answers.begin(), out_.answers.end(), Ranking(query_.rank_by));
    out_.carriers = out_.answers.size();
    if (out_.answers.size() > query_.limit) {
      out_.answers.resize(query_.limit);
    }
    for (Answer& answer : out_.answers) {
      finish(answer);
    }
    return std::move(out_);
  }

 private:
  void leave_out(std::size_t engine, const std::string& reason, std::uint64_t cards = 1) {
    const std::string name(query_.engines[engine].engine->name);
    for (LeftOut& known : out_.left_out) {
      if (known.engine == name && known.reason == reason) {
        known.cards += cards;
        return;
      }
    }
    out_.left_out.push_back({name, reason, cards});
  }

  Check search_engine(std::size_t engine, const std::vector<Card>& cards) {
    std::vector<Card> eligible;
    for (const Card& card : cards) {
      const std::string reason = why_not(query_.engines[engine], card, query_.constraints);
      if (reason.empty()) {
        eligible.push_back(card);
      } else {
        leave_out(engine, reason);
      }
    }
    if (eligible.empty()) {
      return std::nullopt;
    }
    const auto largest = std::max_element(
        eligible.begin(), eligible.end(),
        [](const Card& a, const Card& b) { return a.device.total_bytes < b.device.total_bytes; });
    const auto probed = searches_[engine]->probe(largest->device, out_.work);
    if (!probed && probed.error().code != "bad_parallelism") {
      if (probed.error().code != "not_supported") {
        return probed.error();
      }
      leave_out(engine, probed.error().message, eligible.size());
      eligible.clear();
    } else if (probed && probed->limit == Limit::architecture) {
      leave_out(engine, probed->limit_text, eligible.size());
      eligible.clear();
    }
    search_cards(engine, eligible);
    return std::nullopt;
  }

  void search_cards(std::size_t engine, const std::vector<Card>& cards) {
    const bool by_memory_alone = !query_.load.ttft_s && !query_.load.tpot_s &&
                                 !query_.constraints.budget_per_hour && query_.prune;
    std::vector<std::optional<Found>> results;
    for (std::size_t i = 0; i < cards.size() && !out_.work.spent(); ++i) {
      std::optional<Found> found;
      std::size_t same = i;
      for (std::size_t j = 0; by_memory_alone && j < i && same == i; ++j) {
        same = same_memory(*cards[i].facts, *cards[j].facts) ? j : i;
      }
      if (same != i) {
        found = results[same];
        if (found) {
          found->speed = searches_[engine]->speed_on(cards[i].device, *found);
        }
      } else {
        found = searches_[engine]->best_on(cards[i].device, counts_of(cards[i], query_.constraints),
                                           out_.work);
      }
      results.push_back(found);
      if (found) {
        add_answer(engine, cards[i], std::move(*found));
      } else {
        leave_out(engine, query_.constraints.budget_per_hour
                              ? "No setup within the budget carries the load."
                              : "No setup carries the load.");
      }
    }
  }

  void add_answer(std::size_t engine, const Card& card, Found found) {
    Answer answer;
    answer.engine = engine;
    answer.card = card.facts;
    if (card.price) {
      answer.price_per_hour = *card.price * static_cast<double>(found.count);
    }
    answer.headroom_requests = found.capacity - query_.load.concurrency;
    answer.found = std::move(found);
    out_.answers.push_back(std::move(answer));
  }

  void finish(Answer& answer) {
    const Request& request = query_.engines[answer.engine];
    answer.reason = reason_of(answer, request, query_.load);
    const engine::MemoryPlan& plan = answer.found.plan;
    const std::uint64_t replicas = std::max(answer.found.layout.data, plan.parallelism.data);
    const std::string_view lever = request.engine->levers.most_requests;
    const bool queues = request.engine->name != "llamacpp" && !lever.empty() &&
                        plan.max_requests.best >= plan.max_num_seqs * replicas;
    answer.limiting_term = queues ? std::string(lever) : "kv_pool";
    const std::uint64_t more = answer.headroom_requests;
    const std::string requests =
        (more == 0 ? "not one" : grouped(more)) + " more " + (more <= 1 ? "request" : "requests");
    const std::uint64_t longest = longest_context(answer);
    const std::uint64_t claimed = model::claimed_context(request.model);
    const bool to_the_end =
        longest >= plan.max_context / 16 * 16 && claimed != 0 && plan.max_context >= claimed;
    const std::string length =
        to_the_end ? "every length up to " + grouped(plan.max_context) + " tokens fits"
        : longest > query_.load.context ? "a context of " + grouped(longest)
                                        : "no longer context";
    answer.breaks_first =
        queues ? "--" + std::string(lever) + " " + grouped(plan.max_num_seqs) + ": " + requests +
                     ", and further ones queue. KV pool: " + length + "."
               : "KV pool: " + requests + (to_the_end ? "; " : ", or ") + length + ".";
  }

  /// The longest length at which the setup still holds all requests, to a part in 256 of what is
  /// left to search, in whole steps of 16 tokens; found by trying.
  std::uint64_t longest_context(const Answer& answer) {
    const Found& found = answer.found;
    const std::uint64_t wanted = query_.load.concurrency;
    if (query_.engines[answer.engine].engine->name == "llamacpp") {
      return std::max(found.plan.max_context / 16 * 16, query_.load.context);  // of all its slots
    }
    hardware::DeviceRequest id;
    id.id = std::string(answer.card->id);
    const auto device = hardware::make_device(id);
    std::uint64_t fits = query_.load.context;
    std::uint64_t beyond = std::max(found.plan.max_context, fits) + 1;
    if (!device) {
      return fits;
    }
    // Where requests share a pool evenly, the length goes with their number.
    std::uint64_t guess =
        std::min(beyond - 1, static_cast<std::uint64_t>(static_cast<double>(fits) *
                                                        static_cast<double>(found.capacity) /
                                                        static_cast<double>(wanted)));
    constexpr int kSteps = 8;
    for (int step = 0; step < kSteps && beyond - fits > 16; ++step) {
      guess = std::clamp(guess, fits + 1, beyond - 1);
      const auto plan = searches_[answer.engine]->plan_at(*device, found, guess, out_.work);
      const bool holds = plan && searches_[answer.engine]->holds_all(*plan);
      (holds ? fits : beyond) = guess;
      // A guess that held is likely close to the end.
      const std::uint64_t half = fits + (beyond - fits) / 2;
      guess = step == 0 && holds ? std::min(half, fits + fits / 64 + 16) : half;
    }
    const std::uint64_t rounded = fits / 16 * 16;
    return std::max(rounded, query_.load.context);
  }

  const RecommendQuery& query_;
  Recommendation out_;
  std::vector<std::unique_ptr<EngineSearch>> searches_;
};

}  // namespace

Result<Recommendation> ranked_answers(const RecommendQuery& query) {
  return Recommender(query).run();
}

}  // namespace ridgepoint::plan
