#include "plan/turner.hpp"

#include <algorithm>
#include <utility>

namespace ridgepoint::plan {
namespace {

using engine::MemoryPlan;

double claimed_share(const MemoryPlan& plan) {
  return plan.requested_bytes && plan.total_bytes != 0
             ? static_cast<double>(*plan.requested_bytes) / static_cast<double>(plan.total_bytes)
             : 0.0;
}

/// Whether a larger claim was bought with memory that the start is likely to need beside it.
bool claims_too_much(const MemoryPlan& before, const MemoryPlan& after) {
  constexpr double kRounding = 0.001;
  return after.beside_claim_bytes > after.left_beside_claim_bytes &&
         claimed_share(after) > claimed_share(before) + kRounding;
}

/// Where the position that is sought lies, and which one to try next: above `low`, which is too
/// little, and no further than `high`, which is not.
class Bracket {
 public:
  Bracket(std::uint64_t furthest, std::uint64_t guess)
      : furthest_(furthest), high_(furthest + 1), guessed_(guess >= 1 && guess <= furthest) {
    probe_ = guessed_ ? guess : furthest;
  }

  [[nodiscard]] bool open() const { return high_ - low_ > 1; }
  [[nodiscard]] std::uint64_t probe() const { return probe_; }

  void note(Outcome outcome) {
    if (outcome == Outcome::too_little) {
      low_ = probe_;
      // Nothing is known of the far end yet: if it is too little, everything is.
      probe_ = high_ == furthest_ + 1 ? furthest_ : middle();
      return;
    }
    high_ = probe_;
    if (outcome == Outcome::refused && low_ == 0 && !refused_) {
      // A flag that is refused far out may be refused everywhere.
      refused_ = true;
      guessed_ = false;
      probe_ = 1;
      return;
    }
    // A good guess is settled by the position before it.
    probe_ = guessed_ && high_ > low_ + 1 ? high_ - 1 : middle();
    guessed_ = false;
  }

 private:
  [[nodiscard]] std::uint64_t middle() const { return low_ + (high_ - low_) / 2; }

  std::uint64_t furthest_;
  std::uint64_t low_ = 0;
  std::uint64_t high_;
  std::uint64_t probe_ = 0;
  bool guessed_;
  bool refused_ = false;
};

}  // namespace

Turner::Turner(const Request& request, const MemoryPlan& now, std::uint64_t concurrency,
               std::size_t most)
    : asker_(request, most),
      situation_{request, now, trouble_of(now, concurrency), concurrency, std::nullopt},
      before_(situation_.trouble) {}

void Turner::calibrate() {
  const engine::Measured& measured = situation_.request.measured;
  if (!measured.kv_pool_bytes || measured.non_torch_bytes) {
    return;
  }
  Change change;
  change.unmeasured.emplace_back("kv_pool_bytes");
  const auto predicted = asker_.ask(change);
  const std::uint64_t pool = *measured.kv_pool_bytes;
  if (!predicted || predicted->kv_pool.best + predicted->non_torch.best < pool) {
    return;
  }
  change.non_torch_bytes = predicted->kv_pool.best + predicted->non_torch.best - pool;
  const auto repeated = asker_.ask(change);
  if (!repeated) {
    return;
  }
  const std::uint64_t off =
      std::max(repeated->kv_pool.best, pool) - std::min(repeated->kv_pool.best, pool);
  if (off <= pool / 100) {
    situation_.calibrated_non_torch = change.non_torch_bytes;
  }
}

std::optional<Turned> Turner::turn(const Knob& knob, std::uint64_t furthest, const Trial* beside) {
  if (beside != nullptr) {
    // With the other change made, another trouble may be what this knob is turned against.
    const auto plan = asker_.ask(whole_change(situation_, *beside));
    before_ = plan ? trouble_of(*plan, situation_.concurrency) : situation_.trouble;
  }
  auto found = knob.gaps ? turn_one_by_one(knob, furthest, beside) : halve(knob, furthest, beside);
  before_ = situation_.trouble;
  return found;
}

Tried Turner::attempt(const Trial& trial) {
  Tried tried;
  tried.plan = asker_.ask(whole_change(situation_, trial));
  if (!asker_.exhausted()) {
    tried.outcome = tried.plan ? judged(*tried.plan) : Outcome::refused;
  }
  return tried;
}

Outcome Turner::judged(const MemoryPlan& plan) const {
  const Trouble trouble = trouble_of(plan, situation_.concurrency);
  if (trouble == Trouble::none) {
    return claims_too_much(situation_.now, plan) ? Outcome::too_much : Outcome::enough;
  }
  const auto of_memory = [](Trouble t) {
    return t == Trouble::weights || t == Trouble::room || t == Trouble::requests;
  };
  const bool still = trouble == before_ || trouble == Trouble::requests ||
                     (of_memory(trouble) && of_memory(before_));
  return still ? Outcome::too_little : Outcome::too_much;
}

std::optional<Trial> Turner::trial_at(const Knob& knob, std::uint64_t position,
                                      const Trial* beside) const {
  Trial trial = knob.at(position);
  return beside == nullptr ? std::optional<Trial>(std::move(trial))
                           : both(situation_, trial, *beside);
}

std::optional<Turned> Turner::turn_one_by_one(const Knob& knob, std::uint64_t furthest,
                                              const Trial* beside) {
  for (std::uint64_t position = 1; position <= furthest; ++position) {
    auto trial = trial_at(knob, position, beside);
    if (!trial) {
      return std::nullopt;
    }
    Tried tried = attempt(*trial);
    if (tried.outcome == Outcome::enough) {
      return Turned{position, std::move(*trial), std::move(*tried.plan)};
    }
    if (tried.outcome == Outcome::unanswered) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<Turned> Turner::halve(const Knob& knob, std::uint64_t furthest, const Trial* beside) {
  std::optional<Turned> found;
  Bracket bracket(furthest, knob.guess);
  while (bracket.open()) {
    auto trial = trial_at(knob, bracket.probe(), beside);
    if (!trial) {
      return std::nullopt;
    }
    Tried tried = attempt(*trial);
    if (tried.outcome == Outcome::unanswered) {
      return std::nullopt;
    }
    if (tried.outcome == Outcome::enough) {
      found = Turned{bracket.probe(), std::move(*trial), std::move(*tried.plan)};
    }
    bracket.note(tried.outcome);
  }
  return found;
}

}  // namespace ridgepoint::plan
