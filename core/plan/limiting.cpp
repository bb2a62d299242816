#include "plan/limiting.hpp"

#include <algorithm>

namespace ridgepoint::plan {
namespace {

using engine::Limit;
using engine::MemoryPlan;

std::string with_lever(std::string_view words, std::string_view lever) {
  std::string text(words);
  return lever.empty() ? text : text + " (--" + std::string(lever) + ")";
}

std::uint64_t charged(const MemoryPlan& memory, std::string_view term) {
  for (const engine::Charge& charge : memory.charges) {
    if (charge.term == term) {
      return static_cast<std::uint64_t>(std::max<std::int64_t>(0, charge.bytes));
    }
  }
  return 0;
}

/// The last rule that took requests away: rules only ever lower what the one before left.
const engine::RequestRule* last_that_took(const MemoryPlan& memory) {
  const engine::RequestRule* took = nullptr;
  const engine::RequestRule* before = nullptr;
  for (const engine::RequestRule& rule : memory.holding.rules) {
    if (before == nullptr || rule.requests < before->requests || rule.term == "blocks_as_set") {
      took = &rule;
    }
    before = &rule;
  }
  return took;
}

LimitingTerm of_a_start_that_serves(const engine::Engine& engine, const MemoryPlan& memory) {
  const engine::RequestRule* rule = last_that_took(memory);
  const std::string_view term = rule == nullptr ? "whole_blocks" : rule->term;
  if (term == "sequence_cap") {
    return {"sequence_cap", with_lever("sequence cap", engine.levers.most_requests)};
  }
  if (term == "window_pool") {
    return {"window_pool", "sliding window pool"};
  }
  if (term == "state_slots") {
    return {"recurrent_states", "pool of recurrent states"};
  }
  if (term == "blocks_as_set") {
    return {"blocks_as_set", "blocks as set (--num-gpu-blocks-override)"};
  }
  return {"kv_pool", "KV pool"};
}

/// Which of the terms before the pool would have to give way.
LimitingTerm of_a_start_without_room(const engine::Engine& engine, const MemoryPlan& memory) {
  const std::uint64_t missing = memory.needed_bytes > memory.available_bytes
                                    ? memory.needed_bytes - memory.available_bytes
                                    : 0;
  const bool shortfall = std::any_of(memory.charges.begin(), memory.charges.end(),
                                     [](const auto& c) { return c.term == "shortfall"; });
  if (memory.kv_pool.best != 0 && (!shortfall || memory.kv_pool.best >= missing)) {
    return {"kv_pool", "KV pool"};
  }
  if (!engine.levers.memory_share.empty() && charged(memory, "not_claimed") >= missing) {
    return {"claim", with_lever("claim", engine.levers.memory_share)};
  }
  if (charged(memory, "activation") >= missing) {
    return {"activation", with_lever("activation", engine.levers.batched_tokens)};
  }
  return {"weights", "weights"};
}

}  // namespace

LimitingTerm limiting_term(const engine::Engine& engine, const MemoryPlan& memory) {
  switch (memory.limit) {
    case Limit::none:
      return of_a_start_that_serves(engine, memory);
    case Limit::weights:
      return {"weights", "weights"};
    case Limit::context:
      return {"context", with_lever("context limit", engine.levers.max_length)};
    case Limit::free_memory:
      return {"free_memory", "free memory"};
    case Limit::architecture:
      return {"version", "version of the engine"};
    case Limit::kv_pool:
      break;
  }
  return of_a_start_without_room(engine, memory);
}

}  // namespace ridgepoint::plan
