#include "plan/change_path.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "json/fields.hpp"
#include "model/tensors.hpp"
#include "plan/change.hpp"
#include "plan/difference_words.hpp"
#include "plan/setup_parts.hpp"
#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

using engine::FlagValue;

/// Beyond these the whole list changes at once.
constexpr std::size_t kMostFlags = 48;
constexpr std::size_t kMostVariables = 16;

struct Edit {
  std::string what;
  std::string from;
  std::string to;
  std::function<void(Request&)> apply;
};

/// Flags that say how several GPUs work together.
std::vector<std::string_view> parallel_flags(const engine::Engine& engine) {
  const engine::Levers& l = engine.levers;
  std::vector<std::string_view> names;
  for (const std::string_view name :
       {l.tensor_parallel, l.pipeline_parallel, l.data_parallel, l.attention_groups,
        l.expert_parallel, std::string_view("moe-tensor-parallel-size"),
        std::string_view("split-mode"), std::string_view("tensor-split"),
        std::string_view("main-gpu"), std::string_view("device")}) {
    if (!name.empty() && engine::find_flag(engine.flags(), name) != nullptr) {
      names.push_back(name);
    }
  }
  return names;
}

bool is_parallel(const engine::Engine& engine, std::string_view name) {
  const auto names = parallel_flags(engine);
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view parallel) { return same_flag(engine, parallel, name); });
}

bool gives_parallel_flags(const Request& request) {
  return std::any_of(request.args.begin(), request.args.end(), [&](const FlagValue& flag) {
    return is_parallel(*request.engine, flag.name);
  });
}

std::string flag_text(const FlagValue* flag) {
  return flag == nullptr ? "not given" : value_text(*flag);
}

bool same_value(const FlagValue* a, const FlagValue* b) {
  if (a == nullptr || b == nullptr) {
    return a == b;
  }
  return a->value == b->value ||
         (a->value.index() != b->value.index() && value_text(*a) == value_text(*b));
}

void copy_flag(const Request& source, std::string_view name, Request& target) {
  const FlagValue* wanted = given_flag(source, name);
  if (wanted == nullptr) {
    unset_flag(target, name);
  } else {
    set_flag(target, *wanted);
  }
}

std::string gpus_text(const Request& request) {
  const std::string count =
      request.gpu_count ? grouped(*request.gpu_count) + (*request.gpu_count == 1 ? " GPU" : " GPUs")
                        : "GPUs not given";
  std::string flags;
  for (const std::string_view name : parallel_flags(*request.engine)) {
    if (const FlagValue* flag = given_flag(request, name)) {
      flags += (flags.empty() ? "" : " ") + ("--" + std::string(name)) + " " + value_text(*flag);
    }
  }
  return flags.empty() ? count : count + ", " + flags;
}

std::string length_text(const std::optional<std::uint64_t>& tokens) {
  return tokens ? grouped(*tokens) + " tokens" : "not given";
}

std::string load_text(const engine::Workload& load) {
  const auto of = [](const char* name, const std::optional<std::uint64_t>& value) {
    return value ? std::string(name) + " " + grouped(*value) + " " : std::string();
  };
  std::string text =
      of("prompt", load.prompt) + of("output", load.output) + of("concurrency", load.concurrency);
  if (text.empty()) {
    return "not given";
  }
  text.pop_back();
  return text;
}

std::string measured_text(const engine::Measured& measured) {
  std::string text;
  const auto add = [&](const char* name, const std::optional<std::uint64_t>& bytes) {
    if (bytes) {
      text += (text.empty() ? "" : ", ") + std::string(name) + " " + gib(*bytes);
    }
  };
  add("weights", measured.weights_bytes);
  add("activation", measured.activation_bytes);
  add("outside PyTorch", measured.non_torch_bytes);
  add("CUDA graphs", measured.cuda_graphs_bytes);
  add("KV pool", measured.kv_pool_bytes);
  return text.empty() ? "none" : text;
}

void copy_variable(const Request& source, const std::string& name, Request& target) {
  target.env.erase(std::remove_if(target.env.begin(), target.env.end(),
                                  [&](const auto& entry) { return entry.first == name; }),
                   target.env.end());
  for (const auto& entry : source.env) {
    if (entry.first == name) {
      target.env.push_back(entry);
    }
  }
}

/// Lists the edits that make the second request of the first; both outlive the list.
class Edits {
 public:
  Edits(const Setup& from, const Setup& to)
      : from_(from.request),
        to_(to.request),
        version_from_(from.memory.version),
        version_to_(to.memory.version) {}

  std::vector<Edit> list() {
    add_model();
    add_card();
    if (from_.engine == to_.engine) {
      add_gpus();
      add_version();
      add_flags();
      add_variables();
    } else {
      add_other_engine();
    }
    add_workload();
    add_measured();
    return std::move(edits_);
  }

