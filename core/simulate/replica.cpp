#include "simulate/replica.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "wording.hpp"

namespace ridgepoint::simulate {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

std::uint64_t share_of(std::uint64_t units, double share) {
  return static_cast<std::uint64_t>(static_cast<double>(units) * share);
}

}  // namespace

Replica::Replica(const engine::Schedule& schedule, const Pool& pool, speed::StepTimer& timer,
                 const Slo& slo, double fixed_s, std::uint64_t count, Tally& tally)
    : schedule_(schedule),
      timer_(timer),
      slo_(slo),
      fixed_s_(fixed_s),
      count_(static_cast<double>(count)),
      tally_(tally),
      scheduler_(make_scheduler(schedule)),
      reserves_(scheduler_->reserves()),
      state_slots_(pool.state_slots),
      ledger_(pool),
      decodes_(requests_, ledger_, timer.caps(), !reserves_, slo.itl_s > 0 ? slo.itl_s : kNever) {}

// --- The queue -----------------------------------------------------------------------------------

Replica::Dealt Replica::deal(const load::Demand& demand, double ready_s, bool counted) {
  const std::uint64_t total = std::uint64_t{demand.input} + demand.output;
  if (schedule_.max_model_len != 0 && total > schedule_.max_model_len) {
    ++tally_.refused_length;
    return Dealt::longer_than_limit;
  }
  Units most = ledger_.total();
  most[0] -= share_of(most[0], schedule_.watermark);
  const Units needed = ledger_.units_of(total);
  if (needed[0] > most[0] || needed[1] > most[1]) {
    ++tally_.refused_pool;
    return Dealt::longer_than_pool;
  }
  if (scheduler_->refuses(total)) {
    ++tally_.refused_step;
    return Dealt::longer_than_step;
  }
  if (demand.shared != 0 && shared_tokens_ == 0) {
    shared_tokens_ = demand.shared / ledger_.block_tokens() * ledger_.block_tokens();
  }
  longest_output_ = std::max<std::uint64_t>(longest_output_, demand.output);
  queue_.push_back({demand.arrival_s, ready_s, demand.input, demand.output, demand.session,
                    demand.shared, counted, kNone});
  return Dealt::queued;
}

/// Tokens at the front of a prompt that the cache holds by others.
std::uint64_t Replica::known_tokens(std::uint32_t session, std::uint32_t shared) const {
  if (!schedule_.prefix_caching) {
    return 0;
  }
  return std::max<std::uint64_t>(session, shared_cached_ ? shared : 0);
}

/// Tokens of a preempted request whose blocks nothing has taken yet. vLLM's free blocks are a queue
/// to whose end freed ones go, the last of a request first (v1/core/kv_cache_manager.py, free).
std::uint64_t Replica::left_over(const Request& request) const {
  const bool queued = schedule_.scheduler == engine::Scheduler::vllm_v1 && ledger_.plain();
  if (!queued || !schedule_.prefix_caching) {
    return 0;
  }
  const std::uint64_t taken = ledger_.taken() - request.freed_mark;
  const std::uint64_t lost = taken - std::min(taken, request.freed_ahead);
  const std::uint64_t blocks = request.computed / ledger_.block_tokens();
  const std::uint64_t last = request.computed % ledger_.block_tokens() != 0 ? 1 : 0;
  return (blocks - std::min(blocks, lost - std::min(lost, last))) * ledger_.block_tokens();
}

Candidate Replica::candidate_of(std::uint64_t tokens, std::uint64_t total, std::uint32_t shared,
                                std::uint64_t known) const {
  Candidate c;
  c.target = tokens;
  c.total = total;
  const std::uint64_t block = ledger_.block_tokens();
  // The last token is computed in any case: it is what the next one comes from.
  c.cached = std::min(known, c.target - 1) / block * block;
  c.shares = shared_cached_ && shared != 0 && shared_tokens_ != 0 && c.cached >= shared_tokens_ &&
             !reserves_;
  return c;
}

