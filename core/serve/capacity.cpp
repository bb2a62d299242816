#include "serve/capacity.hpp"

#include <algorithm>
#include <cmath>

#include "load/mean_lengths.hpp"

namespace ridgepoint::serve {
namespace {

using load::ArrivalKind;

constexpr double kFine = 0.01;
constexpr double kCoarse = 0.03;
/// Below this a change is within what the draws of a load differ by.
constexpr double kWorthIt = 0.03;
constexpr double kPilesUp = 1.05;
/// Shares of the best value at which the curve is drawn.
constexpr double kCurve[] = {0.1, 0.25, 0.4, 0.55, 0.7, 0.8, 0.9, 0.95, 1.0, 1.05, 1.15, 1.3, 1.5};
/// Runs that a bisection takes from a good guess, on average, for the progress shown.
constexpr double kRunsOfOne = 7;
constexpr double kRunsOfAnother = 5;
constexpr std::uint64_t kFewestOfALoop = 200;
/// Arrivals of a run go on for ten times what a request may take, and for a minute at least: a
/// queue that grows has then grown out of the wishes.
constexpr double kLongestWishes = 10;
constexpr double kShortestRun = 60;
constexpr double kMostOfARun = 20'000;
constexpr std::uint64_t kMostOfALoop = 4000;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 2];
}

/// Requests a second of a trace as it was recorded.
double natural_rate(const load::Load& load) {
  const double span = load.trace.empty() ? 0.0 : load.trace.back().arrival_s;
  return span > 0 ? static_cast<double>(load.trace.size()) / span : 0.0;
}

/// How far a point lies from the straight line between the first and the last, both axes taken
/// from 0 to 1: where latency begins to rise faster than output.
std::optional<double> knee_of(const std::vector<Point>& curve) {
  if (curve.size() < 4) {
    return std::nullopt;
  }
  const auto x = [&](const Point& p) { return p.value; };
  const auto y = [&](const Point& p) { return p.outcome.e2e_s.p50; };
  const double x0 = x(curve.front());
  const double x1 = x(curve.back());
  const double y0 = y(curve.front());
  const double y1 = y(curve.back());
  if (!(x1 > x0) || !(y1 > y0)) {
    return std::nullopt;
  }
  std::optional<double> knee;
  double furthest = 0.05;
  for (const Point& point : curve) {
    const double below = (x(point) - x0) / (x1 - x0) - (y(point) - y0) / (y1 - y0);
    if (below > furthest) {
      furthest = below;
      knee = point.value;
    }
  }
  return knee;
}

}  // namespace

Result<std::unique_ptr<Capacity>> Capacity::make(plan::Request request, CapacityQuery query) {
  const ArrivalKind kind = query.load.arrivals.kind;
  if (query.over == Over::rate && (kind == ArrivalKind::closed || kind == ArrivalKind::at_once)) {
    return Error{"bad_value",
                 "A load that comes at once or user by user has no rate to turn up; ask for the "
                 "largest concurrency, or give poisson, gamma, bursty or a trace.",
                 "load.arrivals.kind"};
  }
  if (query.over == Over::concurrency && !query.slo.any()) {
    return Error{"missing_field",
                 "Any number of users is served by waiting: say what they may wait for, such as "
                 "slo.ttft_s or slo.tpot_s.",
                 "slo"};
  }
  if (kind == ArrivalKind::trace && query.over == Over::rate && !(natural_rate(query.load) > 0)) {
    return Error{"bad_trace",
                 "All rows of the trace arrive at one time, so it has no rate to turn.",
                 "load.arrivals.text"};
  }
  auto deployment = Deployment::serving(std::move(request), query.load);
  if (!deployment) {
    return deployment.error();
  }
  auto made =
      std::unique_ptr<Capacity>(new Capacity(std::move(deployment.value()), std::move(query)));
  if (auto error = made->go_on()) {
    return *std::move(error);
  }
  return made;
}

Capacity::Capacity(std::unique_ptr<Deployment> deployment, CapacityQuery query)
    : deployment_(std::move(deployment)), query_(std::move(query)) {
  if (query_.over == Over::concurrency) {
    query_.load.arrivals.kind = ArrivalKind::closed;
  }
  if (query_.changes) {
    remedies_ = remedies(*deployment_);
  }
  expected_runs_ = kRunsOfOne + kRunsOfAnother * static_cast<double>(query_.seeds - 1) +
                   static_cast<double>(std::size(kCurve)) +
                   kRunsOfAnother * static_cast<double>(remedies_.size());
}

double Capacity::share() const {
  return done() ? 1.0
                : std::min(0.99, static_cast<double>(answer_.runs) / std::max(1.0, expected_runs_));
}

std::string_view Capacity::note() const {
  switch (phase_) {
    case Phase::seeds:
      return "seed";
    case Phase::curve:
      return "curve";
    case Phase::changes:
      return "change";
    case Phase::done:
      break;
  }
  return "";
}