 private:
  void add(std::string what, std::string from, std::string to,
           std::function<void(Request&)> apply) {
    edits_.push_back({std::move(what), std::move(from), std::move(to), std::move(apply)});
  }

  void add_model() {
    const bool drafts = from_.draft.has_value() != to_.draft.has_value() ||
                        (from_.draft && !same_model(from_.draft->model, to_.draft->model));
    if (!same_model(from_.model, to_.model)) {
      std::string a = model_title(from_.model);
      std::string b = model_title(to_.model);
      if (a == b) {
        a += ", " + weights_title(from_);
        b += ", " + weights_title(to_);
      }
      add("model", a, b, [to = &to_](Request& r) { r.model = to->model; });
    }
    if (drafts) {
      const auto title = [](const Request& r) {
        return r.draft ? model_title(r.draft->model) : std::string("none");
      };
      add("draft", title(from_), title(to_), [to = &to_](Request& r) { r.draft = to->draft; });
    }
    const auto same_adapters = std::equal(
        from_.adapters.begin(), from_.adapters.end(), to_.adapters.begin(), to_.adapters.end(),
        [](const auto& a, const auto& b) { return a.name == b.name && a.rank == b.rank; });
    if (!same_adapters) {
      add("adapters", grouped(from_.adapters.size()), grouped(to_.adapters.size()),
          [to = &to_](Request& r) { r.adapters = to->adapters; });
    }
  }

  void add_card() {
    if (!same_card(from_.device, to_.device)) {
      std::string a = card_title(from_.device);
      std::string b = card_title(to_.device);
      if (a == b) {
        const auto size = [](const hardware::Device& d) {
          return gib(d.total_bytes) + ", " + gib(d.free_bytes.value_or(d.total_bytes)) + " free";
        };
        a += " (" + size(from_.device) + ")";
        b += " (" + size(to_.device) + ")";
      }
      add("card", a, b, [to = &to_](Request& r) { r.device = to->device; });
    }
  }

  void add_gpus() {
    bool same = from_.gpu_count == to_.gpu_count;
    const auto names = parallel_flags(*to_.engine);
    for (const std::string_view name : names) {
      same = same && same_value(given_flag(from_, name), given_flag(to_, name));
    }
    if (!same) {
      add("parallelism", gpus_text(from_), gpus_text(to_), [to = &to_, names](Request& r) {
        r.gpu_count = to->gpu_count;
        for (const std::string_view name : names) {
          copy_flag(*to, name, r);
        }
      });
    }
  }

  void add_version() {
    if (from_.engine_version != to_.engine_version) {
      add("version", engine_title(from_, version_from_), engine_title(to_, version_to_),
          [to = &to_](Request& r) { r.engine_version = to->engine_version; });
    }
  }

  /// Flags in the order of the first request, those of the second alone behind; null: not given.
  struct FlagPair {
    const engine::FlagFacts* facts;
    const FlagValue* from;
    const FlagValue* to;
  };

  [[nodiscard]] std::vector<FlagPair> flags_that_differ() const {
    const engine::FlagTable& table = from_.engine->flags();
    std::vector<FlagPair> pairs;
    for (const FlagValue& flag : from_.args) {
      pairs.push_back({engine::find_flag(table, flag.name), &flag, nullptr});
    }
    for (const FlagValue& flag : to_.args) {
      const engine::FlagFacts* facts = engine::find_flag(table, flag.name);
      const auto known = std::find_if(pairs.begin(), pairs.end(),
                                      [&](const FlagPair& pair) { return pair.facts == facts; });
      if (known != pairs.end()) {
        known->to = &flag;
      } else {
        pairs.push_back({facts, nullptr, &flag});
      }
    }
    pairs.erase(std::remove_if(pairs.begin(), pairs.end(),
                               [&](const FlagPair& pair) {
                                 return pair.facts == nullptr || same_value(pair.from, pair.to) ||
                                        is_parallel(*from_.engine, pair.facts->name);
                               }),
                pairs.end());
    return pairs;
  }

  void add_flags() {
    const std::vector<FlagPair> pairs = flags_that_differ();
    if (pairs.size() > kMostFlags) {
      add("flags", grouped(from_.args.size()), grouped(to_.args.size()),
          [to = &to_](Request& r) { r.args = to->args; });
      return;
    }
    for (const FlagPair& pair : pairs) {
      add("--" + std::string(pair.facts->name), flag_text(pair.from), flag_text(pair.to),
          [to = &to_, name = pair.facts->name](Request& r) { copy_flag(*to, name, r); });
    }
  }

