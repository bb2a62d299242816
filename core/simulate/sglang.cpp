#include "simulate/sglang.hpp"

#include <algorithm>

#include "simulate/replica.hpp"

namespace ridgepoint::simulate {
namespace {

constexpr double kFirstRatio = 0.7;
constexpr double kLeastOfFirst = 0.14;
constexpr double kDecaySteps = 600;
constexpr std::uint64_t kMostReserved = 4096;  ///< tokens of an output that is yet to come
constexpr std::uint64_t kMaxPrefillTokens = 16384;
constexpr std::uint64_t kStepsAfterRetraction = 20;
constexpr std::uint64_t kAll = ~std::uint64_t{0};

/// Units of the first budget that a token takes which is kept for good.
double units_per_token(const Ledger& ledger) {
  std::uint64_t units = 0;
  for (std::uint64_t g = 0; g < ledger.groups(); ++g) {
    const Ledger::Group& group = ledger.group(g);
    units += group.budget == 0 && group.most_blocks == kAll ? group.units : 0;
  }
  return static_cast<double>(units) / static_cast<double>(ledger.block_tokens());
}

double free_tokens(const Ledger& ledger) {
  const double units = units_per_token(ledger);
  return units > 0 ? static_cast<double>(ledger.free()[0]) / units : 1e15;
}

/// Those that decode, in order of admission.
std::vector<Slot> decoding(const Replica& replica) {
  std::vector<Slot> slots;
  const RequestTable& requests = replica.requests();
  for (Slot slot = requests.first(); slot != kNone; slot = requests[slot].after) {
    if (requests[slot].stage == Stage::decoding) {
      slots.push_back(slot);
    }
  }
  return slots;
}

/// What running requests may still bring forth, each cut off.
std::uint64_t still_to_come(const Replica& replica) {
  if (replica.longest_output() <= kMostReserved) {
    return replica.decodes().to_come();
  }
  std::uint64_t sum = 0;
  for (const Slot slot : decoding(replica)) {
    const std::uint64_t left = replica.requests()[slot].output - replica.generated(slot);
    sum += std::min(left, kMostReserved);
  }
  return sum;
}

}  // namespace

Sglang::Sglang(const engine::Schedule& schedule)
    : schedule_(schedule),
      first_ratio_(std::min(kFirstRatio * schedule.conservativeness, 1.0)),
      least_ratio_(first_ratio_ * kLeastOfFirst),
      decay_((first_ratio_ - least_ratio_) / kDecaySteps),
      ratio_(first_ratio_) {}

Sglang::Budget Sglang::budget_of(const Replica& replica) const {
  Budget budget{};
  budget.tokens =
      free_tokens(replica.ledger()) - ratio_ * static_cast<double>(still_to_come(replica));
  budget.input = std::max(kMaxPrefillTokens, schedule_.max_num_batched_tokens);
  budget.chunk = schedule_.chunked_prefill ? schedule_.max_num_batched_tokens : kAll;
  if (schedule_.mixed) {
    const std::uint64_t decodes = replica.decodes().size();
    budget.input -= std::min(budget.input, decodes);
    budget.chunk -= budget.chunk == kAll ? 0 : std::min(budget.chunk, decodes);
  }
  return budget;
}

/// The prompt that an earlier step cut off. False when there is no room for any of it.
bool Sglang::go_on(Replica& replica, StepPlan& plan, Budget& budget) const {
  const Slot slot = replica.prefilling().front();
  const Request& request = replica.requests()[slot];
  const std::uint64_t remaining = request.target - request.computed;
  const std::uint64_t chunk = std::min(remaining, std::max<std::uint64_t>(1, budget.chunk));
  if (!replica.ledger().fits(replica.ledger().growth(request.computed, request.computed + chunk))) {
    return false;
  }
  const std::uint64_t left = request.output - request.generated;
  replica.extend(slot, chunk, plan);
  budget.tokens -= static_cast<double>(chunk);
  budget.tokens -= chunk == remaining ? static_cast<double>(std::min(left, kMostReserved)) : 0;
  budget.input -= std::min(budget.input, chunk);
  budget.chunk -= budget.chunk == kAll ? 0 : std::min(budget.chunk, chunk);
  return true;
}

/// False when the head of the queue is not admitted.
bool Sglang::admit_next(Replica& replica, StepPlan& plan, double seen_s, Budget& budget) {
  const auto candidate = replica.head(seen_s);
  if (!candidate || budget.input == 0 || budget.chunk == 0) {
    return false;
  }
  const std::uint64_t remaining = candidate->to_compute();
  const std::uint64_t output = std::min(candidate->total - candidate->target, kMostReserved);
  const bool alone = replica.running() == 0;
  const std::uint64_t most = std::min(remaining, budget.chunk);
  const std::uint64_t chunk =
      most < remaining ? std::max<std::uint64_t>(
                             most / schedule_.block_tokens * schedule_.block_tokens, alone ? 1 : 0)
                       : remaining;
  const bool room = static_cast<double>(remaining + output) < budget.tokens || alone;
  if (!room || !replica.fits(*candidate, candidate->target)) {
    full_ = replica.running() != 0;
    full_gone_ = replica.gone();
    return false;
  }
  if (chunk == 0 || (remaining >= budget.input && !plan.chunks.empty())) {
    return false;
  }
  replica.admit(*candidate, chunk, plan);
  budget.tokens -= static_cast<double>(chunk);
  budget.tokens -= chunk == remaining ? static_cast<double>(output) : 0;
  budget.input -= std::min(budget.input, chunk);
  budget.chunk -= budget.chunk == kAll ? 0 : chunk;
  return chunk == remaining;
}

void Sglang::plan_prompts(Replica& replica, StepPlan& plan, double seen_s) {
  full_ = full_ && replica.running() != 0 && replica.gone() == full_gone_;
  const bool cut_off = !replica.prefilling().empty();
  if (!cut_off && (full_ || replica.waiting() == 0)) {
    return;
  }
  Budget budget = budget_of(replica);
  if (cut_off && (!go_on(replica, plan, budget) || !replica.prefilling().empty())) {
    return;
  }
  while (replica.running() < schedule_.max_num_seqs && admit_next(replica, plan, seen_s, budget)) {
  }
}

/// The fewest tokens brought forth go first, of those the longest prompt, until each one left has
/// room for some steps.
void Sglang::retract(Replica& replica) {
  std::vector<Slot> slots = decoding(replica);
  const RequestTable& requests = replica.requests();
  std::sort(slots.begin(), slots.end(), [&](Slot a, Slot b) {
    if (replica.generated(a) != replica.generated(b)) {
      return replica.generated(a) > replica.generated(b);
    }
    return requests[a].input != requests[b].input ? requests[a].input < requests[b].input
                                                  : requests[a].order < requests[b].order;
  });
  const auto short_of_room = [&] {
    const auto wanted = static_cast<double>(slots.size() * kStepsAfterRetraction);
    return free_tokens(replica.ledger()) < wanted ||
           !replica.ledger().fits(replica.decodes().needed());
  };
  full_ = false;
  while (slots.size() > 1 && short_of_room()) {
    replica.preempt(slots.back(), false);
    slots.pop_back();
  }
  std::uint64_t done = 0;
  std::uint64_t all = 0;
  for (const Slot slot : slots) {
    done += replica.generated(slot) + kStepsAfterRetraction;
    all += requests[slot].output;
  }
  ratio_ = std::min(1.0, static_cast<double>(done) / static_cast<double>(all + 1));
}

void Sglang::plan_decodes(Replica& replica, StepPlan& plan) {
  if (replica.decodes().size() == 0) {
    return;
  }
  if (replica.ledger().fits(replica.decodes().needed())) {
    ratio_ = std::max(ratio_ - decay_, least_ratio_);
  } else {
    retract(replica);
  }
  if (plan.chunks.empty() && !replica.ledger().fits(replica.decodes().needed())) {
    // A prompt that is computed in part holds what the last one needs.
    while (!replica.prefilling().empty()) {
      replica.preempt(replica.prefilling().back(), false);
    }
  }
  if (replica.ledger().fits(replica.decodes().needed())) {
    replica.decode_all(plan);
  }
}

void Sglang::plan(Replica& replica, StepPlan& plan, double seen_s) {
  if (replica.running() == 0) {
    ratio_ = first_ratio_;
  }
  plan_prompts(replica, plan, seen_s);
  if (plan.chunks.empty() || schedule_.mixed) {
    plan_decodes(replica, plan);
  }
}

}  // namespace ridgepoint::simulate
