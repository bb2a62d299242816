#include "simulate/simulation.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "wording.hpp"

namespace ridgepoint::simulate {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kMostReplicas = 1024;
/// A million requests that come at once are taken in over many slices, so that one can be stopped.
constexpr std::uint64_t kArrivalsAtOnce = 64;
constexpr std::uint64_t kMostBlockTokens = 1U << 20U;
/// Units are multiplied by blocks of a request and added up.
constexpr std::uint64_t kMostUnits = 1ULL << 36U;

Check bad_schedule(std::string_view what) { return Error{"bad_schedule", std::string(what), ""}; }

bool is_time(double seconds) { return seconds >= 0 && seconds <= load::kLongest; }

Check check_slo(const Slo& slo) {
  const std::pair<std::string_view, double> wishes[] = {
      {"ttft_s", slo.ttft_s}, {"tpot_s", slo.tpot_s}, {"itl_s", slo.itl_s}, {"e2e_s", slo.e2e_s}};
  for (const auto& [name, seconds] : wishes) {
    if (!is_time(seconds)) {
      return Error{"bad_value", "A wish is a number of seconds above 0.", worded({"slo.", name})};
    }
  }
  if (!(slo.percentile > 0 && slo.percentile <= 1)) {
    return Error{"bad_value", "The percentile is above 0 and at most 1.", "slo.percentile"};
  }
  return std::nullopt;
}

Check check_pool(const Pool& pool) {
  if (pool.block_tokens == 0 || pool.block_tokens > kMostBlockTokens) {
    return bad_schedule("A block has 1 to 1,048,576 tokens.");
  }
  if (pool.budgets.empty() || pool.budgets.size() > kMostBudgets || pool.groups.empty() ||
      pool.groups.size() > kMostGroups) {
    return bad_schedule("A pool has one or two budgets and one to four groups of layers.");
  }
  for (const PoolGroup& group : pool.groups) {
    if (group.units > kMostUnits || group.budget >= pool.budgets.size()) {
      return bad_schedule("A group of layers takes units of one of the pool's budgets.");
    }
  }
  return std::nullopt;
}

Check check_inputs(const Inputs& inputs) {
  const engine::Schedule& schedule = inputs.schedule;
  if (schedule.max_num_seqs == 0 || schedule.max_num_batched_tokens == 0) {
    return bad_schedule("A step has room for at least one request and one token.");
  }
  if (schedule.replicas == 0 || schedule.replicas > kMostReplicas || schedule.front_ends == 0 ||
      schedule.front_ends > kMostReplicas) {
    return bad_schedule("There are 1 to 1,024 replicas, and as many front ends.");
  }
  if (!(schedule.watermark >= 0 && schedule.watermark < 1)) {
    return bad_schedule("The share of blocks kept free is from 0 to below 1.");
  }
  if (!(schedule.conservativeness >= 0 && schedule.conservativeness <= 1000)) {
    return bad_schedule("The conservativeness is from 0 to 1,000.");
  }
  const bool timers = !inputs.timers.empty() &&
                      std::all_of(inputs.timers.begin(), inputs.timers.end(),
                                  [](const speed::StepTimer* timer) { return timer != nullptr; });
  const speed::FrontEnd& front = inputs.front_end;
  if (!timers || !is_time(front.fixed_s) || !is_time(front.per_request_s) ||
      !is_time(front.per_token_s) || !is_time(front.per_output_s)) {
    return bad_schedule("There is a timer, and the front end's times are 0 or more.");
  }
  return check_pool(inputs.pool);
}

std::string refusals(const Tally& tally) {
  std::string text;
  const std::pair<std::uint64_t, std::string_view> kinds[] = {
      {tally.refused_length, " longer than the engine's maximum length. "},
      {tally.refused_pool, " longer than the whole cache. "},
      {tally.refused_step, " longer than a step, and prompts are not cut up. "},
  };
  for (const auto& [count, why] : kinds) {
    if (count != 0) {
      text += worded({grouped(count), count == 1 ? " request is" : " requests are", why});
    }
  }
  text.resize(text.empty() ? 0 : text.size() - 1);
  return text;
}

Series series_of(const TimeSeries& series) {
  Series out;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const TimeSeries::Bin& bin = series[i];
    const double width = series.width();
    out.t_s.push_back((static_cast<double>(i) + 0.5) * width);
    out.kv_share.push_back(bin.sum.kv_share / width);
    out.running.push_back(bin.sum.running / width);
    out.waiting.push_back(bin.sum.waiting / width);
    out.output_tokens_per_s.push_back(static_cast<double>(bin.tokens) / width);
    out.preemptions.push_back(static_cast<double>(bin.preemptions));
  }
  return out;
}

}  // namespace

