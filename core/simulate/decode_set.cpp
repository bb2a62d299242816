#include "simulate/decode_set.hpp"

#include <algorithm>

namespace ridgepoint::simulate {

DecodeSet::DecodeSet(RequestTable& requests, const Ledger& ledger, const speed::ContextCaps& caps,
                     bool grows, double wished_gap_s)
    : requests_(requests),
      ledger_(ledger),
      caps_(caps),
      grows_(grows),
      wished_gap_s_(wished_gap_s),
      block_(ledger.block_tokens()) {
  for (std::uint64_t g = 0; g < ledger.groups(); ++g) {
    phases_[g].assign(block_, 0);
  }
}

bool DecodeSet::later(const Event& a, const Event& b) {
  if (a.step != b.step) {
    return a.step > b.step;
  }
  return a.kind != b.kind ? a.kind > b.kind : a.order > b.order;
}

void DecodeSet::push(std::uint64_t step, Slot slot, EventKind kind, std::uint64_t index) {
  events_.push_back(
      {step, ++orders_, slot, requests_[slot].stamp, kind, static_cast<std::uint8_t>(index)});
  std::push_heap(events_.begin(), events_.end(), later);
}

void DecodeSet::drop_old_events() {
  constexpr std::uint64_t kFew = 64;
  if (old_events_ < kFew || old_events_ < events_.size() / 2) {
    return;
  }
  std::erase_if(events_, [this](const Event& e) { return requests_[e.slot].stamp != e.stamp; });
  std::make_heap(events_.begin(), events_.end(), later);
  old_events_ = 0;
}

/// Tokens from which a request takes no more blocks of a group.
std::uint64_t DecodeSet::grows_until(std::uint64_t group) const {
  const std::uint64_t most = ledger_.group(group).most_blocks;
  return most == ~std::uint64_t{0} ? most : (most - 1) * block_ + 1;
}

/// The step count, modulo the block, at which a request that now has `computed` tokens fills its
/// last block.
std::uint64_t DecodeSet::phase(std::uint64_t computed) const {
  const std::uint64_t ahead = (block_ - computed % block_) % block_;
  return (step_phase_ + ahead) % block_;
}

void DecodeSet::start_caps(Slot slot, std::uint64_t computed) {
  for (std::uint64_t i = 1; i < speed::kContextSums; ++i) {
    if (computed < caps_[i]) {
      ++below_[i];
      below_sum_[i] += requests_[slot].base;
      push(steps_ + (caps_[i] - computed), slot, EventKind::cap, i);
    }
  }
}

std::uint64_t DecodeSet::stop_caps(const Request& request, std::uint64_t computed) {
  std::uint64_t events = 0;
  for (std::uint64_t i = 1; i < speed::kContextSums; ++i) {
    if (computed < caps_[i]) {
      --below_[i];
      below_sum_[i] -= request.base;
      ++events;
    }
  }
  return events;
}

void DecodeSet::start_growing(Slot slot, std::uint64_t computed) {
  for (std::uint64_t g = 0; grows_ && g < ledger_.groups(); ++g) {
    const std::uint64_t until = grows_until(g);
    if (computed < until) {
      ++phases_[g][phase(computed)];
      if (until != ~std::uint64_t{0}) {
        push(steps_ + (until - computed), slot, EventKind::window, g);
      }
    }
  }
}

std::uint64_t DecodeSet::stop_growing(std::uint64_t computed) {
  std::uint64_t events = 0;
  for (std::uint64_t g = 0; grows_ && g < ledger_.groups(); ++g) {
    const std::uint64_t until = grows_until(g);
    if (computed < until) {
      --phases_[g][phase(computed)];
      events += until == ~std::uint64_t{0} ? 0 : 1;
    }
  }
  return events;
}

void DecodeSet::join_cohort(Slot slot) {
  Request& request = requests_[slot];
  if (together_ == 0 && apart_.empty()) {
    last_s_ = request.last_token_s;
  }
  request.apart = request.last_token_s != last_s_ || (together_ == 0 && !apart_.empty());
  if (!request.apart) {
    request.late_mark = late_steps_;
    ++together_;
    together_counted_ += request.counted ? 1 : 0;
    return;
  }
  auto cohort = std::find_if(apart_.begin(), apart_.end(),
                             [&](const Cohort& c) { return c.last_s == request.last_token_s; });
  if (cohort == apart_.end()) {
    apart_.push_back({request.last_token_s, 0, {}});
    cohort = apart_.end() - 1;
  }
  cohort->members.push_back(slot);
  cohort->counted += request.counted ? 1 : 0;
}

void DecodeSet::leave_cohort(Slot slot) {
  Request& request = requests_[slot];
  if (!request.apart) {
    request.late += late_steps_ - request.late_mark;
    request.last_token_s = last_s_;
    --together_;
    together_counted_ -= request.counted ? 1 : 0;
    return;
  }
  for (Cohort& cohort : apart_) {
    const auto member = std::find(cohort.members.begin(), cohort.members.end(), slot);
    if (member != cohort.members.end()) {
      cohort.members.erase(member);
      cohort.counted -= request.counted ? 1 : 0;
      break;
    }
  }
  std::erase_if(apart_, [](const Cohort& c) { return c.members.empty(); });
}

void DecodeSet::add(Slot slot) {
  Request& request = requests_[slot];
  request.stage = Stage::decoding;
  request.base = request.computed - steps_;
  request.finish_step = steps_ + (request.output - request.generated);
  ++size_;
  base_sum_ += request.base;
  finish_sum_ += request.finish_step;
  start_caps(slot, request.computed);
  start_growing(slot, request.computed);
  push(request.finish_step, slot, EventKind::finish, 0);
  join_cohort(slot);
}

/// `events_left`: of this request, besides those of caps and windows.
void DecodeSet::take_out(Slot slot, std::uint64_t events_left) {
  Request& request = requests_[slot];
  request.computed = computed(slot);
  request.generated = static_cast<std::uint32_t>(generated(slot));
  --size_;
  base_sum_ -= request.base;
  finish_sum_ -= request.finish_step;
  old_events_ += events_left + stop_caps(request, request.computed);
  old_events_ += stop_growing(request.computed);
  leave_cohort(slot);
  ++request.stamp;
}

void DecodeSet::remove(Slot slot) {
  take_out(slot, 1);
  drop_old_events();
}

Units DecodeSet::needed() const {
  Units sum{};
  for (std::uint64_t g = 0; grows_ && g < ledger_.groups(); ++g) {
    const Ledger::Group& group = ledger_.group(g);
    sum[group.budget] += phases_[g][step_phase_] * group.units;
  }
  return sum;
}

void DecodeSet::fill(speed::StepLoad& load) const {
  load.decoding = size_;
  load.context[0] = base_sum_ + size_ * steps_;
  for (std::uint64_t i = 1; i < speed::kContextSums; ++i) {
    load.context[i] = below_sum_[i] + below_[i] * steps_ + (size_ - below_[i]) * caps_[i];
  }
}

void DecodeSet::count_gaps(double at_s, Sketch& gaps) {
  if (together_ != 0) {
    const double gap = at_s - last_s_;
    gaps.add(gap, together_counted_);
    late_steps_ += gap > wished_gap_s_ ? 1 : 0;
  }
  for (const Cohort& cohort : apart_) {
    const double gap = at_s - cohort.last_s;
    gaps.add(gap, cohort.counted);
    for (const Slot slot : cohort.members) {
      Request& request = requests_[slot];
      request.late += gap > wished_gap_s_ ? 1 : 0;
      request.late_mark = late_steps_;
      request.apart = false;
    }
    together_counted_ += cohort.counted;
  }
  apart_.clear();
  together_ = size_;
  last_s_ = at_s;
}

void DecodeSet::handle(const Event& event, std::vector<Slot>& over) {
  const Request& request = requests_[event.slot];
  switch (event.kind) {
    case EventKind::cap:
      --below_[event.index];
      below_sum_[event.index] -= request.base;
      break;
    case EventKind::window:
      --phases_[event.index][phase(computed(event.slot))];
      break;
    case EventKind::finish:
      take_out(event.slot, 0);
      over.push_back(event.slot);
      break;
  }
}

void DecodeSet::step(double at_s, Sketch& gaps, std::vector<Slot>& over) {
  count_gaps(at_s, gaps);
  ++steps_;
  step_phase_ = step_phase_ + 1 == block_ ? 0 : step_phase_ + 1;
  while (!events_.empty() && events_.front().step <= steps_) {
    std::pop_heap(events_.begin(), events_.end(), later);
    const Event event = events_.back();
    events_.pop_back();
    if (requests_[event.slot].stamp != event.stamp) {
      --old_events_;
    } else {
      handle(event, over);
    }
  }
}

}  // namespace ridgepoint::simulate
