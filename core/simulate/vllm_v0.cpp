#include "simulate/vllm_v0.hpp"

#include "simulate/replica.hpp"

namespace ridgepoint::simulate {
namespace {

/// A block of a request, of all groups of layers.
Units one_block(const Ledger& ledger) { return ledger.units_of(1); }

/// The last ones are preempted until there is a free block for each when its turn comes, whether it
/// needs one or not (core/block_manager.py, can_append_slots).
void decode_in_order(Replica& replica, StepPlan& plan) {
  const Units spare = one_block(replica.ledger());
  Slot slot = replica.requests().first();
  while (slot != kNone) {
    Slot victim = kNone;
    while (victim != slot && !replica.ledger().fits(spare)) {
      victim = replica.requests().last();
      replica.preempt(victim);
    }
    if (victim == slot) {
      return;
    }
    replica.take(replica.next_need(slot));
    plan.decode = true;
    slot = replica.requests()[slot].after;
  }
}

}  // namespace

bool VllmV0::refuses(std::uint64_t tokens) const {
  return tokens > schedule_.max_num_batched_tokens;
}

void VllmV0::admit(Replica& replica, StepPlan& plan, double seen_s) const {
  std::uint64_t budget = schedule_.max_num_batched_tokens;
  const auto kept = static_cast<std::uint64_t>(static_cast<double>(replica.ledger().total()[0]) *
                                               schedule_.watermark);
  while (replica.running() < schedule_.max_num_seqs) {
    const auto candidate = replica.head(seen_s);
    if (!candidate || candidate->to_compute() > budget ||
        !replica.fits(*candidate, candidate->target, {kept})) {
      return;
    }
    budget -= candidate->to_compute();
    replica.admit(*candidate, candidate->to_compute(), plan);
  }
}

void VllmV0::plan(Replica& replica, StepPlan& plan, double seen_s) {
  admit(replica, plan, seen_s);
  if (!plan.empty()) {
    return;
  }
  Units needed = replica.decodes().needed();
  const Units spare = one_block(replica.ledger());
  needed[0] += spare[0];
  needed[1] += spare[1];
  if (replica.ledger().fits(needed)) {
    replica.decode_all(plan);
  } else {
    decode_in_order(replica, plan);
  }
}

}  // namespace ridgepoint::simulate
