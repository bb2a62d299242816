#include "serve/choose.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "load/mean_lengths.hpp"

namespace ridgepoint::serve {
namespace {

/// A first guess is not off by more: what it puts below the load by this much is not simulated.
constexpr double kHopeless = 0.6;

/// Requests a second of an open load; 0 where arrivals follow the answers.
double asked_rate(const load::Load& load) {
  switch (load.arrivals.kind) {
    case load::ArrivalKind::closed:
    case load::ArrivalKind::at_once:
      return 0;
    case load::ArrivalKind::trace: {
      const double span = load.trace.empty() ? 0 : load.trace.back().arrival_s;
      return span > 0 ? static_cast<double>(load.trace.size()) / span * load.arrivals.speed_up : 0;
    }
    default:
      return load.arrivals.rate;
  }
}

std::pair<bool, double> price(const plan::Answer& answer) {
  return {!answer.price_per_hour.has_value(), answer.price_per_hour.value_or(0.0)};
}

}  // namespace

Choosing::Choosing(ChooseQuery query) : query_(std::move(query)) {
  choice_.work.most_cost = query_.search.most_cost;
  cards_ = plan::cards_of(query_.search);
  choice_.cards = cards_.size();
}

Result<std::unique_ptr<Choosing>> Choosing::make(ChooseQuery query) {
  if (auto wrong = load::check(query.load)) {
    return *std::move(wrong);
  }
  if (!query.slo.any()) {
    return Error{"missing_field", "Say what users may wait for, such as slo.ttft_s or slo.tpot_s.",
                 "slo"};
  }
  auto made = std::unique_ptr<Choosing>(new Choosing(std::move(query)));
  plan::RecommendQuery& search = made->query_.search;
  for (std::size_t i = 0; i < search.engines.size(); ++i) {
    made->searches_.push_back(std::make_unique<plan::EngineSearch>(
        search.engines[i], search.load, search.constraints.freedom, search.prune));
    bool answered = false;
    for (std::size_t c = 0; c < made->cards_.size(); ++c) {
      const plan::Card& card = made->cards_[c];
      const std::string reason = plan::why_not(search.engines[i], card, search.constraints);
      if (!reason.empty()) {
        made->leave_out(i, reason);
        continue;
      }
      if (!answered) {
        // What is wrong with the request itself is wrong on every card.
        const auto probed = made->searches_[i]->probe(card.device, made->choice_.work);
        if (!probed && probed.error().code != "bad_parallelism" &&
            probed.error().code != "not_supported") {
          return probed.error();
        }
        answered = probed.ok();
      }
      made->places_.push_back({i, c, plan::counts_of(card, search.constraints), 0, 0, {}});
    }
  }
  return made;
}

void Choosing::leave_out(std::size_t engine, const std::string& reason) {
  const std::string name(query_.search.engines[engine].engine->name);
  for (plan::LeftOut& known : choice_.left_out) {
    if (known.engine == name && known.reason == reason) {
      ++known.cards;
      return;
    }
  }
  choice_.left_out.push_back({name, reason, 1});
}

double Choosing::share() const {
  return done_ ? 1.0
               : static_cast<double>(at_) /
                     static_cast<double>(std::max<std::size_t>(1, places_.size()));
}

/// Whether enough answers with fewer cards are known, where cards are what counts.
bool Choosing::beaten(std::uint64_t count) const {
  if (query_.search.rank_by != plan::RankBy::cards) {
    return false;
  }
  const auto fewer =
      std::count_if(choice_.answers.begin(), choice_.answers.end(),
                    [&](const Chosen& chosen) { return chosen.answer.found.count < count; });
  return static_cast<std::size_t>(fewer) >= query_.search.limit;
}

/// The smallest setup as replicas over more cards.
std::optional<plan::Found> Choosing::replicated(const Place& place, std::uint64_t count) const {
  const std::string_view flag = query_.search.engines[place.engine].engine->levers.data_parallel;
  if (flag.empty() || place.fewest == 0 || count == place.fewest || count % place.fewest != 0 ||
      place.smallest.layout.data > 1 || place.smallest.layout.attention_groups) {
    return std::nullopt;
  }
  plan::Found copies = place.smallest;
  copies.count = count;
  copies.layout.data = count / place.fewest;
  const bool given =
      std::any_of(copies.flags.begin(), copies.flags.end(),
                  [&](const engine::FlagValue& value) { return value.name == flag; });
  if (given) {
    return std::nullopt;
  }
  copies.flags.push_back({std::string(flag), static_cast<std::int64_t>(copies.layout.data)});
  return copies;
}

void Choosing::start(const Place& place, const plan::Found& found) {
  plan::Request request = query_.search.engines[place.engine];
  plan::Change change = found.change();
  change.gpu_id = std::string(cards_[place.card].facts->id);
  change.gpu_count = found.count;
  if (plan::apply(change, request)) {
    return;
  }
  auto deployment = Deployment::make(std::move(request));
  if (!deployment) {
    return;
  }
  const double asked = asked_rate(query_.load);
  const load::MeanLengths mean = load::mean_lengths(query_.load);
  if (asked > 0 && (*deployment)->expected_rate(mean.input, mean.output) < kHopeless * asked) {
    return;
  }
  auto simulation = simulate::Simulation::create((*deployment)->inputs(query_.load, query_.slo));
  if (!simulation) {
    return;
  }
  deployment_ = std::move(deployment.value());
  running_ = std::move(simulation.value());
  trying_ = found;
  trying_.plan = deployment_->memory();
  trying_.speed = deployment_->report().speed;
}

bool Choosing::gather(Place& place) {
  if (place.next >= place.counts.size() || choice_.work.spent() ||
      beaten(place.counts[place.next])) {
    return false;
  }
  const std::uint64_t count = place.counts[place.next++];
  auto found = searches_[place.engine]->best_on(cards_[place.card].device, {count}, choice_.work);
  if (auto copies = replicated(place, count)) {
    pending_.push_back(std::move(*copies));
  }
  if (found) {
    if (place.fewest == 0) {
      place.fewest = count;
      place.smallest = *found;
    }
    pending_.push_back(std::move(*found));
  }
  return true;
}

void Choosing::leave(Place& place) {
  if (!found_) {
    leave_out(place.engine,
              place.fewest == 0 ? "No setup starts." : "No setup meets the wishes under the load.");
  }
  found_ = false;
  pending_.clear();
  place.smallest = {};
  ++at_;
}

void Choosing::seek() {
  if (at_ >= places_.size()) {
    finish();
    return;
  }
  Place& place = places_[at_];
  if (!found_ && !pending_.empty()) {
    const plan::Found found = std::move(pending_.back());
    pending_.pop_back();
    start(place, found);
  } else if (found_ || !gather(place)) {
    leave(place);
  }
}

void Choosing::take(simulate::Outcome outcome) {
  ++choice_.runs;
  Point point;
  const double answered = outcome.asked == 0 ? 0.0
                                             : static_cast<double>(outcome.finished) /
                                                   static_cast<double>(outcome.asked);
  point.share_meeting = (outcome.goodput ? outcome.goodput->share : 1.0) * answered;
  point.meets = point.share_meeting >= query_.slo.percentile;
  point.outcome = std::move(outcome);
  if (!point.meets) {
    return;
  }
  const Place& place = places_[at_];
  plan::Answer answer;
  answer.engine = place.engine;
  answer.card = cards_[place.card].facts;
  if (cards_[place.card].price) {
    answer.price_per_hour = *cards_[place.card].price * static_cast<double>(trying_.count);
  }
  answer.found = std::move(trying_);
  answer.limiting_term = std::string(limiting(*deployment_, point.outcome).what);
  answer.reason = limiting(*deployment_, point.outcome).text;
  choice_.answers.push_back({std::move(answer), std::move(point)});
  found_ = true;
}

Check Choosing::advance(std::uint64_t steps) {
  // Finding a setup takes about as long as so many steps of a simulation.
  constexpr std::uint64_t kSeeking = 1000;
  while (!done_ && steps > 0) {
    if (!running_) {
      seek();
      steps -= std::min(steps, kSeeking);
      continue;
    }
    const std::uint64_t before = running_->progress().steps;
    if (auto error = running_->advance(steps)) {
      return error;
    }
    if (!running_->done()) {
      return std::nullopt;
    }
    const std::uint64_t used = std::max<std::uint64_t>(1, running_->progress().steps - before);
    take(running_->outcome());
    running_.reset();
    steps -= std::min(steps, used);
  }
  return std::nullopt;
}

void Choosing::finish() {
  done_ = true;
  auto& answers = choice_.answers;
  const plan::RankBy by = query_.search.rank_by;
  std::stable_sort(answers.begin(), answers.end(), [by](const Chosen& a, const Chosen& b) {
    const auto rate = [](const Chosen& c) { return -c.point.outcome.output_tokens_per_s; };
    if (by == plan::RankBy::price) {
      return std::tuple(price(a.answer), a.answer.found.count) <
             std::tuple(price(b.answer), b.answer.found.count);
    }
    if (by == plan::RankBy::headroom) {
      return std::tuple(-a.point.share_meeting, rate(a)) <
             std::tuple(-b.point.share_meeting, rate(b));
    }
    return std::tuple(a.answer.found.count, price(a.answer)) <
           std::tuple(b.answer.found.count, price(b.answer));
  });
  choice_.carriers = answers.size();
  if (answers.size() > query_.search.limit) {
    answers.resize(query_.search.limit);
  }
  if (answers.empty()) {
    choice_.none =
        choice_.work.spent()
            ? "The search stopped before it was done: allow fewer cards, counts or formats."
            : "No setup within the constraints meets the wishes under this load.";
  }
}

}  // namespace ridgepoint::serve
