#include "simulate/vllm_v1.hpp"

#include <algorithm>

#include "simulate/replica.hpp"

namespace ridgepoint::simulate {
namespace {

bool decodes(const Replica& replica, Slot slot) {
  return replica.requests()[slot].stage == Stage::decoding;
}

/// Whether all prompts that are being computed were admitted after all that decode.
bool prompts_come_last(const Replica& replica) {
  Slot slot = replica.requests().last();
  for (std::size_t i = 0; i < replica.prefilling().size(); ++i) {
    if (decodes(replica, slot)) {
      return false;
    }
    slot = replica.requests()[slot].before;
  }
  return true;
}

}  // namespace

bool VllmV1::refuses(std::uint64_t tokens) const {
  return !schedule_.chunked_prefill && tokens > schedule_.max_num_batched_tokens;
}

std::uint64_t VllmV1::chunk_of(std::uint64_t remaining, std::uint64_t budget) const {
  const std::uint64_t limit = schedule_.chunk_tokens;
  return std::min(limit != 0 ? std::min(remaining, limit) : remaining, budget);
}

/// All that run, at once: where blocks are free for all of them and it does not matter in which
/// order they come. False, with nothing done, where that is not so.
bool VllmV1::run_all(Replica& replica, StepPlan& plan, std::uint64_t& budget) {
  const std::uint64_t decoding = replica.decodes().size();
  if (decoding > budget) {
    return false;
  }
  std::uint64_t left = budget - decoding;
  Units needed = replica.decodes().needed();
  bool cut = false;
  chunks_.clear();
  for (const Slot slot : replica.prefilling()) {
    const Request& request = replica.requests()[slot];
    const std::uint64_t remaining = request.target - request.computed;
    const std::uint64_t chunk = chunk_of(remaining, left);
    cut = cut || chunk < chunk_of(remaining, ~std::uint64_t{0});
    const Units growth = replica.ledger().growth(request.computed, request.computed + chunk);
    needed[0] += growth[0];
    needed[1] += growth[1];
    left -= chunk;
    chunks_.push_back(chunk);
  }
  if (!replica.ledger().fits(needed) || (cut && !prompts_come_last(replica))) {
    return false;
  }
  const std::vector<Slot> prefilling = replica.prefilling();
  for (std::size_t i = 0; i < prefilling.size(); ++i) {
    if (chunks_[i] != 0) {
      replica.extend(prefilling[i], chunks_[i], plan);
    }
  }
  replica.decode_all(plan);
  budget = left;
  return true;
}

/// One after the other. Returns whether any was preempted.
bool VllmV1::run_in_order(Replica& replica, StepPlan& plan, std::uint64_t& budget) const {
  bool preempted = false;
  Slot slot = replica.requests().first();
  while (slot != kNone && budget > 0) {
    const Request& request = replica.requests()[slot];
    const bool decoding = decodes(replica, slot);
    const std::uint64_t from = replica.computed(slot);
    const std::uint64_t chunk = decoding ? 1 : chunk_of(request.target - from, budget);
    const Units needed = replica.ledger().growth(from, from + chunk);
    Slot victim = kNone;
    while (victim != slot && !replica.ledger().fits(needed)) {
      victim = replica.requests().last();
      replica.preempt(victim);
      preempted = true;
    }
    if (victim == slot) {
      slot = kNone;
      break;
    }
    if (decoding) {
      replica.take(needed);
      plan.decode = true;
    } else {
      replica.extend(slot, chunk, plan);
    }
    budget -= chunk;
    slot = request.after;
  }
  for (; slot != kNone; slot = replica.requests()[slot].after) {
    if (decodes(replica, slot)) {
      replica.skip(slot, plan);
    }
  }
  return preempted;
}

void VllmV1::admit(Replica& replica, StepPlan& plan, double seen_s, std::uint64_t budget) const {
  const auto kept = static_cast<std::uint64_t>(static_cast<double>(replica.ledger().total()[0]) *
                                               schedule_.watermark);
  while (budget > 0 && replica.running() < schedule_.max_num_seqs) {
    const auto candidate = replica.head(seen_s);
    if (!candidate) {
      return;
    }
    const std::uint64_t remaining = candidate->to_compute();
    if (!schedule_.chunked_prefill && remaining > budget) {
      return;
    }
    if (!replica.fits(*candidate, candidate->target, {kept})) {
      return;
    }
    const std::uint64_t chunk = chunk_of(remaining, budget);
    replica.admit(*candidate, chunk, plan);
    budget -= chunk;
  }
}

void VllmV1::plan(Replica& replica, StepPlan& plan, double seen_s) {
  std::uint64_t budget = schedule_.max_num_batched_tokens;
  if (run_all(replica, plan, budget) || !run_in_order(replica, plan, budget)) {
    admit(replica, plan, seen_s, budget);
  }
}

}  // namespace ridgepoint::simulate
