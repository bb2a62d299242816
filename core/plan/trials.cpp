#include "plan/trials.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

using engine::Limit;
using engine::Parallelism;

bool sets_same_flag(const engine::Engine& engine, const Change& a, const Change& b) {
  return std::any_of(a.set.begin(), a.set.end(), [&](const engine::FlagValue& flag) {
    return std::any_of(b.set.begin(), b.set.end(), [&](const engine::FlagValue& other) {
      return same_flag(engine, flag.name, other.name);
    });
  });
}

bool unsets_what_is_set(const engine::Engine& engine, const Change& a, const Change& b) {
  return std::any_of(a.unset.begin(), a.unset.end(), [&](const std::string& name) {
    return std::any_of(b.set.begin(), b.set.end(), [&](const engine::FlagValue& flag) {
      return same_flag(engine, name, flag.name);
    });
  });
}

bool contradict(const engine::Engine& engine, const Change& a, const Change& b) {
  return sets_same_flag(engine, a, b) || unsets_what_is_set(engine, a, b) ||
         unsets_what_is_set(engine, b, a) || (a.gpu_id && b.gpu_id) ||
         (a.gpu_count && b.gpu_count) || (a.context && b.context) ||
         (!a.quant_config.empty() && !b.quant_config.empty()) ||
         (!a.engine_version.empty() && !b.engine_version.empty()) ||
         // A card that is exchanged has no other programs on it.
         (a.gpu_id && b.whole_card_free) || (b.gpu_id && a.whole_card_free);
}

/// A number of ranks that at most one of two trials changes; false when both do.
bool join(std::uint64_t now, std::uint64_t a, std::uint64_t b, std::uint64_t& out) {
  out = a != now ? a : b;
  return a == now || b == now;
}

std::optional<Parallelism> joined(const Parallelism& now, const Parallelism& a,
                                  const Parallelism& b) {
  Parallelism out = now;
  out.expert = a.expert || b.expert;
  if (!join(now.tensor, a.tensor, b.tensor, out.tensor) ||
      !join(now.pipeline, a.pipeline, b.pipeline, out.pipeline) ||
      !join(now.data, a.data, b.data, out.data)) {
    return std::nullopt;
  }
  return out;
}

template <typename T>
void append(std::vector<T>& list, const std::vector<T>& more) {
  for (const T& item : more) {
    list.push_back(item);
  }
}

bool switched_on(const engine::FlagValue* flag) {
  if (flag == nullptr) {
    return false;
  }
  const bool* on = std::get_if<bool>(&flag->value);
  const auto* text = std::get_if<std::string>(&flag->value);
  return (on != nullptr && *on) || (text != nullptr && (text->empty() || *text == "true"));
}

/// Whether data-parallel groups are cut out of the tensor-parallel ranks once a change is made.
bool groups_share_ranks(const Request& request, const Change& change) {
  const std::string_view name = request.engine->levers.attention_groups;
  if (name.empty()) {
    return false;
  }
  return switched_on(given_flag(request, name)) ||
         std::any_of(change.set.begin(), change.set.end(), [&](const engine::FlagValue& flag) {
           return same_flag(*request.engine, flag.name, name) && switched_on(&flag);
         });
}

/// Measured terms that do not outlive a change of a level.
std::vector<std::string_view> outdated_terms(Level level) {
  switch (level) {
    case Level::length:
    case Level::asked_length:
    case Level::slots:
      return {};
    case Level::share:
    case Level::programs:
    case Level::cache_format:
      return {"kv_pool_bytes"};
    case Level::steps:
      return {"activation_bytes", "kv_pool_bytes"};
    case Level::graph_sizes:
    case Level::graphs:
      return {"cuda_graphs_bytes", "kv_pool_bytes"};
    case Level::inputs:
    case Level::helpers:
      return {"weights_bytes", "activation_bytes", "kv_pool_bytes"};
    case Level::weight_format:
    case Level::offload:
      return {"weights_bytes", "kv_pool_bytes"};
    default:
      return {"weights_bytes", "activation_bytes", "non_torch_bytes", "cuda_graphs_bytes",
              "kv_pool_bytes"};
  }
}

