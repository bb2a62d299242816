#include "plan/compare_text.hpp"

#include <algorithm>

#include "plan/difference_words.hpp"
#include "plan/limiting.hpp"
#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

using engine::MemoryPlan;

std::int64_t sum_of(const std::vector<TermDifference>& terms) {
  std::int64_t sum = 0;
  for (const TermDifference& term : terms) {
    sum += term.difference;
  }
  return sum;
}

/// Terms that change something, the largest first.
std::vector<const TermDifference*> by_size(const std::vector<TermDifference>& terms) {
  std::vector<const TermDifference*> sorted;
  for (const TermDifference& term : terms) {
    if (term.difference != 0) {
      sorted.push_back(&term);
    }
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    return magnitude(a->difference) > magnitude(b->difference);
  });
  return sorted;
}

constexpr std::uint64_t kWorthSaying = 5 * (1ULL << 20U);

std::string pool_text(std::uint64_t bytes) { return bytes == 0 ? "none" : gib(bytes); }

std::string sentence(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  if (!text.empty() && text.back() != '.') {
    text += '.';
  }
  return text;
}

/// "weights take 7.48 GiB more" of the card, whatever that means to the pool.
std::string moved(const TermDifference& term) {
  const std::string size = gib(magnitude(term.difference));
  const bool more_taken = term.difference < 0;
  if (term.term == "card") {
    return "the card has " + size + (more_taken ? " less" : " more");
  }
  const std::string more = more_taken ? " more" : " less";
  if (term.term == "weights") {
    return "weights take " + size + more;
  }
  if (term.term == "activation") {
    return "activations take " + size + more;
  }
  if (term.term == "cuda_graphs_charged") {
    return "CUDA graphs are charged " + size + more;
  }
  if (term.what.starts_with("left ") || term.what.starts_with("kept ")) {
    return size + more + " is " + term.what;
  }
  if (term.term == "non_torch") {
    return size + more + " is taken outside PyTorch";
  }
  if (term.term == "recurrent_states") {
    return "the pool of recurrent states takes " + size + more;
  }
  if (term.term == "temporary_cache") {
    return size + (more_taken ? " less" : " more") + " of the dry run's own cache is given back";
  }
  if (term.term == "shortfall") {
    return size + " of that were never there: a pool is not less than nothing";
  }
  return term.what + ": " + size + more;
}

std::string with_reason(const TermDifference& term) {
  return term.why.empty() || term.term == "shortfall" ? moved(term)
                                                      : moved(term) + " (" + term.why + ")";
}

class Text {
 public:
  Text(const Setup& from, const Setup& to, const std::string& from_label,
       const std::string& to_label, const Comparison& comparison)
      : from_(from), to_(to), a_(from_label), b_(to_label), comparison_(comparison) {}

  std::vector<std::string> write() {
    pools();
    other_terms();
    requests();
    refusals();
    largest_change();
    return std::move(sentences_);
  }

 private:
  void add(std::string text) { sentences_.push_back(sentence(std::move(text))); }

  void pools() {
    const std::uint64_t a = from_.memory.kv_pool.best;
    const std::uint64_t b = to_.memory.kv_pool.best;
    const auto terms = by_size(comparison_.pool);
    if (a == b) {
      std::string text = a == 0 ? "Neither " + a_ + " nor " + b_ + " has a KV pool"
                                : a_ + " and " + b_ + " have the same KV pool a GPU, " + gib(a);
      if (!terms.empty()) {
        text += ": what " + moved(*terms.front()) + " changes, the other terms take back";
      }
      add(text);
      return;
    }
    const std::uint64_t size = a > b ? a - b : b - a;
    std::string text = b_ + " has " + gib(size) + (b > a ? " more" : " less") +
                       " KV pool a GPU than " + a_ + ", " + pool_text(b) + " instead of " +
                       pool_text(a);
    if (size >= kWorthSaying) {
      text += " (" + grouped(size) + " bytes)";
    }
    if (!terms.empty()) {
      const bool along = (terms.front()->difference > 0) == (b > a);
      text += (along ? ": " : ", although ") + with_reason(*terms.front());
    }
    add(text);
  }

