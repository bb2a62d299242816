#include "serve/choose.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "wording.hpp"

namespace ridgepoint::serve {
namespace {

/// A first guess is not off by more: what it puts below the load by this much is not simulated.
constexpr double kHopeless = 0.6;
/// Draws of a load on which a setup that carries it may miss the wishes.
constexpr std::uint64_t kMayMiss = 1;
/// Layouts of one pair of formats and number of cards that are simulated, copies of smaller setups
/// apart: the plainest, and those with the highest rates by the closed forms.
constexpr std::size_t kLayouts = 4;
/// What llama.cpp's slots are tried at.
constexpr std::uint64_t kSlots[] = {1, 4, 8, 16, 32};

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

Choosing::Choosing(ChooseQuery query)
    : query_(std::move(query)),
      asked_rate_(asked_rate(query_.load)),
      mean_(load::mean_lengths(query_.load)) {
  choice_.work.most_cost = query_.search.most_cost;
  cards_ = plan::cards_of(query_.search);
  choice_.cards = cards_.size();
  for (plan::Request& request : query_.search.engines) {
    request.workload.in_every_slot = true;
  }
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
  for (std::size_t i = 0; i < made->query_.search.engines.size(); ++i) {
    if (auto wrong = made->add_engine(i)) {
      return *std::move(wrong);
    }
  }
  return made;
}

Check Choosing::add_engine(std::size_t engine) {
  const plan::RecommendQuery& search = query_.search;
  const plan::Request& request = search.engines[engine];
  Searches& searches = searches_.emplace_back();
  const auto add = [&](std::uint64_t requests) {
    plan::Load load = search.load;
    load.concurrency = requests;
    searches.slots.push_back(requests);
    searches.of_slots.push_back(std::make_unique<plan::EngineSearch>(
        request, load, search.constraints.freedom, search.prune));
  };
  add(search.load.concurrency);
  if (searches.of_slots.front()->makes_slots()) {
    for (const std::uint64_t slots : kSlots) {
      if (slots > search.load.concurrency) {
        add(slots);
      }
    }
  }
  bool answered = false;
  for (std::size_t c = 0; c < cards_.size(); ++c) {
    const plan::Card& card = cards_[c];
    const std::string reason = plan::why_not(request, card, search.constraints);
    if (!reason.empty()) {
      leave_out(engine, reason);
      continue;
    }
    if (!answered) {
      // What is wrong with the request itself is wrong on every card.
      const auto probed = searches.of_slots.front()->probe(card.device, choice_.work);
      if (!probed && probed.error().code != "bad_parallelism" &&
          probed.error().code != "not_supported") {
        return probed.error();
      }
      answered = probed.ok();
    }
    Place& place = places_.emplace_back();
    place.engine = engine;
    place.card = c;
    place.counts = plan::counts_of(card, search.constraints);
  }
  return std::nullopt;
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

/// The smallest setup of a pair of formats as replicas over more cards.
std::optional<plan::Found> Choosing::replicated(const Place& place, std::size_t pair,
                                                std::uint64_t count) const {
  const std::string_view flag = query_.search.engines[place.engine].engine->levers.data_parallel;
  const auto known =
      std::find_if(place.smallest.begin(), place.smallest.end(),
                   [pair](const Smallest& smallest) { return smallest.pair == pair; });
  if (flag.empty() || known == place.smallest.end()) {
    return std::nullopt;
  }
  const plan::Found& one = known->found;
  if (count == one.count || count % one.count != 0 || one.layout.data > 1 ||
      one.layout.attention_groups) {
    return std::nullopt;
  }
  plan::Found copies = one;
  copies.count = count;
  copies.layout.data = count / one.count;
  const bool given =
      std::any_of(copies.flags.begin(), copies.flags.end(),
                  [&](const engine::FlagValue& value) { return value.name == flag; });
  if (given) {
    return std::nullopt;
  }
  copies.flags.push_back({std::string(flag), static_cast<std::int64_t>(copies.layout.data)});
  return copies;
}

Result<std::unique_ptr<Deployment>> Choosing::deployed(const Place& place,
                                                       const plan::Found& found) const {
  plan::Request request = query_.search.engines[place.engine];
  plan::Change change = found.change();
  change.gpu_id = std::string(cards_[place.card].facts->id);
  change.gpu_count = found.count;
  if (auto wrong = plan::apply(change, request)) {
    return *std::move(wrong);
  }
  return Deployment::make(std::move(request));
}

/// Whether the closed forms leave no hope for a setup. Of slots, they say with which number of them
/// the pair of formats goes on.
bool Choosing::hopeless(Deployment& deployment, Place& place) const {
  const std::vector<std::uint64_t>& slots = searches_[place.engine].slots;
  const double enough = kHopeless * asked_rate_;
  const bool decodes = mean_.output >= 2;
  const bool slow =
      decodes && query_.slo.tpot_s > 0 && deployment.shortest_step_s() > query_.slo.tpot_s;
  const auto too_few = [&](std::uint64_t batch) {
    return slow ||
           deployment.rate_of_batch(static_cast<double>(batch), mean_.input, mean_.output) < enough;
  };
  const std::size_t from = place.slots;
  while (place.slots < slots.size() && too_few(slots[place.slots])) {
    ++place.slots;
  }
  if (place.slots != from && place.slots == slots.size() && in_turn(place)) {
    place.dead.push_back(place.pair);
  }
  return slow || deployment.expected_rate(mean_.input, mean_.output) < enough;
}

void Choosing::start(Place& place, plan::Found found) {
  auto deployment = deployed(place, found);
  if (!deployment || hopeless(**deployment, place)) {
    return;
  }
  deployment_ = std::move(deployment.value());
  trying_ = std::move(found);
  trying_.plan = deployment_->memory();
  trying_.speed = deployment_->report().speed;
  by_seed_.clear();
  missed_ = 0;
  // A load that makes no sense was refused, and what a schedule refuses is no answer.
  if (draw()) {
    running_.reset();
  }
}

/// Starts the next run of the setup that is tried.
Check Choosing::draw() {
  load::Load load = query_.load;
  load.seed += by_seed_.size();
  auto simulation = simulate::Simulation::create(deployment_->inputs(load, query_.slo));
  if (!simulation) {
    return simulation.error();
  }
  running_ = std::move(simulation.value());
  return std::nullopt;
}

bool Choosing::goes_on(Place& place) {
  if (found_ || place.count >= place.counts.size() || choice_.work.spent()) {
    return false;
  }
  place.beaten = beaten(place.counts[place.count]);
  return !place.beaten;
}

bool Choosing::in_turn(const Place& place) const {
  return query_.search.engines[place.engine].engine->levers.tensor_parallel.empty();
}

std::vector<plan::Found> Choosing::likely(const Place& place, std::vector<plan::Found> all) const {
  if (all.size() <= kLayouts) {
    return all;
  }
  std::vector<std::pair<double, std::size_t>> rates;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const auto deployment = deployed(place, all[i]);
    if (deployment) {
      rates.emplace_back(-(*deployment)->expected_rate(mean_.input, mean_.output), i);
    }
  }
  std::sort(rates.begin(), rates.end());
  rates.resize(std::min(rates.size(), kLayouts - 1));
  std::vector<plan::Found> some;
  some.push_back(std::move(all.front()));
  for (const auto& [rate, i] : rates) {
    some.push_back(std::move(all[i]));
  }
  return some;
}

void Choosing::next_pair(Place& place, std::size_t pairs) {
  const auto alive_from = [&](std::size_t pair) {
    while (pair < pairs &&
           std::find(place.dead.begin(), place.dead.end(), pair) != place.dead.end()) {
      ++pair;
    }
    return pair;
  };
  place.slots = 0;
  place.pair = alive_from(place.pair + 1);
  if (place.pair >= pairs && ++place.count < place.counts.size()) {
    place.pair = alive_from(0);
  }
}

bool Choosing::gather(Place& place) {
  const Searches& searches = searches_[place.engine];
  const hardware::Device& device = cards_[place.card].device;
  const std::size_t pairs = searches.of_slots.front()->format_pairs_on(device);
  const std::size_t before = place.count;
  if (place.slots >= searches.slots.size()) {
    next_pair(place, pairs);
  }
  const bool first = place.slots == 0 && place.pair == 0 && place.count == 0;
  if (place.pair >= pairs || ((first || place.count != before) && !goes_on(place))) {
    return false;
  }
  const std::uint64_t count = place.counts[place.count];
  const std::size_t pair = place.pair;
  auto& search = *searches.of_slots[place.slots++];
  pending_ = likely(place, search.holding_on(device, count, pair, choice_.work));
  if (pending_.empty()) {
    place.slots = searches.slots.size();  // nor would more of them
  } else {
    if (place.slots == searches.slots.size() && in_turn(place)) {
      place.dead.push_back(pair);
    }
    place.starts = true;
    if (std::none_of(place.smallest.begin(), place.smallest.end(),
                     [pair](const Smallest& smallest) { return smallest.pair == pair; })) {
      place.smallest.push_back({pair, pending_.front()});
    }
  }
  if (auto copies = replicated(place, pair, count)) {
    const bool known = std::any_of(pending_.begin(), pending_.end(), [&](const plan::Found& found) {
      return found.layout == copies->layout;
    });
    if (!known) {
      pending_.push_back(std::move(*copies));
    }
  }
  std::reverse(pending_.begin(), pending_.end());
  return true;
}

void Choosing::leave(Place& place) {
  if (found_) {
    choice_.answers.push_back(std::move(*found_));
  } else if (place.beaten) {
    leave_out(place.engine, "Enough other cards carry the load with fewer.");
  } else {
    leave_out(place.engine,
              place.starts ? "No setup meets the wishes under the load." : "No setup starts.");
  }
  found_.reset();
  pending_.clear();
  place.smallest.clear();
  ++at_;
}

void Choosing::seek() {
  if (at_ >= places_.size()) {
    finish();
    return;
  }
  Place& place = places_[at_];
  const bool settled = found_ && query_.search.rank_by != plan::RankBy::headroom;
  if (!settled && !pending_.empty()) {
    plan::Found found = std::move(pending_.back());
    pending_.pop_back();
    start(place, std::move(found));
  } else if (settled || !gather(place)) {
    leave(place);
  }
}

/// Whether the setup is none that carries the load, by the draws that are over and the one at work.
/// What meets the wishes in the end is run to its end, for its figures.
bool Choosing::missed_too_many() const {
  const simulate::Progress progress = running_->progress();
  return (by_seed_.empty() || missed_ >= kMayMiss) &&
         static_cast<double>(progress.missed) >
             (1 - query_.slo.percentile) * static_cast<double>(progress.asked);
}

Check Choosing::take(simulate::Outcome outcome) {
  ++choice_.runs;
  Point point;
  const double answered = outcome.asked == 0 ? 0.0
                                             : static_cast<double>(outcome.finished) /
                                                   static_cast<double>(outcome.asked);
  point.share_meeting = (outcome.goodput ? outcome.goodput->share : 1.0) * answered;
  point.meets = point.share_meeting >= query_.slo.percentile;
  point.outcome = std::move(outcome);
  missed_ += point.meets ? 0 : 1;
  by_seed_.push_back(point.share_meeting);
  const bool first = by_seed_.size() == 1;
  if ((first && !point.meets) || missed_ > kMayMiss) {
    return std::nullopt;
  }
  if (first) {
    first_draw_ = std::move(point);
  }
  if (by_seed_.size() < query_.seeds) {
    return draw();
  }
  accept();
  return std::nullopt;
}

/// The setup that is tried, as the answer of its place.
void Choosing::accept() {
  const Place& place = places_[at_];
  Chosen chosen;
  chosen.point = std::move(first_draw_);
  const auto [least, most] = std::minmax_element(by_seed_.begin(), by_seed_.end());
  chosen.low = *least;
  chosen.high = *most;
  chosen.by_seed = std::move(by_seed_);
  plan::Answer& answer = chosen.answer;
  answer.engine = place.engine;
  answer.card = cards_[place.card].facts;
  if (cards_[place.card].price) {
    answer.price_per_hour = *cards_[place.card].price * static_cast<double>(trying_.count);
  }
  answer.found = std::move(trying_);
  Limiting limit = limiting(*deployment_, chosen.point.outcome);
  answer.limiting_term = std::string(limit.what);
  answer.reason = std::move(limit.text);
  if (!found_ || before(chosen, *found_)) {
    found_ = std::move(chosen);
  }
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
    if (!running_->done() && !missed_too_many()) {
      return std::nullopt;
    }
    const std::uint64_t used = std::max<std::uint64_t>(1, running_->progress().steps - before);
    const std::unique_ptr<simulate::Simulation> over = std::move(running_);
    if (auto error = take(over->outcome())) {
      return error;
    }
    steps -= std::min(steps, used);
  }
  return std::nullopt;
}

bool Choosing::before(const Chosen& a, const Chosen& b) const {
  const auto rate = [](const Chosen& c) { return -c.point.outcome.output_tokens_per_s; };
  switch (query_.search.rank_by) {
    case plan::RankBy::price:
      return std::tuple(price(a.answer), a.answer.found.count) <
             std::tuple(price(b.answer), b.answer.found.count);
    case plan::RankBy::headroom:
      return std::tuple(-a.low, rate(a)) < std::tuple(-b.low, rate(b));
    case plan::RankBy::cards:
      break;
  }
  return std::tuple(a.answer.found.count, price(a.answer)) <
         std::tuple(b.answer.found.count, price(b.answer));
}

void Choosing::finish() {
  done_ = true;
  auto& answers = choice_.answers;
  std::stable_sort(answers.begin(), answers.end(),
                   [this](const Chosen& a, const Chosen& b) { return before(a, b); });
  choice_.carriers = answers.size();
  if (answers.size() > query_.search.limit) {
    answers.resize(query_.search.limit);
  }
  const std::string stopped =
      "The search stopped before it was done: allow fewer cards, counts or formats.";
  if (answers.empty()) {
    choice_.none = choice_.work.spent()
                       ? stopped
                       : "No setup within the constraints meets the wishes under this load.";
    return;
  }
  const std::string_view where =
      " times, each time anew. A setup is given where it meets the wishes on the first draw and "
      "on ";
  choice_.notes.push_back(
      worded({"The load is drawn ", query_.seeds, where, query_.seeds - kMayMiss,
              " of them at least; its figures are those of the first."}));
  if (choice_.work.spent()) {
    choice_.notes.push_back(stopped);
  }
}

}  // namespace ridgepoint::serve