Result<std::unique_ptr<Simulation>> Simulation::create(Inputs inputs) {
  if (auto wrong = load::check(inputs.load)) {
    return *std::move(wrong);
  }
  if (auto wrong = check_slo(inputs.slo)) {
    return *std::move(wrong);
  }
  if (auto wrong = check_inputs(inputs)) {
    return *std::move(wrong);
  }
  return std::unique_ptr<Simulation>(new Simulation(std::move(inputs)));
}

Simulation::Simulation(Inputs inputs)
    : inputs_(std::move(inputs)),
      source_(inputs_.load),
      front_end_(inputs_.front_end, inputs_.schedule.front_ends),
      left_out_(
          static_cast<std::uint64_t>(static_cast<double>(source_.asked()) * inputs_.load.warmup)) {
  const std::uint64_t replicas = inputs_.schedule.replicas;
  for (std::uint64_t i = 0; i < replicas; ++i) {
    copies_.push_back(
        {std::make_unique<Replica>(inputs_.schedule, inputs_.pool,
                                   *inputs_.timers[i % inputs_.timers.size()], inputs_.slo,
                                   inputs_.front_end.fixed_s, replicas, tally_),
         kNever, false, 0});
  }
}

std::uint64_t Simulation::next_copy() const {
  std::uint64_t next = 0;
  for (std::uint64_t i = 1; i < copies_.size(); ++i) {
    next = copies_[i].next_s < copies_[next].next_s ? i : next;
  }
  return next;
}

void Simulation::accept_next() {
  Ready next;
  next.demand = source_.next();
  last_arrival_s_ = next.demand.arrival_s;
  next.counted = accepted_++ >= left_out_;
  if (ready_.size() < front_end_.servers()) {
    read(next);
  } else {
    arrived_.push_back(next);
  }
}

void Simulation::read(Ready request) {
  request.ready_s = front_end_.read(request.demand.arrival_s, request.demand.input);
  const auto later = std::find_if(ready_.begin(), ready_.end(), [&](const Ready& other) {
    return other.ready_s > request.ready_s;
  });
  ready_.insert(later, request);
}

std::uint64_t Simulation::choose() {
  if (inputs_.balance == Balance::in_turn) {
    const std::uint64_t chosen = turn_;
    turn_ = turn_ + 1 == copies_.size() ? 0 : turn_ + 1;
    return chosen;
  }
  const auto loaded = [](const Copy& copy) {
    return copy.replica->running() + copy.replica->waiting();
  };
  const auto least =
      std::min_element(copies_.begin(), copies_.end(),
                       [&](const Copy& a, const Copy& b) { return loaded(a) < loaded(b); });
  return static_cast<std::uint64_t>(least - copies_.begin());
}

void Simulation::deal_next() {
  const Ready next = ready_.front();
  ready_.pop_front();
  if (!arrived_.empty()) {
    read(arrived_.front());
    arrived_.pop_front();
  }
  Copy& copy = copies_[choose()];
  const auto dealt = copy.replica->deal(next.demand, next.ready_s, next.counted);
  if (dealt != Replica::Dealt::queued) {
    source_.ended(next.ready_s);
  } else if (!copy.runs) {
    copy.next_s = std::min(copy.next_s, next.ready_s);
  }
}

/// What arrives, or leaves the front end, first and not after `until_s`. False when nothing does.
bool Simulation::take_arrivals(double until_s) {
  const double ready = ready_.empty() ? kNever : ready_.front().ready_s;
  const auto arrival = source_.next_arrival();
  if (arrival && *arrival <= std::min(until_s, ready)) {
    accept_next();
    return true;
  }
  if (ready < kNever && ready <= until_s) {
    deal_next();
    return true;
  }
  return false;
}

void Simulation::end_step(Copy& copy) {
  Replica& replica = *copy.replica;
  copy.runs = false;
  const double client = front_end_.deliver(now_, replica.sampled());
  const std::uint64_t over = replica.complete(now_, client);
  for (std::uint64_t i = 0; i < over; ++i) {
    source_.ended(client + inputs_.front_end.fixed_s);
  }
  copy.idle_since = now_;
}

void Simulation::start_step(Copy& copy) {
  tally_.idle_s += now_ - copy.idle_since;
  copy.idle_since = now_;
  const auto seconds = copy.replica->start(now_);
  if (!seconds) {
    failed_ = seconds.error();
    return;
  }
  copy.runs = *seconds > 0;
  copy.next_s = copy.runs ? now_ + *seconds : kNever;
}

