#include "plan/advice.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "model/tensors.hpp"
#include "plan/change.hpp"
#include "plan/fit.hpp"
#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

using engine::FlagValue;
using engine::Limit;
using engine::MemoryPlan;

/// A change to try, and how it is told.
struct Trial {
  std::string change;
  std::function<void(Request&)> apply;
  bool more_cards = false;
};

std::string flag_text(std::string_view name, const std::string& value) {
  return "--" + std::string(name) + (value.empty() ? "" : " " + value);
}

/// Setting one flag, where the engine has it.
void try_flag(std::vector<Trial>& list, std::string_view name,
              const std::variant<bool, std::int64_t, double, std::string>& value,
              const std::string& shown) {
  if (!name.empty()) {
    list.push_back({flag_text(name, shown),
                    [name, value](Request& r) {
                      set_flag(r, {std::string(name), value});
                    },
                    false});
  }
}

std::vector<Trial> trials(const Request& request, const MemoryPlan& memory) {
  const engine::Levers& levers = request.engine->levers;
  std::vector<Trial> list;
  if (memory.limit == Limit::free_memory) {
    const double share =
        static_cast<double>(memory.available_bytes) / static_cast<double>(memory.total_bytes);
    const double lower = static_cast<double>(static_cast<int>(share * 100.0)) / 100.0;
    try_flag(list, levers.memory_share, lower, decimal(lower));
    return list;
  }
  const auto longest = static_cast<std::int64_t>(memory.max_context / 16 * 16);
  if (memory.limit == Limit::kv_pool && longest > 0 && !levers.max_length.empty()) {
    list.push_back({flag_text(levers.max_length, std::to_string(longest)),
                    [longest, name = levers.max_length](Request& r) {
                      set_flag(r, {std::string(name), longest});
                      r.workload.context = static_cast<std::uint64_t>(longest);
                    },
                    false});
  }
  if (memory.limit == Limit::context) {
    const auto wanted = static_cast<std::int64_t>(memory.context);
    try_flag(list, levers.max_length, wanted, std::to_string(wanted));
    return list;
  }
  if (memory.kv_format == precision::KvFormat::model_dtype) {
    try_flag(list, levers.cache_format, std::string(levers.small_cache),
             std::string(levers.small_cache));
  }
  try_flag(list, levers.no_graphs, true, "");
  try_flag(list, levers.memory_share, 0.95, "0.95");
  if (levers.tensor_parallel.empty()) {
    return list;
  }
  for (std::uint64_t factor = 2; factor <= 8; factor *= 2) {
    const std::uint64_t ranks = memory.parallelism.tensor * factor;
    const std::uint64_t cards = ranks * memory.parallelism.pipeline * memory.parallelism.data;
    list.push_back({flag_text(levers.tensor_parallel, std::to_string(ranks)) + " on " +
                        std::to_string(cards) + " cards",
                    [ranks, cards, name = levers.tensor_parallel](Request& r) {
                      set_flag(r, {std::string(name), static_cast<std::int64_t>(ranks)});
                      r.gpu_count = cards;
                    },
                    true});
  }
  return list;
}

}  // namespace

std::vector<Advice> advise(const Request& request, const MemoryPlan& memory) {
  std::vector<Advice> found;
  if (memory.limit == Limit::none) {
    return found;
  }
  bool more_cards_found = false;
  const std::vector<model::Tensor> tensors = model::tensors(request.model);
  for (const Trial& trial : trials(request, memory)) {
    if (trial.more_cards && more_cards_found) {
      continue;
    }
    Request changed = request;
    trial.apply(changed);
    const auto plan = request.engine->plan(engine_inputs(changed, tensors));
    if (plan && plan->limit == Limit::none) {
      more_cards_found = more_cards_found || trial.more_cards;
      found.push_back({trial.change, "It starts and holds " + grouped(plan->max_requests.best) +
                                         (plan->max_requests.best == 1 ? " request" : " requests") +
                                         " of " + grouped(plan->context) + " tokens."});
    }
  }
  return found;
}

}  // namespace ridgepoint::plan
