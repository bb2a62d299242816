#include "plan/request_terms.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "estimate_sums.hpp"
#include "plan/difference_words.hpp"
#include "plan/term_reasons.hpp"
#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

using engine::Holding;
using engine::MemoryPlan;

/// More than any deployment runs; products with the replicas still fit.
constexpr double kMostRequests = 1e12;
/// Of a request: a quotient that is whole but for the last digit counts as whole.
constexpr double kHair = 1e-9;

std::int64_t bounded(std::uint64_t requests) {
  return static_cast<std::int64_t>(
      std::min<std::uint64_t>(requests, static_cast<std::uint64_t>(kMostRequests)));
}

/// Whole requests of a deployment that `pool_bytes` a GPU hold before any rule.
std::int64_t counted(std::int64_t pool_bytes, double request_bytes, std::uint64_t replicas) {
  if (pool_bytes <= 0 || request_bytes <= 0) {
    return 0;
  }
  const double whole = std::floor(static_cast<double>(pool_bytes) / request_bytes + kHair);
  return static_cast<std::int64_t>(std::min(whole, kMostRequests)) * bounded(replicas);
}

struct Part {
  std::string term;
  std::string what;
  std::int64_t bytes = 0;  ///< added to what requests are counted from
};

/// Bytes that requests are counted from beside the pool: memory that further slots would take.
std::int64_t beside_pool(const MemoryPlan& memory) {
  return static_cast<std::int64_t>(memory.holding.pool_bytes) -
         static_cast<std::int64_t>(memory.kv_pool.best);
}

/// The pool's terms as changes of what requests are counted from, those that add to it first, so
/// that nothing in between falls below both ends.
std::vector<Part> parts_of(const Setup& from, const Setup& to,
                           const std::vector<TermDifference>& pool) {
  std::vector<Part> parts;
  std::int64_t beside = beside_pool(to.memory) - beside_pool(from.memory);
  for (const TermDifference& term : pool) {
    Part part{term.term, term.what, term.difference};
    if (term.term == "left_free") {
      part.bytes += beside;
      beside = 0;
    }
    parts.push_back(std::move(part));
  }
  if (beside != 0) {
    parts.push_back({"left_free", "left free, and counted as cache", beside});
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.bytes > b.bytes; });
  return parts;
}

/// What each rule adds to the requests of one setup.
struct Effect {
  std::string_view term;
  std::string_view what;
  std::int64_t requests = 0;
};

std::vector<Effect> effects_of(const MemoryPlan& memory) {
  const Holding& holding = memory.holding;
  const std::int64_t replicas = bounded(holding.replicas);
  std::vector<Effect> effects;
  std::int64_t left = counted(static_cast<std::int64_t>(holding.pool_bytes), holding.request_bytes,
                              holding.replicas);
  for (const engine::RequestRule& rule : holding.rules) {
    const std::int64_t next = bounded(rule.requests) * replicas;
    effects.push_back({rule.term, rule.what, next - left});
    left = next;
  }
  const auto served = static_cast<std::int64_t>(memory.max_requests.best);
  effects.push_back({"not_served", "does not start, or serves none of that length", served - left});
  return effects;
}

class Chain {
 public:
  Chain(const Setup& from, const Setup& to) : from_(from), to_(to) {}

  std::vector<TermDifference> build(const std::vector<TermDifference>& pool) {
    replace_pool(pool);
    replace_geometry();
    replace_rules();
    return std::move(terms_);
  }

 private:
  void add(std::string term, std::string what, std::int64_t from, std::int64_t to,
           std::string why) {
    if (from != to) {
      terms_.push_back({std::move(term), std::move(what), from, to, to - from, std::move(why)});
    }
  }

  void replace_pool(const std::vector<TermDifference>& pool) {
    const Holding& holding = from_.memory.holding;
    auto bytes = static_cast<std::int64_t>(holding.pool_bytes);
    std::int64_t before = counted(bytes, holding.request_bytes, holding.replicas);
    for (const Part& part : parts_of(from_, to_, pool)) {
      bytes += part.bytes;
      const std::int64_t after = counted(bytes, holding.request_bytes, holding.replicas);
      const char* more = part.bytes > 0 ? " more" : " less";
      add(part.term, part.what, before, after,
          gib(magnitude(part.bytes)) + more + " for the pool of a GPU, at " +
              gib(to_bytes(holding.request_bytes)) + " a request");
      before = after;
    }
    pooled_ = before;
  }

  void replace_geometry() {
    const Holding& holding = to_.memory.holding;
    const auto bytes = static_cast<std::int64_t>(holding.pool_bytes);
    const std::uint64_t replicas = from_.memory.holding.replicas;
    const std::int64_t shaped = counted(bytes, holding.request_bytes, replicas);
    add("geometry", "what one request takes of a GPU's pool", pooled_, shaped,
        why_geometry(from_, to_));
    const std::int64_t whole = counted(bytes, holding.request_bytes, holding.replicas);
    add("replicas", "replicas that each hold a cache of their own", shaped, whole,
        grouped(holding.replicas) + " instead of " + grouped(replicas));
  }

  void replace_rules() {
    struct Both {
      Effect rule;
      std::int64_t to = 0;
      std::string_view other_words;
    };
    std::vector<Both> rules;
    for (const Effect& effect : effects_of(from_.memory)) {
      rules.push_back({effect, 0, {}});
    }
    for (const Effect& effect : effects_of(to_.memory)) {
      const auto known = std::find_if(rules.begin(), rules.end(), [&](const Both& both) {
        return both.rule.term == effect.term;
      });
      if (known != rules.end()) {
        known->to = effect.requests;
        known->other_words = effect.what;
      } else {
        rules.insert(rules.end() - 1, {{effect.term, effect.what, 0}, effect.requests, {}});
      }
    }
    for (const Both& both : rules) {
      std::string what(both.rule.what);
      if (!both.other_words.empty() && both.other_words != what) {
        what += " / " + std::string(both.other_words);
      }
      add(std::string(both.rule.term), std::move(what), both.rule.requests, both.to,
          why_rule(both.rule.term, from_, to_));
    }
  }

  const Setup& from_;
  const Setup& to_;
  std::int64_t pooled_ = 0;
  std::vector<TermDifference> terms_;
};

}  // namespace

std::vector<TermDifference> request_differences(const Setup& from, const Setup& to,
                                                const std::vector<TermDifference>& pool) {
  return Chain(from, to).build(pool);
}

}  // namespace ridgepoint::plan