void Simulation::note_peaks() {
  double kv = 0;
  std::uint64_t running = 0;
  std::uint64_t waiting = 0;
  for (const Copy& copy : copies_) {
    kv += copy.replica->share_in_use();
    running += copy.replica->requests().running();
    waiting += copy.replica->waiting();
  }
  tally_.kv_peak = std::max(tally_.kv_peak, kv / static_cast<double>(copies_.size()));
  tally_.running_peak = std::max(tally_.running_peak, running);
  tally_.waiting_peak = std::max(tally_.waiting_peak, waiting);
}

bool Simulation::advance_once() {
  for (std::uint64_t arrivals = 0; arrivals < kArrivalsAtOnce;) {
    const std::uint64_t next = next_copy();
    const double at = copies_[next].next_s;
    if (take_arrivals(at)) {
      ++arrivals;
      continue;
    }
    if (at == kNever) {
      return false;
    }
    now_ = at;
    Copy& copy = copies_[next];
    if (copy.runs) {
      end_step(copy);
      // Those that a closed loop sends at once are there before the next step is planned.
      copy.next_s = now_;
      continue;
    }
    start_step(copy);
    note_peaks();
    return !failed_;
  }
  return true;
}

Check Simulation::advance(std::uint64_t steps) {
  for (std::uint64_t i = 0; i < steps && !done_ && !failed_; ++i) {
    done_ = !advance_once() && !failed_;
  }
  return failed_;
}

Progress Simulation::progress() const {
  Progress progress;
  progress.done = done_;
  progress.asked = source_.asked();
  progress.finished = tally_.finished;
  const std::uint64_t over =
      tally_.finished + tally_.refused_length + tally_.refused_pool + tally_.refused_step;
  progress.share = static_cast<double>(over) / static_cast<double>(progress.asked);
  progress.time_s = now_;
  progress.steps = tally_.steps;
  progress.missed = tally_.counted - tally_.kept;
  for (const Copy& copy : copies_) {
    progress.running += copy.replica->requests().running();
    progress.waiting += copy.replica->waiting();
    progress.kv_share += copy.replica->share_in_use() / static_cast<double>(copies_.size());
  }
  return progress;
}

Outcome Simulation::outcome() const {
  const Tally& t = tally_;
  Outcome out;
  out.stopped = !done_;
  out.asked = source_.asked();
  out.finished = t.finished;
  out.refused = t.refused_length + t.refused_pool + t.refused_step;
  out.refused_why = refusals(t);
  out.duration_s = t.end_s;
  out.last_arrival_s = last_arrival_s_;
  out.last_admitted_s = t.last_admitted_s;
  out.ttft_s = t.ttft.distribution();
  out.tpot_s = t.tpot.distribution();
  out.itl_s = t.itl.distribution();
  out.e2e_s = t.e2e.distribution();
  out.queue_s = t.queue.distribution();
  const double seconds = t.end_s > 0 ? t.end_s : 1;
  out.requests_per_s = static_cast<double>(t.finished) / seconds;
  out.output_tokens_per_s = static_cast<double>(t.output_tokens) / seconds;
  out.total_tokens_per_s = static_cast<double>(t.output_tokens + t.input_tokens) / seconds;
  if (inputs_.slo.any()) {
    const double share =
        t.counted == 0 ? 0.0 : static_cast<double>(t.kept) / static_cast<double>(t.counted);
    out.goodput = Goodput{share * out.requests_per_s, share,
                          t.counted != 0 && share >= inputs_.slo.percentile};
  }
  out.kv_tokens = inputs_.pool.tokens * copies_.size();
  out.kv_share = {t.kv_seconds / seconds, t.kv_peak};
  out.running = {t.running_seconds / seconds, static_cast<double>(t.running_peak)};
  out.waiting = {t.waiting_seconds / seconds, static_cast<double>(t.waiting_peak)};
  out.preemptions = t.preemptions;
  out.recomputed_tokens = t.recomputed_tokens;
  out.prefix_hit_tokens = t.prefix_hit_tokens;
  out.computed_tokens = t.computed_tokens;
  out.output_tokens = t.output_tokens;
  out.sampled_tokens = t.sampled_tokens;
  out.steps = t.steps;
  out.decode_steps = t.decode_steps;
  out.step_time = t.time;
  out.idle_s = t.idle_s;
  out.series = series_of(t.series);
  return out;
}

}  // namespace ridgepoint::simulate