Bisection::Bounds Capacity::bounds(double tolerance) const {
  Bisection::Bounds bounds;
  bounds.tolerance = tolerance;
  if (query_.over == Over::concurrency) {
    bounds.whole = true;
    bounds.least = 1;
    bounds.most = static_cast<double>(load::kMostConcurrency);
  } else {
    bounds.least = 1e-4;
    bounds.most = 1e6;
  }
  if (query_.over == Over::rate && query_.load.arrivals.kind == ArrivalKind::trace) {
    // As much as a trace may be slowed down and sped up.
    constexpr double kTurns = 1e6;
    const double natural = natural_rate(query_.load);
    bounds.least = std::max(bounds.least, natural / kTurns);
    bounds.most = std::min(bounds.most, natural * kTurns);
  }
  if (query_.most > 0) {
    bounds.most = std::max(bounds.least, std::min(bounds.most, query_.most));
  }
  return bounds;
}

load::Load Capacity::load_at(double value, std::uint64_t seed) const {
  load::Load load = query_.load;
  load.seed = query_.load.seed + seed;
  if (query_.over == Over::concurrency) {
    load.arrivals.concurrency = static_cast<std::uint64_t>(value);
    if (!query_.requests_given) {
      load.requests = std::clamp(10 * load.arrivals.concurrency, kFewestOfALoop,
                                 std::max(kMostOfALoop, 2 * load.arrivals.concurrency));
    }
  } else if (load.arrivals.kind == ArrivalKind::trace) {
    load.arrivals.speed_up = value / natural_rate(load);
  } else {
    load.arrivals.rate = value;
    if (!query_.requests_given) {
      const double wish = std::max(query_.slo.ttft_s, query_.slo.e2e_s);
      const double seconds = std::max(kShortestRun, kLongestWishes * wish);
      load.requests = std::max(load.requests,
                               static_cast<std::uint64_t>(std::min(kMostOfARun, value * seconds)));
    }
  }
  return load;
}

double Capacity::first_guess() {
  const load::MeanLengths mean =
      load::mean_lengths(load_at(query_.over == Over::concurrency ? 1.0 : 1e-3, 0));
  const double rate = deployment_->expected_rate(mean.input, mean.output);
  if (query_.over == Over::rate) {
    return rate * 0.8;
  }
  return std::max(1.0, static_cast<double>(deployment_->memory().max_requests.best) / 4);
}

bool Capacity::piles_up(const simulate::Outcome& outcome) const {
  return query_.over == Over::rate && outcome.last_admitted_s > kPilesUp * outcome.last_arrival_s;
}

bool Capacity::hopeless(const simulate::Progress& progress) const {
  const bool drawn = phase_ == Phase::curve || (phase_ == Phase::seeds && answer_.by_seed.empty());
  return !drawn && query_.slo.any() &&
         static_cast<double>(progress.missed) >
             (1 - query_.slo.percentile) * static_cast<double>(progress.asked);
}

Check Capacity::start(Deployment& deployment, double value, std::uint64_t seed) {
  auto simulation =
      simulate::Simulation::create(deployment.inputs(load_at(value, seed), query_.slo));
  if (!simulation) {
    return simulation.error();
  }
  running_ = std::move(simulation.value());
  value_ = value;
  return std::nullopt;
}

Check Capacity::advance(std::uint64_t steps) {
  if (done() || !running_) {
    return std::nullopt;
  }
  const std::uint64_t before = running_->progress().steps;
  if (auto error = running_->advance(steps)) {
    return error;
  }
  if (!running_->done() && !hopeless(running_->progress())) {
    return std::nullopt;
  }
  const std::uint64_t used = running_->progress().steps - before;
  take(running_->outcome());
  running_.reset();
  if (auto error = go_on()) {
    return error;
  }
  return used < steps && !done() ? advance(steps - std::max<std::uint64_t>(1, used)) : std::nullopt;
}

void Capacity::take(simulate::Outcome outcome) {
  ++answer_.runs;
  Point point;
  point.value = value_;
  // A request that is refused gets no answer, and so none in time.
  const double answered = outcome.asked == 0 ? 0.0
                                             : static_cast<double>(outcome.finished) /
                                                   static_cast<double>(outcome.asked);
  point.share_meeting = (outcome.goodput ? outcome.goodput->share : 1.0) * answered;
  const bool wishes = !query_.slo.any() || point.share_meeting >= query_.slo.percentile;
  point.piles_up = piles_up(outcome);
  point.meets = wishes && outcome.finished > 0 && !point.piles_up;
  point.outcome = std::move(outcome);
  if (bisection_) {
    bisection_->told(point.meets);
  }
  if (phase_ == Phase::curve || (phase_ == Phase::seeds && answer_.by_seed.empty())) {
    known_.push_back(std::move(point));
  }
}

