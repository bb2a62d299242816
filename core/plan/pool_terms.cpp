#include "plan/pool_terms.hpp"

#include <algorithm>
#include <utility>

#include "plan/term_reasons.hpp"

namespace ridgepoint::plan {
namespace {

using engine::Charge;

struct Pair {
  std::string_view term;
  std::string what;
  std::int64_t from = 0;
  std::int64_t to = 0;
};

/// The terms of both, in the order of the first, those of the second alone behind. Two engines may
/// say it differently.
std::vector<Pair> side_by_side(const std::vector<Charge>& from, const std::vector<Charge>& to) {
  std::vector<Pair> pairs;
  const auto place = [&](const Charge& charge) -> Pair& {
    const auto known = std::find_if(pairs.begin(), pairs.end(),
                                    [&](const Pair& pair) { return pair.term == charge.term; });
    if (known == pairs.end()) {
      pairs.push_back({charge.term, std::string(charge.what), 0, 0});
      return pairs.back();
    }
    if (known->what != charge.what) {
      known->what += " / " + std::string(charge.what);
    }
    return *known;
  };
  for (const Charge& charge : from) {
    place(charge).from += charge.bytes;
  }
  for (const Charge& charge : to) {
    place(charge).to += charge.bytes;
  }
  return pairs;
}

}  // namespace

std::vector<Charge> pool_terms(const engine::MemoryPlan& memory) {
  std::vector<Charge> terms = memory.charges;
  auto rest = static_cast<std::int64_t>(memory.total_bytes) -
              static_cast<std::int64_t>(memory.kv_pool.best);
  for (const Charge& charge : terms) {
    rest -= charge.bytes;
  }
  if (rest != 0) {
    terms.push_back({"unattributed", "rounding, or not attributed", rest});
  }
  return terms;
}

std::vector<TermDifference> pool_differences(const Setup& from, const Setup& to) {
  std::vector<TermDifference> terms;
  const auto card_from = static_cast<std::int64_t>(from.memory.total_bytes);
  const auto card_to = static_cast<std::int64_t>(to.memory.total_bytes);
  terms.push_back({"card", "memory of the card", card_from, card_to, card_to - card_from,
                   why_pool_term("card", from, to)});
  for (const Pair& pair : side_by_side(pool_terms(from.memory), pool_terms(to.memory))) {
    TermDifference term{std::string(pair.term), pair.what, pair.from, pair.to,
                        pair.from - pair.to,    ""};
    if (term.difference != 0) {
      term.why = why_pool_term(pair.term, from, to);
    }
    terms.push_back(std::move(term));
  }
  return terms;
}

}  // namespace ridgepoint::plan