  void add_variables() {
    using Variables = std::map<std::string, std::string>;
    const Variables a(from_.env.begin(), from_.env.end());
    const Variables b(to_.env.begin(), to_.env.end());
    std::set<std::string> names;
    for (const Variables* side : {&a, &b}) {
      for (const auto& entry : *side) {
        const auto other = side == &a ? b.find(entry.first) : a.find(entry.first);
        if (other == (side == &a ? b.end() : a.end()) || other->second != entry.second) {
          names.insert(entry.first);
        }
      }
    }
    if (names.size() > kMostVariables) {
      add("environment", grouped(a.size()) + " variables", grouped(b.size()) + " variables",
          [to = &to_](Request& r) { r.env = to->env; });
      return;
    }
    const auto shown = [](const Variables& variables, const std::string& name) {
      const auto found = variables.find(name);
      return found == variables.end() ? std::string("not set") : json::excerpt(found->second, 60);
    };
    for (const std::string& name : names) {
      add(json::excerpt(name, 60), shown(a, name), shown(b, name),
          [to = &to_, name](Request& r) { copy_variable(*to, name, r); });
    }
  }

  void add_other_engine() {
    const bool by_flags = gives_parallel_flags(from_) || gives_parallel_flags(to_);
    if (!by_flags && from_.gpu_count != to_.gpu_count) {
      add("GPUs", gpus_text(from_), gpus_text(to_),
          [to = &to_](Request& r) { r.gpu_count = to->gpu_count; });
    }
    const bool has_flags = !from_.args.empty() || !to_.args.empty();
    add(has_flags ? "engine and its flags" : "engine", engine_title(from_, version_from_),
        engine_title(to_, version_to_), [to = &to_](Request& r) {
          r.engine = to->engine;
          r.engine_version = to->engine_version;
          r.gpu_count = to->gpu_count;
          r.args = to->args;
          r.env = to->env;
        });
  }

  void add_workload() {
    const engine::Workload& a = from_.workload;
    const engine::Workload& b = to_.workload;
    if (a.context != b.context) {
      add("context", length_text(a.context), length_text(b.context),
          [to = &to_](Request& r) { r.workload.context = to->workload.context; });
    }
    if (a.prompt != b.prompt || a.output != b.output || a.concurrency != b.concurrency) {
      add("load", load_text(a), load_text(b), [to = &to_](Request& r) {
        const auto context = r.workload.context;
        r.workload = to->workload;
        r.workload.context = context;
      });
    }
  }

  void add_measured() {
    if (!same_measured(from_.measured, to_.measured)) {
      add("measured terms", measured_text(from_.measured), measured_text(to_.measured),
          [to = &to_](Request& r) { r.measured = to->measured; });
    }
  }

  const Request& from_;
  const Request& to_;
  const std::string& version_from_;
  const std::string& version_to_;
  std::vector<Edit> edits_;
};

/// What a state holds.
struct State {
  std::int64_t pool = 0;
  std::int64_t requests = 0;
};

State state_of(const engine::MemoryPlan& memory) {
  return {static_cast<std::int64_t>(memory.kv_pool.best),
          static_cast<std::int64_t>(memory.max_requests.best)};
}

std::optional<State> ask(const Request& request) {
  if (engine::check_vendor(*request.engine, request.device)) {
    return std::nullopt;
  }
  const std::vector<model::Tensor> tensors = model::tensors(request.model);
  engine::Inputs inputs = engine_inputs(request, tensors);
  inputs.explain = false;
  const auto plan = request.engine->plan(inputs);
  return plan ? std::optional<State>(state_of(plan.value())) : std::nullopt;
}

void name_with(PathStep& step, const Edit& edit) {
  const bool first = step.what.empty();
  step.what += (first ? "" : ", ") + edit.what;
  step.from += (first ? "" : "; ") + edit.from;
  step.to += (first ? "" : "; ") + edit.to;
}

}  // namespace

std::vector<PathStep> change_path(const Setup& from, const Setup& to) {
  const std::vector<Edit> edits = Edits(from, to).list();
  const State end = state_of(to.memory);
  State before = state_of(from.memory);
  Request state = from.request;
  std::vector<PathStep> path;
  PathStep step;
  const auto finish = [&](const State& after) {
    step.pool_difference = after.pool - before.pool;
    step.requests_difference = after.requests - before.requests;
    path.push_back(std::move(step));
    step = {};
    before = after;
  };
  for (std::size_t i = 0; i < edits.size(); ++i) {
    edits[i].apply(state);
    name_with(step, edits[i]);
    const bool last = i + 1 == edits.size();
    const auto after = ask(state);
    if (after || last) {
      finish(after.value_or(end));
    }
  }
  // What no edit names is told all the same, so that the steps always add up.
  if (before.pool != end.pool || before.requests != end.requests) {
    step.what = "other settings";
    finish(end);
  }
  return path;
}

}  // namespace ridgepoint::plan
