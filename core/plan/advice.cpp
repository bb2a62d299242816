#include "plan/advice.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "model/tensors.hpp"
#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

using engine::FlagValue;
using engine::Limit;
using engine::MemoryPlan;

bool same_flag(const std::string& a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return x == y || (x == '_' && y == '-') || (x == '-' && y == '_');
         });
}

void set_flag(Request& request, std::string_view name,
              std::variant<bool, std::int64_t, double, std::string> value) {
  auto& args = request.args;
  args.erase(std::remove_if(args.begin(), args.end(),
                            [&](const FlagValue& flag) { return same_flag(flag.name, name); }),
             args.end());
  args.push_back({std::string(name), std::move(value)});
}

/// A change to try, and how it is told.
struct Trial {
  std::string change;
  std::function<void(Request&)> apply;
};

std::vector<Trial> trials(const Request& request, const MemoryPlan& memory) {
  std::vector<Trial> list;
  if (memory.limit == Limit::free_memory) {
    const double share =
        static_cast<double>(memory.available_bytes) / static_cast<double>(memory.total_bytes);
    const double lower = static_cast<double>(static_cast<int>(share * 100.0)) / 100.0;
    list.push_back({"--gpu-memory-utilization " + decimal(lower),
                    [lower](Request& r) { set_flag(r, "gpu-memory-utilization", lower); }});
    return list;
  }
  const auto longest = static_cast<std::int64_t>(memory.max_context / 16 * 16);
  if (memory.limit == Limit::kv_pool && longest > 0) {
    list.push_back({"--max-model-len " + std::to_string(longest), [longest](Request& r) {
                      set_flag(r, "max-model-len", longest);
                      r.workload.context = static_cast<std::uint64_t>(longest);
                    }});
  }
  if (memory.limit == Limit::context) {
    const auto wanted = static_cast<std::int64_t>(memory.context);
    list.push_back({"--max-model-len " + std::to_string(wanted),
                    [wanted](Request& r) { set_flag(r, "max-model-len", wanted); }});
    return list;
  }
  if (memory.kv_format == precision::KvFormat::model_dtype) {
    list.push_back({"--kv-cache-dtype fp8",
                    [](Request& r) { set_flag(r, "kv-cache-dtype", std::string("fp8")); }});
  }
  list.push_back({"--enforce-eager", [](Request& r) { set_flag(r, "enforce-eager", true); }});
  list.push_back({"--gpu-memory-utilization 0.95",
                  [](Request& r) { set_flag(r, "gpu-memory-utilization", 0.95); }});
  for (std::uint64_t factor = 2; factor <= 8; factor *= 2) {
    const std::uint64_t ranks = memory.parallelism.tensor * factor;
    list.push_back(
        {"--tensor-parallel-size " + std::to_string(ranks) + " on " +
             std::to_string(ranks * memory.parallelism.pipeline * memory.parallelism.data) +
             " cards",
         [ranks, &memory](Request& r) {
           set_flag(r, "tensor-parallel-size", static_cast<std::int64_t>(ranks));
           r.gpu_count = ranks * memory.parallelism.pipeline * memory.parallelism.data;
         }});
  }
  (void)request;
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
    const bool more_cards = trial.change.find("cards") != std::string::npos;
    if (more_cards && more_cards_found) {
      continue;
    }
    Request changed = request;
    trial.apply(changed);
    const engine::Inputs inputs{
        changed.model, tensors,     changed.device,   changed.gpu_count, changed.engine_version,
        changed.args,  changed.env, changed.workload, changed.measured};
    const auto plan = request.engine->plan(inputs);
    if (plan && plan->limit == Limit::none) {
      more_cards_found = more_cards_found || more_cards;
      found.push_back({trial.change, "It starts and holds " + grouped(plan->max_requests.best) +
                                         (plan->max_requests.best == 1 ? " request" : " requests") +
                                         " of " + grouped(plan->context) + " tokens."});
    }
  }
  return found;
}

}  // namespace ridgepoint::plan
