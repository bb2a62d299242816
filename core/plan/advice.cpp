#include "plan/advice.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "plan/asker.hpp"
#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

using engine::MemoryPlan;

constexpr std::size_t kMostPairs = 4;
constexpr std::size_t kFewPairs = 2;
/// Of one level, so that a list of formats does not bury what comes after it.
constexpr std::size_t kMostOfALevel = 2;
constexpr std::size_t kReportLines = 6;

/// How a knob's position turned out.
enum class Outcome : std::uint8_t {
  enough,
  too_little,  ///< the trouble is still there
  too_much,    ///< the trouble is gone and there is another, or the engine refuses the flag
  unanswered,
};

struct Tried {
  Outcome outcome = Outcome::unanswered;
  std::optional<MemoryPlan> plan;
};

struct Found {
  std::uint64_t position = 0;
  Trial trial;
  MemoryPlan plan;
};

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

/// Turns knobs and asks what comes of it.
class Search {
 public:
  Search(const Request& request, const MemoryPlan& now, std::uint64_t concurrency, std::size_t most)
      : asker_(request, most),
        situation_{request, now, trouble_of(now, concurrency), concurrency},
        before_(situation_.trouble) {}

  [[nodiscard]] const Situation& situation() const { return situation_; }
  [[nodiscard]] bool exhausted() const { return asker_.exhausted(); }
  [[nodiscard]] std::size_t asked() const { return asker_.asked(); }

  /// Learns from a measured pool what the engine's sum does not know of this setup.
  void calibrate() {
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
    const std::uint64_t off =
        !repeated ? pool
                  : std::max(repeated->kv_pool.best, pool) - std::min(repeated->kv_pool.best, pool);
    if (off <= pool / 100) {
      situation_.calibrated_non_torch = change.non_torch_bytes;
    }
  }

  /// From now on it is enough to start; for when nothing gives all that is asked.
  void settle_for_a_start() { situation_.concurrency = 1; }

  /// The position of a knob that changes least and is enough, with another trial made besides.
  std::optional<Found> turn(const Knob& knob, std::uint64_t furthest, const Trial* beside) {
    before_ = situation_.trouble;
    if (beside != nullptr) {
      // With the other change made, another trouble may be what this knob is turned against.
      const auto plan = asker_.ask(whole_change(situation_, *beside));
      before_ = plan ? trouble_of(*plan, situation_.concurrency) : before_;
    }
    auto found =
        knob.gaps ? turn_one_by_one(knob, furthest, beside) : halve(knob, furthest, beside);
    before_ = situation_.trouble;
    return found;
  }

  Tried attempt(const Trial& trial) {
    Tried tried;
    tried.plan = asker_.ask(whole_change(situation_, trial));
    if (asker_.exhausted()) {
      return tried;
    }
    tried.outcome = tried.plan ? judged(*tried.plan) : Outcome::too_much;
    return tried;
  }