  void other_terms() {
    const auto terms = by_size(comparison_.pool);
    if (terms.size() < 2 || magnitude(terms[1]->difference) < kWorthSaying) {
      return;
    }
    const bool along = (terms[0]->difference > 0) == (terms[1]->difference > 0);
    std::string text = (along ? "besides, " : "against that, ") + with_reason(*terms[1]);
    std::int64_t rest = sum_of(comparison_.pool) - terms[0]->difference - terms[1]->difference;
    if (terms.size() > 2 && magnitude(terms[2]->difference) >= kWorthSaying) {
      text += "; " + moved(*terms[2]);
      rest -= terms[2]->difference;
    }
    if (magnitude(rest) >= kWorthSaying) {
      text +=
          "; the rest " + std::string(rest < 0 ? "takes " : "gives back ") + gib(magnitude(rest));
    }
    add(text);
  }

  void requests() {
    const std::uint64_t a = from_.memory.max_requests.best;
    const std::uint64_t b = to_.memory.max_requests.best;
    const std::string lengths = from_.memory.context == to_.memory.context
                                    ? " of " + grouped(to_.memory.context) + " tokens"
                                    : " of " + grouped(to_.memory.context) + " tokens (" + a_ +
                                          ": of " + grouped(from_.memory.context) + ")";
    if (a == b) {
      add("both serve " + requests_text(a) + " at once" + lengths);
      return;
    }
    std::string text = b_ + " serves " + (b == 0 ? "no requests" : requests_text(b)) + lengths +
                       " at once instead of " + grouped(a) + ", " + grouped(a > b ? a - b : b - a) +
                       (b > a ? " more" : " fewer");
    const auto terms = by_size(comparison_.requests);
    if (!terms.empty()) {
      const TermDifference& first = *terms.front();
      text += "; the largest part, " + std::string(first.difference > 0 ? "+" : "-") +
              grouped(magnitude(first.difference)) + ", is " + first.what;
      if (!first.why.empty() && first.term != "not_served") {
        text += " (" + first.why + ")";
      }
    }
    add(text);
  }

  void refusals() {
    for (const auto& [setup, label] : {std::pair{&from_, &a_}, std::pair{&to_, &b_}}) {
      const MemoryPlan& memory = setup->memory;
      if (memory.limit == engine::Limit::none || sentences_.size() >= 5) {
        continue;
      }
      std::string text =
          *label + " does not serve, for " + limiting_term(*setup->request.engine, memory).words;
      if (memory.needed_bytes > memory.available_bytes) {
        text += ": " + gib(memory.needed_bytes - memory.available_bytes) + " are missing (" +
                gib(memory.needed_bytes) + " are needed and " + gib(memory.available_bytes) +
                " are there)";
      } else {
        text += ": " + memory.limit_text;
      }
      add(text);
    }
  }

  void largest_change() {
    if (comparison_.changes.size() < 2 || sentences_.size() >= 5) {
      return;
    }
    const auto largest =
        std::max_element(comparison_.changes.begin(), comparison_.changes.end(),
                         [](const PathStep& x, const PathStep& y) {
                           return magnitude(x.pool_difference) < magnitude(y.pool_difference);
                         });
    if (largest->pool_difference != 0) {
      add("made one after the other, the change that moves the pool most is " + largest->what +
          " (" + largest->from + " to " + largest->to + "), by " +
          (largest->pool_difference > 0 ? "+" : "-") + gib(magnitude(largest->pool_difference)));
    }
  }

  const Setup& from_;
  const Setup& to_;
  const std::string& a_;
  const std::string& b_;
  const Comparison& comparison_;
  std::vector<std::string> sentences_;
};

}  // namespace

std::vector<std::string> comparison_text(const Setup& from, const Setup& to,
                                         const std::string& from_label, const std::string& to_label,
                                         const Comparison& comparison) {
  return Text(from, to, from_label, to_label, comparison).write();
}

}  // namespace ridgepoint::plan
