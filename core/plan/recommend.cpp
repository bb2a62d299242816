#include "plan/recommend.hpp"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "plan/recommend_text.hpp"
#include "plan/runs_on.hpp"
#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

using engine::Limit;
using hardware::DeviceFacts;

constexpr std::uint64_t kMostCards = 64;

/// A card of the search, as an engine takes it.
struct Card {
  const DeviceFacts* facts = nullptr;
  hardware::Device device;
  std::optional<double> price;
};

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

/// How many of a card may be tried.
std::vector<std::uint64_t> counts_of(const Card& card, const Constraints& constraints) {
  std::vector<std::uint64_t> counts;
  for (const std::uint64_t count : constraints.counts) {
    const bool linked = count == 1 || !constraints.link || card.facts->link_bytes_per_s > 0;
    const bool paid =
        !constraints.budget_per_hour ||
        (card.price && *card.price * static_cast<double>(count) <= *constraints.budget_per_hour);
    if (linked && paid) {
      counts.push_back(count);
    }
  }
  return counts;
}

/// Whether no engine's plan tells two cards apart: it reads vendor, architecture, compute
/// capability, multiprocessors, both totals, unified memory, which formats the card computes in,
/// and of the name whether it is an A100, H100 or H200 (vLLM's batch sizes). Rates count only for
/// speed.
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
    out_.work.most_estimates = query.most_estimates;
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

  /// The cards that an engine could be searched on, after run(): for what comes closest.
  [[nodiscard]] const std::vector<Card>& eligible(std::size_t engine) const {
    return eligible_[engine];
  }

  [[nodiscard]] EngineSearch& search(std::size_t engine) { return *searches_[engine]; }

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
    std::vector<Card>& eligible = eligible_.emplace_back();
    for (const Card& card : cards) {
      const std::string reason = why_not(query_.engines[engine], card);
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

  [[nodiscard]] std::string why_not(const Request& request, const Card& card) const {
    if (auto foreign = engine::check_vendor(*request.engine, card.device)) {
      return std::string(request.engine->title) +
             "'s memory on cards of this make is not computed.";
    }
    Request on_card;
    on_card.engine = request.engine;
    on_card.engine_version = request.engine_version;
    on_card.device = card.device;
    std::string reason = not_published_for(on_card);
    if (reason.empty() && query_.constraints.budget_per_hour && !card.price) {
      return "No price is known, and a budget is set.";
    }
    return reason;
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
          found->speed = speed_of(
              {query_.engines[engine].model, query_.engines[engine].workload, cards[i].device},
              model::count_parameters(model::tensors(query_.engines[engine].model)), found->plan);
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
    const std::string length =
        longest > query_.load.context ? "a context of " + grouped(longest) : "no longer context";
    answer.breaks_first = queues ? "--" + std::string(lever) + " " +
                                       std::to_string(plan.max_num_seqs) + ": " + requests +
                                       ", and further ones queue. KV pool: " + length + "."
                                 : "KV pool: " + requests + ", or " + length + ".";
  }

  /// The longest length at which the setup still holds all requests, to a part in 256 of what is
  /// left to search, in whole steps of 16 tokens; found by trying.
  std::uint64_t longest_context(const Answer& answer) {
    const Found& found = answer.found;
    const std::uint64_t wanted = query_.load.concurrency;
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
      const bool holds = plan && plan->limit == Limit::none && plan->max_requests.best >= wanted &&
                         plan->host_bytes == plan->host_table_bytes;
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
  std::vector<std::vector<Card>> eligible_;
};

/// Says why a query has no answer.
class NoAnswer {
 public:
  NoAnswer(const RecommendQuery& query, Recommender& recommender, const Recommendation& result)
      : query_(query), recommender_(recommender), result_(result) {}

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
  static constexpr std::uint64_t kMostEstimates = 8000;

  /// The largest number of the largest card of the first engine that has any.
  None closest() {
    for (std::size_t i = 0; i < query_.engines.size(); ++i) {
      const Card* largest = nullptr;
      std::uint64_t count = 0;
      for (const Card& card : recommender_.eligible(i)) {
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
    work.most_estimates = kMostEstimates;
    auto nearest = recommender_.search(engine).nearest_on(card.device, count, work);
    if (nearest) {
      Answer answer;
      answer.engine = engine;
      answer.card = card.facts;
      answer.found = std::move(*nearest);
      const bool slow = answer.found.plan.max_requests.best >= query_.load.concurrency;
      return {"Nothing carries the load. Closest: " + shortfall_of(answer, request, query_.load),
              slow ? "latency" : "kv_pool"};
    }
    const auto plan = recommender_.search(engine).probe(card.device, work);
    if (plan && plan->limit == Limit::context) {
      return {"Nothing carries the load: " + plan->limit_text, "context"};
    }
    return {"Nothing carries the load: not even " + std::to_string(count) + " x " +
                std::string(card.facts->name) + " start with it.",
            plan ? std::string(engine::limit_name(plan->limit == Limit::none ? Limit::weights
                                                                             : plan->limit))
                 : "weights"};
  }

  /// The first answer of a query that asks for less; empty when there is none either.
  std::string first_of(RecommendQuery eased) {
    eased.limit = 1;
    eased.prune = true;
    eased.most_estimates = kMostEstimates;
    const auto result = Recommender(eased).run();
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
  Recommender& recommender_;
  const Recommendation& result_;
};

}  // namespace

Result<Recommendation> recommend(const RecommendQuery& query) {
  Recommender recommender(query);
  auto result = recommender.run();
  if (result && result->answers.empty()) {
    result.value().none = NoAnswer(query, recommender, *result).explain();
  }
  return result;
}

}  // namespace ridgepoint::plan