bool is_measured(const engine::Measured& measured, std::string_view term) {
  return (term == "weights_bytes" && measured.weights_bytes) ||
         (term == "activation_bytes" && measured.activation_bytes) ||
         (term == "non_torch_bytes" && measured.non_torch_bytes) ||
         (term == "cuda_graphs_bytes" && measured.cuda_graphs_bytes) ||
         (term == "kv_pool_bytes" && measured.kv_pool_bytes);
}

/// Lets go of what was measured of the setup as it is and is not so after the change.
void forget_measured(const Situation& s, Knob& knob) {
  std::vector<std::string> outdated;
  for (const std::string_view term : outdated_terms(knob.level)) {
    if (is_measured(s.request.measured, term)) {
      outdated.emplace_back(term);
    }
  }
  if (outdated.empty()) {
    return;
  }
  // The other terms stay: what the measured pool says of the rest goes on holding.
  const bool same_setup =
      std::find(outdated.begin(), outdated.end(), "kv_pool_bytes") != outdated.end() &&
      knob.level < Level::version;
  knob.at = [at = std::move(knob.at), outdated,
             calibrated =
                 same_setup ? s.calibrated_non_torch : std::nullopt](std::uint64_t position) {
    Trial trial = at(position);
    append(trial.change.unmeasured, outdated);
    trial.change.non_torch_bytes = calibrated;
    return trial;
  };
}

void set_ranks(std::vector<engine::FlagValue>& set, std::string_view flag, std::uint64_t ranks,
               std::uint64_t now) {
  if (!flag.empty() && (ranks != 1 || ranks != now)) {
    set.push_back({std::string(flag), static_cast<std::int64_t>(ranks)});
  }
}

}  // namespace

Trouble trouble_of(const engine::MemoryPlan& plan, std::uint64_t concurrency) {
  switch (plan.limit) {
    case Limit::none:
      return plan.max_requests.best < concurrency ? Trouble::requests : Trouble::none;
    case Limit::weights:
      return Trouble::weights;
    case Limit::kv_pool:
      return Trouble::room;
    case Limit::context:
      return Trouble::context;
    case Limit::free_memory:
      return Trouble::free_memory;
    case Limit::architecture:
      return Trouble::architecture;
  }
  return Trouble::none;
}

std::uint64_t shortfall(const engine::MemoryPlan& plan) {
  return plan.needed_bytes > plan.available_bytes ? plan.needed_bytes - plan.available_bytes : 0;
}

bool cannot_be_enough(const Situation& s, std::uint64_t term_bytes) {
  const bool leaves_the_rest = s.request.engine->name == "vllm";
  const model::ModelSpec& model = s.request.model;
  return leaves_the_rest && s.trouble == Trouble::room && !model.windowed() && !model.stateful() &&
         !model.has(model::AttentionKind::compressed) && shortfall(s.now) > term_bytes;
}

std::string typed(const Request& request, std::string_view flag, std::string_view value) {
  if (request.engine->name == "trtllm" && flag.find('.') != std::string_view::npos) {
    std::string option(flag);
    std::replace(option.begin(), option.end(), '-', '_');
    return option + ": " + std::string(value.empty() ? "true" : value) + " (in the options file)";
  }
  return "--" + std::string(flag) + (value.empty() ? "" : " ") + std::string(value);
}

std::string_view graph_size_flag(const engine::Engine& engine) {
  for (const std::string_view name :
       {"max-cudagraph-capture-size", "cuda-graph-max-bs", "cuda-graph-config.max-batch-size"}) {
    if (engine::find_flag(engine.flags(), name) != nullptr) {
      return name;
    }
  }
  return {};
}