 private:
  [[nodiscard]] Outcome judged(const MemoryPlan& plan) const {
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

  std::optional<Trial> trial_at(const Knob& knob, std::uint64_t position, const Trial* beside) {
    Trial trial = knob.at(position);
    return beside == nullptr ? std::optional<Trial>(std::move(trial))
                             : both(situation_, trial, *beside);
  }

  std::optional<Found> turn_one_by_one(const Knob& knob, std::uint64_t furthest,
                                       const Trial* beside) {
    for (std::uint64_t position = 1; position <= furthest; ++position) {
      auto trial = trial_at(knob, position, beside);
      if (!trial) {
        return std::nullopt;
      }
      Tried tried = attempt(*trial);
      if (tried.outcome == Outcome::enough) {
        return Found{position, std::move(*trial), std::move(*tried.plan)};
      }
      if (tried.outcome == Outcome::unanswered) {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  /// Between `low`, which is too little, and `high`, which is enough or too much.
  std::optional<Found> halve(const Knob& knob, std::uint64_t furthest, const Trial* beside) {
    std::uint64_t low = 0;
    std::uint64_t high = furthest + 1;
    std::optional<Found> found;
    const bool guessed = knob.guess >= 1 && knob.guess <= furthest;
    std::uint64_t probe = guessed ? knob.guess : furthest;
    bool below_found = guessed;
    bool refused_far_out = false;
    while (high - low > 1) {
      auto trial = trial_at(knob, probe, beside);
      if (!trial) {
        return std::nullopt;
      }
      Tried tried = attempt(*trial);
      if (tried.outcome == Outcome::unanswered) {
        return std::nullopt;
      }
      if (tried.outcome == Outcome::too_little) {
        low = probe;
        probe = high == furthest + 1 ? furthest : low + (high - low) / 2;
        continue;
      }
      high = probe;
      if (tried.outcome == Outcome::enough) {
        found = Found{probe, std::move(*trial), std::move(*tried.plan)};
      } else if (!tried.plan && !refused_far_out && low == 0 && high > 1) {
        // A flag that the engine refuses far out it may refuse everywhere.
        refused_far_out = true;
        probe = 1;
        below_found = false;
        continue;
      }
      // A good guess is settled by the position before it.
      probe = below_found && high > low + 1 ? high - 1 : low + (high - low) / 2;
      below_found = false;
    }
    return found;
  }

  Asker asker_;
  Situation situation_;
  Trouble before_;  ///< what the knob is turned against
};

std::string requests_of(std::uint64_t requests, std::uint64_t context) {
  return grouped(requests) + (requests == 1 ? " request of " : " requests of ") + grouped(context) +
         " tokens";
}

std::string pool_change(const MemoryPlan& before, const MemoryPlan& after) {
  if (after.kv_pool.best == before.kv_pool.best) {
    return {};
  }
  std::string text = " The cache has " + in_gib(after.kv_pool.best) + " of a GPU";
  if (before.kv_pool.best != 0) {
    text += ", before " + in_gib(before.kv_pool.best);
  }
  return text + ".";
}

std::string effect_of(const Situation& s, const MemoryPlan& after, std::uint64_t asked) {
  std::string text = s.now.limit == engine::Limit::none ? "It holds " : "It starts and holds ";
  text += requests_of(after.max_requests.best, after.context);
  if (after.max_requests.best < asked) {
    text += ", of the " + grouped(asked) + " asked for";
  } else if (s.now.limit == engine::Limit::none && s.now.context == after.context) {
    text += ", before " + grouped(s.now.max_requests.best);
  }
  text += ".";
  if (after.max_context > after.context) {
    text +=
        " The longest request that the cache holds has " + grouped(after.max_context) + " tokens.";
  }
  return text + pool_change(s.now, after);
}

/// Finds what helps, single knobs first.
class Proposer {
 public:
  Proposer(const Request& request, const MemoryPlan& now, std::size_t most)
      : asked_for_(std::max<std::uint64_t>(1, request.workload.concurrency.value_or(1))),
        search_(request, now, asked_for_, most) {}

  /// At most so many single changes; pairs where they are wanted.
  Proposals propose(std::size_t lines, bool with_pairs) {
    with_pairs_ = with_pairs;
    Proposals out;
    out.trouble = search_.situation().trouble;
    if (out.trouble == Trouble::none) {
      return out;
    }
    search_.calibrate();
    find(lines);
    if (list_.empty() && !search_.exhausted() && asked_for_ > 1 &&
        out.trouble != Trouble::requests) {
      search_.settle_for_a_start();
      find(lines);
      out.only_starts = !list_.empty();
    }
    out.list = std::move(list_);
    out.asked = search_.asked();
    return out;
  }

 private:
  void find(std::size_t lines) {
    const std::vector<Knob> all = knobs(search_.situation());
    singles(all, lines);
    if (search_.exhausted() || !with_pairs_) {
      return;
    }
    // Two small changes go before one that makes every step slow or needs another machine.
    if (list_.empty() || list_.front().level >= Level::offload) {
      pairs(all, Level::offload, kFewPairs);
      std::stable_sort(list_.begin(), list_.end(),
                       [](const Proposal& a, const Proposal& b) { return a.level < b.level; });
    }
    if (list_.empty()) {
      constexpr auto kBeyondAll = static_cast<Level>(std::size(kLevels));
      pairs(all, kBeyondAll, kMostPairs);
    }
  }

  /// What may be half of a pair: each mends something that the other half may bring about.
  [[nodiscard]] bool may_join(const Knob& knob) const {
    const Situation& s = search_.situation();
    return knob.positions != 0 && (knob.helps.has(s.trouble) || knob.helps.has(Trouble::room) ||
                                   (s.concurrency > 1 && knob.helps.has(Trouble::requests)));
  }

  /// Whether a card that were all cache could not hold what is asked, so that nothing that only
  /// makes room on it needs to be tried. A request takes more than pool / (requests + 1).
  [[nodiscard]] bool beyond_the_card(const Knob& knob) const {
    const Situation& s = search_.situation();
    const bool capped = s.now.max_requests.best >= s.now.max_num_seqs * s.now.parallelism.data;
    if (s.trouble != Trouble::requests || capped || s.now.kv_pool.best == 0 ||
        knob.level >= Level::asked_length || knob.level == Level::arrangement ||
        s.request.engine->name == "llamacpp") {
      return false;
    }
    // Of formats the smallest has 3 bits and not 16; a window that shrinks with steps is a margin.
    const double smaller = knob.level == Level::cache_format ? 16.0 / 3.0 : 1.25;
    const double most =
        static_cast<double>(s.now.max_requests.best + s.now.parallelism.data) *
        (static_cast<double>(s.now.total_bytes) / static_cast<double>(s.now.kv_pool.best)) *
        smaller;
    return static_cast<double>(s.concurrency) > most;
  }

  [[nodiscard]] std::size_t of_level(Level level) const {
    return static_cast<std::size_t>(
        std::count_if(list_.begin(), list_.end(),
                      [&](const Proposal& proposal) { return proposal.level == level; }));
  }

  void add(Found&& found, Level level) {
    const Situation& s = search_.situation();
    Proposal proposal;
    proposal.change = std::move(found.trial.told);
    proposal.how = std::move(found.trial.how);
    proposal.cost = std::move(found.trial.cost);
    proposal.effect = effect_of(s, found.plan, asked_for_);
    proposal.level = level;
    found.trial.told.clear();
    proposal.edit = whole_change(s, found.trial);
    proposal.parallelism = found.plan.parallelism;
    proposal.max_requests = found.plan.max_requests;
    proposal.max_context = found.plan.max_context;
    proposal.context = found.plan.context;
    proposal.kv_pool = found.plan.kv_pool;
    list_.push_back(std::move(proposal));
  }

  void singles(const std::vector<Knob>& all, std::size_t lines) {
    for (const Knob& knob : all) {
      if (knob.positions == 0 || !knob.helps.has(search_.situation().trouble) ||
          of_level(knob.level) == kMostOfALevel || beyond_the_card(knob)) {
        continue;
      }
      auto found = search_.turn(knob, knob.positions, nullptr);
      if (search_.exhausted() || list_.size() == lines) {
        return;
      }
      if (found) {
        add(std::move(*found), knob.level);
      }
    }
  }

  struct Pair {
    const Knob* less;
    const Knob* more;
  };

  [[nodiscard]] std::vector<Pair> pairs_of(const std::vector<Knob>& all, Level below) const {
    std::vector<Pair> list;
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = i + 1; j < all.size(); ++j) {
        const bool one_helps = all[i].helps.has(search_.situation().trouble) ||
                               all[j].helps.has(search_.situation().trouble);
        if (all[j].level < below && may_join(all[i]) && may_join(all[j]) && one_helps) {
          list.push_back({&all[i], &all[j]});
        }
      }
    }
    std::stable_sort(list.begin(), list.end(), [](const Pair& a, const Pair& b) {
      return a.more->level != b.more->level ? a.more->level < b.more->level
                                            : a.less->level < b.less->level;
    });
    return list;
  }

  void pairs(const std::vector<Knob>& all, Level below, std::size_t most) {
    const std::size_t enough = list_.size() + most;
    for (const Pair& pair : pairs_of(all, below)) {
      if (list_.size() == enough || search_.exhausted()) {
        return;
      }
      if (auto found = turn_both(*pair.less, *pair.more)) {
        add(std::move(*found), pair.more->level);
      }
    }
  }

  static std::uint64_t furthest(const Knob& knob) {
    return knob.paired != 0 ? knob.paired : knob.positions;
  }

  /// Both as far as they go; if that is enough, each back as far as it may.
  std::optional<Found> turn_both(const Knob& less, const Knob& more) {
    const Trial all_of_less = less.at(furthest(less));
    std::optional<Found> found;
    const std::uint64_t first = more.gaps ? 1 : furthest(more);
    for (std::uint64_t position = first; position <= furthest(more) && !found; ++position) {
      const auto trial = both(search_.situation(), all_of_less, more.at(position));
      if (!trial) {
        return std::nullopt;
      }
      Tried tried = search_.attempt(*trial);
      if (tried.outcome == Outcome::unanswered) {
        return std::nullopt;
      }
      if (tried.outcome == Outcome::enough) {
        found = Found{position, *trial, std::move(*tried.plan)};
      }
    }
    if (!found) {
      return std::nullopt;
    }
    if (!more.gaps) {
      auto back = search_.turn(more, found->position, &all_of_less);
      found->position = back ? back->position : found->position;
    }
    const Trial some_of_more = more.at(found->position);
    auto back = search_.turn(less, furthest(less), &some_of_more);
    return search_.exhausted() ? std::nullopt : std::move(back);
  }

  std::uint64_t asked_for_;
  Search search_;
  bool with_pairs_ = true;
  std::vector<Proposal> list_;
};

}  // namespace

Proposals propose(const Request& request, const MemoryPlan& now, std::size_t most) {
  constexpr std::size_t kAll = 1000;
  return Proposer(request, now, most).propose(kAll, true);
}

std::vector<Advice> advise(const Request& request, const MemoryPlan& memory) {
  std::vector<Advice> lines;
  if (memory.limit == engine::Limit::none) {
    return lines;
  }
  for (Proposal& proposal :
       Proposer(request, memory, kReportPlans).propose(kReportLines, false).list) {
    lines.push_back({std::move(proposal.change), std::move(proposal.effect)});
  }
  return lines;
}

}  // namespace ridgepoint::plan
