#include "command/reasons.hpp"

#include <algorithm>

#include "command/normal_args.hpp"
#include "wording.hpp"

namespace ridgepoint::command {
namespace {

using engine::FlagEffect;
using engine::FlagFacts;
using engine::FlagValue;

bool is_derived(const Setup& setup, const std::string& name) {
  return std::find(setup.derived.begin(), setup.derived.end(), name) != setup.derived.end();
}

std::string requests(std::uint64_t count) {
  return grouped(count) + (count == 1 ? " request" : " requests");
}

/// Without a name of the model's file the estimate is of another file, not of another setup.
bool names_files(std::string_view name) {
  constexpr std::string_view kNames[] = {"model",       "hf-repo",   "hf-file",     "model-url",
                                         "docker-repo", "mmproj",    "model-draft", "hf-repo-draft",
                                         "mmproj-url",  "model-path"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

/// What the answer would be without the flag, where that is another one.
std::string without_it(const Setup& setup, const FlagValue& flag) {
  plan::Request without = setup.request;
  without.args.erase(std::remove_if(without.args.begin(), without.args.end(),
                                    [&](const FlagValue& f) { return f.name == flag.name; }),
                     without.args.end());
  const auto other = plan::fit(without);
  if (!other) {
    return "Without it the setup is refused: " + other.error().message;
  }
  const engine::MemoryPlan& with_it = setup.plan.memory;
  const engine::MemoryPlan& memory = other->memory;
  const bool serves = with_it.limit == engine::Limit::none;
  const bool served = memory.limit == engine::Limit::none;
  if (serves != served) {
    return served ? "Without it the engine would start." : "Without it the engine does not start.";
  }
  if (serves && with_it.max_requests.best != memory.max_requests.best) {
    return "With it " + requests(with_it.max_requests.best) + " of " + grouped(with_it.context) +
           " tokens fit at once; without it " + grouped(memory.max_requests.best) +
           (memory.context == with_it.context ? "." : " of " + grouped(memory.context) + ".");
  }
  if (with_it.kv_pool.best != memory.kv_pool.best) {
    return "With it the cache has " + in_gib(with_it.kv_pool.best) + " a card; without it " +
           in_gib(memory.kv_pool.best) + ".";
  }
  return {};
}

std::string derived_reason(const Setup& setup, const FlagValue& flag) {
  const engine::Levers& levers = setup.request.engine->levers;
  if (flag.name == levers.tensor_parallel) {
    return "Each layer is shared by the " + value_word(flag) + " cards.";
  }
  if (flag.name == levers.max_length) {
    const std::uint64_t own = model::claimed_context(setup.request.model);
    const std::uint64_t context = setup.plan.memory.context;
    const bool slots = value_word(flag) != std::to_string(context);
    return std::string("The length asked about") +
           (slots ? ", " + grouped(context) + " tokens, for each slot" : "") +
           (own != 0 && own != context ? "; the model's own is " + grouped(own) + "." : ".");
  }
  return {};
}

}  // namespace

std::string reason_of(const Setup& setup, const FlagValue& flag, std::size_t& estimates) {
  const FlagFacts* facts = engine::find_flag(setup.request.engine->flags(), flag.name);
  if (facts == nullptr) {
    return {};
  }
  if (is_derived(setup, flag.name)) {
    std::string reason = derived_reason(setup, flag);
    if (!reason.empty()) {
      return reason;
    }
  }
  const auto* on = std::get_if<bool>(&flag.value);
  std::string reason = (on != nullptr && !*on ? "Switched off: " : "") + std::string(facts->help);
  if (facts->effect == FlagEffect::no_effect) {
    return reason;
  }
  const engine::MemoryPlan& memory = setup.plan.memory;
  if (flag.name == setup.request.engine->levers.memory_share && memory.requested_bytes) {
    reason +=
        " That is " + in_gib(*memory.requested_bytes) + " of " + in_gib(memory.total_bytes) + ".";
  }
  if (estimates != 0 && !is_derived(setup, flag.name) && !names_files(flag.name)) {
    --estimates;
    const std::string effect = without_it(setup, flag);
    reason += (effect.empty() ? "" : " ") + effect;
  }
  return reason;
}

}  // namespace ridgepoint::command
