#include "plan/advice.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "plan/turner.hpp"
#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

using engine::MemoryPlan;

constexpr std::size_t kMostPairs = 4;
constexpr std::size_t kFewPairs = 2;
/// Of one level, so that a list of formats does not bury what comes after it.
constexpr std::size_t kMostOfALevel = 2;
constexpr std::size_t kReportLines = 6;

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
        turner_(request, now, asked_for_, most) {}

  /// At most so many single changes; pairs where they are wanted.
  Proposals propose(std::size_t lines, bool with_pairs) {
    with_pairs_ = with_pairs;
    Proposals out;
    out.trouble = turner_.situation().trouble;
    if (out.trouble == Trouble::none) {
      return out;
    }
    turner_.calibrate();
    find(lines);
    if (list_.empty() && !turner_.exhausted() && asked_for_ > 1 &&
        out.trouble != Trouble::requests) {
      turner_.settle_for_a_start();
      find(lines);
      out.only_starts = !list_.empty();
    }
    out.list = std::move(list_);
    out.asked = turner_.asked();
    return out;
  }

 private:
  void find(std::size_t lines) {
    const std::vector<Knob> all = knobs(turner_.situation());
    singles(all, lines);
    if (turner_.exhausted() || !with_pairs_) {
      return;
    }
    // Two small changes go before one that makes every step slow or needs another machine. What was
    // asked is not given up for that.
    if (list_.empty() || list_.front().level >= Level::offload) {
      pairs(all, Level::asked_length, kFewPairs);
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
    const Situation& s = turner_.situation();
    return knob.positions != 0 && (knob.helps.has(s.trouble) || knob.helps.has(Trouble::room) ||
                                   (s.concurrency > 1 && knob.helps.has(Trouble::requests)));
  }

  /// Whether a card that were all cache could not hold what is asked, so that nothing that only
  /// makes room on it needs to be tried. A request takes more than pool / (requests + 1).
  [[nodiscard]] bool beyond_the_card(const Knob& knob) const {
    const Situation& s = turner_.situation();
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

  void add(Turned&& found, Level level) {
    const Situation& s = turner_.situation();
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
      if (knob.positions == 0 || !knob.helps.has(turner_.situation().trouble) ||
          of_level(knob.level) == kMostOfALevel || beyond_the_card(knob)) {
        continue;
      }
      auto found = turner_.turn(knob, knob.positions, nullptr);
      if (turner_.exhausted() || list_.size() == lines) {
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
        const bool one_helps = all[i].helps.has(turner_.situation().trouble) ||
                               all[j].helps.has(turner_.situation().trouble);
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
      if (list_.size() == enough || turner_.exhausted()) {
        return;
      }
      if (of_level(pair.more->level) == kMostOfALevel) {
        continue;
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
  std::optional<Turned> turn_both(const Knob& less, const Knob& more) {
    const Trial all_of_less = less.at(furthest(less));
    std::optional<Turned> found;
    const std::uint64_t first = more.gaps ? 1 : furthest(more);
    for (std::uint64_t position = first; position <= furthest(more) && !found; ++position) {
      const auto trial = both(turner_.situation(), all_of_less, more.at(position));
      if (!trial) {
        return std::nullopt;
      }
      Tried tried = turner_.attempt(*trial);
      if (tried.outcome == Outcome::unanswered) {
        return std::nullopt;
      }
      if (tried.outcome == Outcome::enough) {
        found = Turned{position, *trial, std::move(*tried.plan)};
      }
    }
    if (!found) {
      return std::nullopt;
    }
    if (!more.gaps) {
      auto back = turner_.turn(more, found->position, &all_of_less);
      found->position = back ? back->position : found->position;
    }
    const Trial some_of_more = more.at(found->position);
    auto back = turner_.turn(less, furthest(less), &some_of_more);
    return turner_.exhausted() ? std::nullopt : std::move(back);
  }

  std::uint64_t asked_for_;
  Turner turner_;
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