std::optional<Candidate> Replica::head(double seen_s) const {
  if (queue_.empty() || queue_.front().ready_s > seen_s) {
    return std::nullopt;
  }
  const Queued& queued = queue_.front();
  const std::uint64_t total = std::uint64_t{queued.input} + queued.output;
  std::uint64_t known = known_tokens(queued.session, queued.shared);
  std::uint64_t tokens = queued.input;
  if (queued.slot != kNone) {
    const Request& request = requests_[queued.slot];
    tokens += request.generated;
    known = std::max(known, left_over(request));
  }
  Candidate candidate = candidate_of(tokens, total, queued.shared, known);
  candidate.slot = queued.slot;
  return candidate;
}

// --- Blocks --------------------------------------------------------------------------------------

Units Replica::common() const { return ledger_.common_units(shared_tokens_); }

Units Replica::held(const Request& request) const {
  if (reserves_) {
    return ledger_.units_of(std::uint64_t{request.input} + request.output);
  }
  Units units = ledger_.units_of(request.computed);
  if (request.shares) {
    const Units in_common = common();
    units[0] -= in_common[0];
    units[1] -= in_common[1];
  }
  return units;
}

Units Replica::cost(const Candidate& candidate, std::uint64_t tokens) const {
  Units units = ledger_.units_of(reserves_ ? candidate.total : tokens);
  if (candidate.shares && sharers_ != 0) {
    const Units in_common = common();
    units[0] -= in_common[0];
    units[1] -= in_common[1];
  }
  return units;
}

bool Replica::fits(const Candidate& candidate, std::uint64_t tokens, Units kept) const {
  if (state_slots_ != 0 && running() >= state_slots_) {
    return false;
  }
  Units units = cost(candidate, tokens);
  units[0] += kept[0];
  units[1] += kept[1];
  return ledger_.fits(units);
}

void Replica::share(Request& request) {
  request.shares = true;
  ++sharers_;
}

/// The first that computes the shared prompt leaves it to those that follow; its blocks are theirs
/// too from then on.
void Replica::note_shared(Request& request) {
  const bool whole = shared_tokens_ != 0 && request.shared != 0 &&
                     request.computed >= shared_tokens_ && schedule_.prefix_caching;
  if (!whole || shared_cached_) {
    return;
  }
  shared_cached_ = true;
  if (!reserves_) {
    share(request);
  }
}

void Replica::give_back(Request& request) {
  ledger_.give(held(request));
  if (request.shares) {
    request.shares = false;
    if (--sharers_ == 0) {
      ledger_.give(common());
    }
  }
}

// --- What schedulers do
// ---------------------------------------------------------------------------

std::uint64_t Replica::computed(Slot slot) const {
  const Request& request = requests_[slot];
  return request.stage == Stage::decoding ? decodes_.computed(slot) : request.computed;
}

std::uint64_t Replica::generated(Slot slot) const {
  const Request& request = requests_[slot];
  return request.stage == Stage::decoding ? decodes_.generated(slot) : request.generated;
}

Slot Replica::dequeue(const Candidate& candidate) {
  const Queued queued = queue_.front();
  queue_.pop_front();
  if (queued.slot != kNone) {
    const std::uint64_t had = requests_[queued.slot].computed;
    tally_.recomputed_tokens += had - std::min(had, candidate.cached);
    return queued.slot;
  }
  const Slot slot = requests_.add();
  Request& request = requests_[slot];
  request.arrival_s = queued.arrival_s;
  request.input = queued.input;
  request.output = queued.output;
  request.session = queued.session;
  request.shared = queued.shared;
  request.counted = queued.counted;
  request.admitted_s = now_;
  tally_.prefix_hit_tokens += candidate.cached;
  if (queued.counted) {
    tally_.queue.add(now_ - queued.arrival_s);
  }
  return slot;
}

void Replica::plan_chunk(Slot slot, std::uint64_t chunk, StepPlan& plan) {
  Request& request = requests_[slot];
  plan.chunks.push_back(
      {slot, chunk, request.computed, request.computed + chunk == request.target});
  request.computed += chunk;
  request.stage = request.computed == request.target ? Stage::ending : Stage::prefilling;
  note_shared(request);
}