double memory_share(const Request& request, const engine::MemoryPlan& plan) {
  const std::string_view name = request.engine->levers.memory_share;
  if (name.empty()) {
    return 0;
  }
  if (const engine::FlagValue* flag = given_flag(request, name)) {
    if (const double* share = std::get_if<double>(&flag->value)) {
      return *share;
    }
  }
  for (const engine::Step& step : plan.steps) {
    if (step.term == "mem_fraction_static") {
      return step.value;
    }
  }
  // TensorRT-LLM claims nothing up front; its default share is 0.9 (docs, KvCacheConfig).
  return plan.requested_bytes && plan.total_bytes != 0
             ? static_cast<double>(*plan.requested_bytes) / static_cast<double>(plan.total_bytes)
             : 0.9;
}

std::vector<Knob> knobs(const Situation& situation) {
  std::vector<Knob> list;
  add_memory_knobs(situation, list);
  add_length_knobs(situation, list);
  add_format_knobs(situation, list);
  add_engine_knobs(situation, list);
  add_card_knobs(situation, list);
  std::stable_sort(list.begin(), list.end(),
                   [](const Knob& a, const Knob& b) { return a.level < b.level; });
  for (Knob& knob : list) {
    forget_measured(situation, knob);
  }
  return list;
}

std::optional<Trial> both(const Situation& situation, const Trial& a, const Trial& b) {
  if (contradict(*situation.request.engine, a.change, b.change)) {
    return std::nullopt;
  }
  Trial trial = a;
  if (a.parallel && b.parallel) {
    trial.parallel = joined(situation.now.parallelism, *a.parallel, *b.parallel);
    if (!trial.parallel) {
      return std::nullopt;
    }
  } else if (b.parallel) {
    trial.parallel = b.parallel;
  }
  Change& change = trial.change;
  append(change.set, b.change.set);
  append(change.unset, b.change.unset);
  for (const std::string& term : b.change.unmeasured) {
    if (std::find(change.unmeasured.begin(), change.unmeasured.end(), term) ==
        change.unmeasured.end()) {
      change.unmeasured.push_back(term);
    }
  }
  change.non_torch_bytes =
      b.change.non_torch_bytes ? b.change.non_torch_bytes : change.non_torch_bytes;
  const bool outdated = std::find(change.unmeasured.begin(), change.unmeasured.end(),
                                  "non_torch_bytes") != change.unmeasured.end();
  if (outdated || change.gpu_id || b.change.gpu_id) {
    change.non_torch_bytes.reset();
  }
  change.gpu_id = b.change.gpu_id ? b.change.gpu_id : change.gpu_id;
  change.gpu_count = b.change.gpu_count ? b.change.gpu_count : change.gpu_count;
  change.context = b.change.context ? b.change.context : change.context;
  change.quant_config += b.change.quant_config;
  change.engine_version += b.change.engine_version;
  change.whole_card_free = change.whole_card_free || b.change.whole_card_free;
  change.without_draft = change.without_draft || b.change.without_draft;
  change.without_adapters = change.without_adapters || b.change.without_adapters;
  trial.told += " and " + b.told;
  trial.how += " " + b.how;
  trial.cost += " " + b.cost;
  return trial;
}

Change whole_change(const Situation& situation, const Trial& trial) {
  Change change = trial.change;
  if (!trial.parallel) {
    return change;
  }
  const engine::Levers& levers = situation.request.engine->levers;
  const Parallelism& now = situation.now.parallelism;
  const Parallelism& wanted = *trial.parallel;
  set_ranks(change.set, levers.tensor_parallel, wanted.tensor, now.tensor);
  set_ranks(change.set, levers.pipeline_parallel, wanted.pipeline, now.pipeline);
  set_ranks(change.set, levers.data_parallel, wanted.data, now.data);
  change.gpu_count = wanted.tensor * wanted.pipeline *
                     (groups_share_ranks(situation.request, change) ? 1 : wanted.data);
  return change;
}

}  // namespace ridgepoint::plan
