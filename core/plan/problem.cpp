#include "plan/problem.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

using engine::MemoryPlan;

struct Term {
  std::string_view name;
  std::uint64_t bytes;
};

/// What lies in an engine's claim beside the cache, largest first.
std::vector<Term> terms_of(const MemoryPlan& plan) {
  std::vector<Term> terms = {{"weights", plan.weights.best},
                             {"activations", plan.activation.best},
                             {"the CUDA context and libraries", plan.non_torch.best},
                             {"CUDA graphs", plan.cuda_graphs_charged.best}};
  terms.erase(
      std::remove_if(terms.begin(), terms.end(), [](const Term& term) { return term.bytes == 0; }),
      terms.end());
  std::stable_sort(terms.begin(), terms.end(),
                   [](const Term& a, const Term& b) { return a.bytes > b.bytes; });
  return terms;
}

std::string listed(const std::vector<Term>& terms) {
  std::string text;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    text += i == 0 ? "" : (i + 1 == terms.size() ? " and " : ", ");
    text += std::string(terms[i].name) + " " + in_gib(terms[i].bytes);
  }
  return text;
}

std::string who(const Request& request, const MemoryPlan& plan) {
  return std::string(request.engine->title) + " " + plan.version;
}

/// "may use 14.314 GiB of the card's 15.904 GiB (--gpu-memory-utilization 0.9)".
std::string claim_of(const Request& request, const MemoryPlan& plan) {
  if (!plan.requested_bytes) {
    return who(request, plan) + " has " + in_gib(plan.total_bytes) + " of a card.";
  }
  std::string text = who(request, plan) + " may use " + in_gib(*plan.requested_bytes) +
                     " of a card's " + in_gib(plan.total_bytes);
  const double share = memory_share(request, plan);
  if (share > 0) {
    text += " (" + typed(request, request.engine->levers.memory_share, decimal(share)) + ")";
  }
  return text + ".";
}

std::string missing(const MemoryPlan& plan) {
  return plan.needed_bytes > plan.available_bytes
             ? " It is short of " + in_gib(plan.needed_bytes - plan.available_bytes) + " a GPU."
             : std::string();
}

std::string of_weights(const Request& request, const MemoryPlan& plan) {
  const std::uint64_t room = plan.requested_bytes.value_or(plan.total_bytes);
  std::string text = "The weights are too large: " + in_gib(plan.weights.best) + " of a GPU.";
  text += " " + claim_of(request, plan);
  if (plan.weights.best > room) {
    text += " That is " + in_gib(plan.weights.best - room) +
            " too little for the weights alone, before any cache.";
    return text;
  }
  return text + missing(plan);
}

/// The terms leave too little of the claim, or the cache that is left is too small.
std::string of_room(const Request& request, const MemoryPlan& plan) {
  const std::vector<Term> terms = terms_of(plan);
  std::uint64_t taken = 0;
  for (const Term& term : terms) {
    taken += term.bytes;
  }
  std::string text = "Too little is left for the cache. " + claim_of(request, plan) + " Of it " +
                     listed(terms) + " take " + in_gib(taken);
  const std::uint64_t room = plan.requested_bytes.value_or(plan.total_bytes);
  if (taken >= room || plan.kv_pool.best == 0) {
    text += ", and nothing is left.";
  } else {
    text += ", and the cache gets " + in_gib(plan.kv_pool.best) + ".";
  }
  if (plan.needed_bytes > plan.available_bytes) {
    text += " The start needs " + in_gib(plan.needed_bytes) + " where there is " +
            in_gib(plan.available_bytes) + " for it";
    // Where states are kept, a state for every sequence may be what is wanted.
    text += request.model.stateful()
                ? std::string(".")
                : ", with one request of " + grouped(plan.context) + " tokens.";
  }
  return text + missing(plan);
}

std::string of_free_memory(const Request& request, const MemoryPlan& plan) {
  return "The card has too little memory free. " + claim_of(request, plan) + " The start wants " +
         in_gib(plan.needed_bytes) + ", and " + in_gib(plan.available_bytes) +
         " are there for it." + missing(plan);
}

std::string of_context(const Request& request, const MemoryPlan& plan) {
  return "The length is the problem, not the memory: a request of " + grouped(plan.context) +
         " tokens is asked about, and " + who(request, plan) + " takes at most " +
         grouped(plan.max_model_len) + ".";
}

std::string of_requests(const Request& request, const MemoryPlan& plan, std::uint64_t asked) {
  const std::uint64_t replicas = std::max<std::uint64_t>(1, plan.parallelism.data);
  const bool capped = plan.max_requests.best >= plan.max_num_seqs * replicas;
  std::string text = "It starts, and serves too few at once: " + grouped(plan.max_requests.best) +
                     " of the " + grouped(asked) + " requests of " + grouped(plan.context) +
                     " tokens that are asked for; the others wait.";
  if (capped) {
    return text + " The limit of requests at once is what holds it back (" +
           typed(request, request.engine->levers.most_requests, std::to_string(plan.max_num_seqs)) +
           "), not the cache.";
  }
  return text + " The cache holds no more: " + in_gib(plan.kv_pool.best) + " of a GPU, beside " +
         listed(terms_of(plan)) + "; one request takes " + in_gib(plan.bytes_per_request) +
         " in all.";
}

std::string what_is_wrong(const Request& request, const MemoryPlan& plan, Trouble trouble) {
  switch (trouble) {
    case Trouble::none:
      return {};
    case Trouble::weights:
      return of_weights(request, plan);
    case Trouble::room:
      return of_room(request, plan);
    case Trouble::free_memory:
      return of_free_memory(request, plan);
    case Trouble::context:
      return of_context(request, plan);
    case Trouble::architecture:
      return "The release is the problem, not the memory: " + who(request, plan) +
             " does not run this model.";
    case Trouble::requests:
      return of_requests(request, plan, request.workload.concurrency.value_or(1));
  }
  return {};
}

}  // namespace

std::string problem_text(const Request& request, const MemoryPlan& plan,
                         const Proposals& proposals) {
  std::string text = what_is_wrong(request, plan, proposals.trouble);
  if (text.empty()) {
    return text;
  }
  if (!plan.limit_text.empty()) {
    text += " Refused with: " + plan.limit_text;
  }
  if (proposals.list.empty()) {
    text +=
        " None of the changes that are known here mends it, alone or two at once: it takes another "
        "model or another engine, or both a smaller load and more cards.";
  } else if (proposals.only_starts) {
    text += " Nothing that is known here serves all " +
            grouped(request.workload.concurrency.value_or(1)) +
            " requests at once; with these changes it starts and serves some.";
  }
  return text;
}

}  // namespace ridgepoint::plan