void Replica::admit(const Candidate& candidate, std::uint64_t chunk, StepPlan& plan) {
  const Units units = cost(candidate, candidate.cached + chunk);
  const Slot slot = dequeue(candidate);
  Request& request = requests_[slot];
  request.target = candidate.target;
  request.computed = candidate.cached;
  ledger_.take(units);
  if (candidate.shares) {
    share(request);
  }
  requests_.append_running(slot);
  plan_chunk(slot, chunk, plan);
  if (request.stage == Stage::prefilling) {
    prefilling_.push_back(slot);
  }
}

void Replica::extend(Slot slot, std::uint64_t chunk, StepPlan& plan) {
  Request& request = requests_[slot];
  if (!reserves_) {
    ledger_.take(ledger_.growth(request.computed, request.computed + chunk));
  }
  plan_chunk(slot, chunk, plan);
  if (request.stage == Stage::ending) {
    std::erase(prefilling_, slot);
  }
}

void Replica::decode_all(StepPlan& plan) {
  if (decodes_.size() != 0) {
    ledger_.take(decodes_.needed());
    plan.decode = true;
  }
}

Units Replica::next_need(Slot slot) const {
  const std::uint64_t tokens = computed(slot);
  return reserves_ ? Units{} : ledger_.growth(tokens, tokens + 1);
}

void Replica::preempt(Slot slot, bool first) {
  Request& request = requests_[slot];
  if (request.stage == Stage::decoding) {
    decodes_.remove(slot);
  } else {
    std::erase(prefilling_, slot);
  }
  const std::uint64_t ahead = ledger_.free()[0];
  give_back(request);
  request.freed_ahead = ahead;
  request.freed_mark = ledger_.taken();
  request.stage = Stage::waiting;
  requests_.remove_running(slot);
  // It was seen before, whatever the engine has seen since.
  const Queued queued = {
      request.arrival_s, 0,   request.input, request.output, request.session, request.shared,
      request.counted,   slot};
  if (first) {
    queue_.push_front(queued);
  } else {
    queue_.push_back(queued);
  }
  ++tally_.preemptions;
  tally_.series.count(now_, 0, 1);
}

void Replica::skip(Slot slot, StepPlan& plan) {
  decodes_.remove(slot);
  requests_[slot].stage = Stage::decoding;
  plan.skipped.push_back(slot);
}

// --- Steps ---------------------------------------------------------------------------------------

void Replica::release(Slot slot) {
  give_back(requests_[slot]);
  requests_.remove(slot);
  ++gone_;
}

void Replica::release_finished() {
  for (const Slot slot : releasing_) {
    release(slot);
  }
  releasing_.clear();
}

void Replica::fill_load() {
  load_ = {};
  chunks_.clear();
  if (plan_.decode) {
    decodes_.fill(load_);
  }
  load_.sampled = load_.decoding;
  tally_.computed_tokens += load_.decoding;
  for (const PlannedChunk& chunk : plan_.chunks) {
    chunks_.push_back({chunk.tokens, chunk.cached});
    load_.sampled += chunk.ends ? 1 : 0;
    tally_.computed_tokens += chunk.tokens;
  }
  load_.chunks = chunks_;
}

Result<double> Replica::step_seconds() {
  const speed::StepTime time = timer_.time(load_);
  if (!(time.total > 0) || !std::isfinite(time.total)) {
    return Error{"bad_step_time",
                 worded({"A step of ", load_.decoding, " decoding requests and ",
                         std::uint64_t{chunks_.size()}, " prompts has no duration."}),
                 ""};
  }
  speed::add(tally_.time, time);
  ++tally_.steps;
  tally_.decode_steps += plan_.chunks.empty() ? 1 : 0;
  tally_.sampled_tokens += load_.sampled;
  return time.total;
}

void Replica::hold_levels(double start_s, double end_s) {
  const Level level = {ledger_.share_in_use() / count_, static_cast<double>(requests_.running()),
                       static_cast<double>(waiting())};
  const double seconds = end_s - start_s;
  tally_.series.hold(start_s, end_s, level);
  tally_.kv_seconds += level.kv_share * seconds;
  tally_.running_seconds += level.running * seconds;
  tally_.waiting_seconds += level.waiting * seconds;
}

