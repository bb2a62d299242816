#include "load/demand_source.hpp"

#include <algorithm>
#include <cmath>

#include "exact_math.hpp"

namespace ridgepoint::load {
namespace {

constexpr std::uint64_t kArrivalStream = 1;
constexpr std::uint64_t kLengthStream = 2;

/// Of exponential gaps of mean 1, or of gamma gaps of mean 1.
double unit_gap(Random& random, const Arrivals& arrivals) {
  if (arrivals.kind == ArrivalKind::gamma) {
    return random.gamma(arrivals.burstiness) / arrivals.burstiness;
  }
  return random.exponential();
}

}  // namespace

DemandSource::DemandSource(const Load& load)
    : load_(&load),
      asked_(load.arrivals.kind == ArrivalKind::trace
                 ? std::min<std::uint64_t>(load.requests, load.trace.size())
                 : load.requests),
      arrivals_(load.seed, kArrivalStream),
      lengths_(load.seed, kLengthStream),
      gap_scale_(scale_of_gaps()) {
  if (load.arrivals.kind == ArrivalKind::closed) {
    free_.assign(load.arrivals.concurrency, 0.0);
  }
  draw_arrival();
}

double DemandSource::scale_of_gaps() const {
  const Arrivals& a = load_->arrivals;
  if (a.kind != ArrivalKind::gamma) {
    return 1 / a.rate;
  }
  // The same gaps once more, before any is given away.
  Random random(load_->seed, kArrivalStream);
  double sum = 0;
  for (std::uint64_t i = 0; i < asked_; ++i) {
    sum += unit_gap(random, a);
  }
  return sum > 0 ? static_cast<double>(asked_) / a.rate / sum : 1 / a.rate;
}

double DemandSource::gap() { return unit_gap(arrivals_, load_->arrivals) * gap_scale_; }

/// The time at which the rate, summed up since the last arrival, reaches an exponential variate.
double DemandSource::bursty_arrival() {
  const Arrivals& a = load_->arrivals;
  const double cycle = a.on_s + a.off_s;
  const double on_sum = std::min(a.peak * a.rate * a.on_s, a.rate * cycle);
  const double off_sum = a.rate * cycle - on_sum;
  const double whole = std::floor(at_ / cycle);
  const double phase = std::clamp(at_ - whole * cycle, 0.0, cycle);
  const double in_cycle =
      phase < a.on_s ? on_sum * (phase / a.on_s)
                     : on_sum + (a.off_s > 0 ? off_sum * ((phase - a.on_s) / a.off_s) : 0.0);
  const double sum = in_cycle + arrivals_.exponential();
  const double cycles = std::floor(sum / (a.rate * cycle));
  const double rest = sum - cycles * (a.rate * cycle);
  const double into = rest < on_sum || off_sum <= 0
                          ? a.on_s * (on_sum > 0 ? rest / on_sum : 1.0)
                          : a.on_s + a.off_s * ((rest - on_sum) / off_sum);
  return std::max(at_, (whole + cycles) * cycle + into);
}

void DemandSource::draw_arrival() {
  next_.reset();
  if (given_ == asked_) {
    return;
  }
  const Arrivals& a = load_->arrivals;
  switch (a.kind) {
    case ArrivalKind::poisson:
    case ArrivalKind::gamma:
      at_ += gap();
      break;
    case ArrivalKind::bursty:
      at_ = bursty_arrival();
      break;
    case ArrivalKind::closed:
      if (free_.empty()) {
        return;
      }
      at_ = free_.front();
      free_.pop_front();
      break;
    case ArrivalKind::at_once:
      break;
    case ArrivalKind::trace:
      at_ = load_->trace[given_].arrival_s / a.speed_up;
      break;
  }
  next_ = at_;
}

std::optional<double> DemandSource::next_arrival() const { return next_; }

std::uint32_t DemandSource::draw_length(const LengthRule& rule) {
  switch (load_->lengths.kind) {
    case LengthKind::uniform:
      return static_cast<std::uint32_t>(rule.least + lengths_.below(rule.most - rule.least + 1));
    case LengthKind::lognormal: {
      const double length = exact_exp(rule.mu + rule.sigma * lengths_.normal());
      const double whole = std::floor(length + 0.5);
      return static_cast<std::uint32_t>(std::clamp(whole, 1.0, static_cast<double>(rule.most)));
    }
    default:
      return static_cast<std::uint32_t>(rule.least);
  }
}

Pair DemandSource::draw_lengths() {
  const Lengths& lengths = load_->lengths;
  if (lengths.kind == LengthKind::pairs) {
    return lengths.pairs[lengths_.below(lengths.pairs.size())];
  }
  const std::uint32_t input = draw_length(lengths.input);
  return {input, draw_length(lengths.output)};
}

Demand DemandSource::next() {
  Demand demand;
  demand.arrival_s = *next_;
  Pair lengths = draw_lengths();
  std::uint32_t repeated = 0;
  if (load_->arrivals.kind == ArrivalKind::trace) {
    const TraceRow& row = load_->trace[given_];
    lengths.input = row.input != 0 ? row.input : lengths.input;
    lengths.output = row.output != 0 ? row.output : lengths.output;
    repeated = row.repeated;
  }
  demand.input = lengths.input;
  demand.output = lengths.output;
  const Prefix& prefix = load_->prefix;
  if (prefix.shared_tokens <= demand.input) {
    demand.shared = static_cast<std::uint32_t>(prefix.shared_tokens);
  }
  const double rest = static_cast<double>(demand.input - demand.shared);
  const double held = std::floor(rest * prefix.session_share);
  demand.session = std::max(
      repeated, held > 0 ? demand.shared + static_cast<std::uint32_t>(held) : std::uint32_t{0});
  ++given_;
  draw_arrival();
  return demand;
}

void DemandSource::ended(double at_s) {
  if (load_->arrivals.kind != ArrivalKind::closed) {
    return;
  }
  free_.push_back(std::max(at_s, at_));
  if (!next_) {
    draw_arrival();
  }
}

}  // namespace ridgepoint::load