Check Capacity::go_on() {
  switch (phase_) {
    case Phase::seeds:
      return next_of_seeds();
    case Phase::curve:
      return next_of_curve();
    case Phase::changes:
      return next_of_changes();
    case Phase::done:
      break;
  }
  return std::nullopt;
}

Check Capacity::next_of_seeds() {
  if (bisection_ && !bisection_->next()) {
    answer_.by_seed.push_back(bisection_->best().value_or(0.0));
    bisection_.reset();
    // What the first draw of a load does not meet at all, no other is asked about.
    if (answer_.by_seed.size() >= query_.seeds || answer_.by_seed.front() == 0) {
      settle();
      phase_ = Phase::curve;
      return next_of_curve();
    }
  }
  if (!bisection_) {
    const double guess = answer_.by_seed.empty() ? first_guess() : answer_.by_seed.front();
    bisection_.emplace(bounds(kFine), guess);
  }
  return start(*deployment_, *bisection_->next(), answer_.by_seed.size());
}

void Capacity::settle() {
  const auto [least, most] = std::minmax_element(answer_.by_seed.begin(), answer_.by_seed.end());
  answer_.low = *least;
  answer_.high = *most;
  const double middle = median(answer_.by_seed);
  if (middle > 0) {
    answer_.best = middle;
    for (const double part : kCurve) {
      double value = middle * part;
      if (query_.over == Over::concurrency) {
        value = std::max(1.0, std::floor(value + 0.5));
      }
      if (query_.most <= 0 || value <= query_.most) {
        curve_values_.push_back(value);
      }
    }
    curve_values_.erase(std::unique(curve_values_.begin(), curve_values_.end()),
                        curve_values_.end());
    std::reverse(curve_values_.begin(), curve_values_.end());
  }
}

Check Capacity::next_of_curve() {
  while (!curve_values_.empty()) {
    const double value = curve_values_.back();
    curve_values_.pop_back();
    const bool known = std::any_of(known_.begin(), known_.end(), [&](const Point& point) {
      return std::abs(point.value - value) <= kFine / 2 * value;
    });
    if (!known) {
      return start(*deployment_, value, 0);
    }
  }
  finish_curve();
  phase_ = Phase::changes;
  return next_of_changes();
}

void Capacity::finish_curve() {
  std::sort(known_.begin(), known_.end(),
            [](const Point& a, const Point& b) { return a.value < b.value; });
  const Point* failing = nullptr;
  for (const Point& point : known_) {
    const bool past = answer_.best && point.value > *answer_.best * 1.6;
    if (!past) {
      answer_.curve.push_back(point);
    }
    if (!point.meets && (failing == nullptr || point.value < failing->value)) {
      failing = &point;
    }
    if (answer_.best &&
        (!answer_.at_best || std::abs(point.value - *answer_.best) <
                                 std::abs(answer_.at_best->value - *answer_.best))) {
      answer_.at_best = point;
    }
  }
  answer_.knee = knee_of(answer_.curve);
  if (failing != nullptr) {
    answer_.limiting = limiting(*deployment_, failing->outcome);
  }
}

Check Capacity::next_of_changes() {
  for (;;) {
    if (bisection_ && bisection_->next()) {
      return start(*changed_, *bisection_->next(), 0);
    }
    if (bisection_) {
      const double best = bisection_->best().value_or(0.0);
      if (best > answer_.by_seed.front() * (1 + kWorthIt)) {
        answer_.gains.push_back({remedies_[next_remedy_ - 1], best, changed_->cards()});
        Remedy& remedy = answer_.gains.back().remedy;
        const bool full = answer_.limiting && answer_.limiting->what == "kv_pool";
        if (!full && !remedy.how_with_room.empty()) {
          remedy.how = remedy.how_with_room;
        }
      }
      bisection_.reset();
    }
    if (next_remedy_ >= remedies_.size()) {
      break;
    }
    plan::Request request = deployment_->request();
    const Remedy& remedy = remedies_[next_remedy_++];
    if (plan::apply(remedy.change, request)) {
      continue;  // the model has a format already, say
    }
    auto changed = Deployment::make(std::move(request));
    if (!changed) {
      continue;  // the engine refuses the change, or does not start with it
    }
    changed_ = std::move(changed.value());
    const double guess =
        answer_.best ? answer_.by_seed.front() * (1 + kCoarse) : bounds(kCoarse).least;
    bisection_.emplace(bounds(kCoarse), guess);
  }
  std::stable_sort(answer_.gains.begin(), answer_.gains.end(), [](const Gain& a, const Gain& b) {
    return a.cards != b.cards ? a.cards < b.cards : a.best > b.best;
  });
  phase_ = Phase::done;
  return std::nullopt;
}

}  // namespace ridgepoint::serve