Result<double> Replica::start(double now) {
  // An engine that plans a step while the one before runs has seen what came before that began,
  // and not yet what that brings to an end.
  const double seen = schedule_.overlapped && ran_ ? now_ : now;
  ran_ = false;
  now_ = now;
  plan_.clear();
  scheduler_->plan(*this, plan_, seen);
  const bool nothing = plan_.empty();
  release_finished();
  if (nothing) {
    scheduler_->plan(*this, plan_, now);
  }
  if (plan_.empty()) {
    free_since_ = now;
    if (waiting() != 0) {
      return Error{"stalled", "Requests wait and nothing runs that could make room for them.", ""};
    }
    return 0.0;
  }
  fill_load();
  return step_seconds();
}

bool Replica::keeps_wishes(const Request& request, double ttft, double tpot, double e2e) const {
  const auto gaps = static_cast<double>(request.output - 1);
  const bool late = static_cast<double>(request.late) > (1 - slo_.percentile) * gaps + 1e-9;
  return (slo_.ttft_s <= 0 || ttft <= slo_.ttft_s) && (slo_.tpot_s <= 0 || tpot <= slo_.tpot_s) &&
         (slo_.e2e_s <= 0 || e2e <= slo_.e2e_s) && (slo_.itl_s <= 0 || !late);
}

void Replica::finish(Slot slot) {
  Request& request = requests_[slot];
  request.stage = Stage::over;
  requests_.remove_running(slot);
  ++tally_.finished;
  tally_.input_tokens += request.input;
  if (request.last_token_s >= tally_.last_end_s) {
    tally_.last_end_s = request.last_token_s;
    tally_.last_admitted_s = request.admitted_s;
  }
  if (request.counted) {
    const double ttft = request.first_token_s + fixed_s_ - request.arrival_s;
    const double e2e = request.last_token_s + fixed_s_ - request.arrival_s;
    const double gaps = static_cast<double>(request.output - 1);
    const double tpot = gaps > 0 ? (e2e - ttft) / gaps : 0.0;
    ++tally_.counted;
    tally_.ttft.add(ttft);
    tally_.e2e.add(e2e);
    if (gaps > 0) {
      tally_.tpot.add(tpot);
    }
    tally_.kept += keeps_wishes(request, ttft, tpot, e2e) ? 1 : 0;
  }
  if (schedule_.overlapped) {
    releasing_.push_back(slot);
  } else {
    release(slot);
  }
}

void Replica::emit_prompt_token(Slot slot, double client_s) {
  Request& request = requests_[slot];
  if (request.generated == 0) {
    request.first_token_s = client_s;
  } else {
    const double gap = client_s - request.last_token_s;
    request.late += slo_.itl_s > 0 && gap > slo_.itl_s ? 1 : 0;
    if (request.counted) {
      tally_.itl.add(gap);
    }
  }
  request.last_token_s = client_s;
  ++request.generated;
  if (request.generated == request.output) {
    over_.push_back(slot);
  } else {
    decodes_.add(slot);
  }
}

std::uint64_t Replica::complete(double end_s, double client_s) {
  hold_levels(now_, end_s);
  over_.clear();
  if (plan_.decode) {
    decodes_.step(client_s, tally_.itl, over_);
  }
  for (const Slot slot : plan_.skipped) {
    decodes_.add(slot);
  }
  for (const PlannedChunk& chunk : plan_.chunks) {
    if (chunk.ends) {
      emit_prompt_token(chunk.slot, client_s);
    }
  }
  for (const Slot slot : over_) {
    finish(slot);
  }
  tally_.output_tokens += load_.sampled;
  tally_.series.count(end_s, load_.sampled, 0);
  tally_.end_s = std::max(tally_.end_s, client_s);
  ran_ = true;
  free_since_ = end_s;
  return over_.size();
}

}  // namespace ridgepoint::simulate
