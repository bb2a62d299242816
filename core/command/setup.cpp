#include "command/setup.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "command/normal_args.hpp"
#include "json/fields.hpp"
#include "plan/change.hpp"
#include "wording.hpp"

namespace ridgepoint::command {
namespace {

using engine::FlagEffect;
using engine::FlagFacts;
using engine::FlagType;
using engine::FlagValue;

/// Each flag that may be a default costs an estimate.
constexpr std::size_t kMostTried = 64;

std::string_view without_assumptions(std::string_view report) {
  return report.substr(0, report.rfind(",\"assumptions\":["));
}

/// Builds the setup step by step; every change is held against the report.
class SetupBuilder {
 public:
  SetupBuilder(const plan::Request& request, ReportText report_of) : report_of_(report_of) {
    setup_.request = request;
  }

  Result<Setup> build() {
    auto plan = plan::fit(setup_.request);
    if (!plan) {
      return plan.error();
    }
    setup_.plan = std::move(plan.value());
    original_ = report_of_(setup_.request);
    if (auto error = spell_normally()) {
      return *std::move(error);
    }
    leave_defaults_out();
    say_parallelism();
    say_model_file();
    say_length();
    setup_.report = report_of_(setup_.request);
    auto last = plan::fit(setup_.request);
    if (!last) {
      return last.error();
    }
    setup_.plan = std::move(last.value());
    return std::move(setup_);
  }

 private:
  [[nodiscard]] const engine::Engine& engine() const { return *setup_.request.engine; }
  [[nodiscard]] bool given(std::string_view name) const {
    return !name.empty() && plan::given_flag(setup_.request, name) != nullptr;
  }
  [[nodiscard]] bool in_env(std::string_view name) const {
    const auto& env = setup_.request.env;
    return std::any_of(env.begin(), env.end(),
                       [&](const auto& entry) { return entry.first == name; });
  }

  Check spell_normally() {
    plan::Request& request = setup_.request;
    request.engine_version = setup_.plan.memory.version;
    auto args = normal_args(engine(), request.args);
    if (!args) {
      return args.error();
    }
    request.args = std::move(args.value());
    std::sort(request.env.begin(), request.env.end());
    if (!same_but_assumptions(report_of_(request), original_)) {
      return Error{"internal",
                   "The flags in their normal spelling give another estimate; please report the "
                   "request.",
                   "engine.args"};
    }
    return std::nullopt;
  }

  /// The estimate's own figures tell the defaults that depend on card and version.
  [[nodiscard]] bool may_be_default(const FlagFacts& facts, const FlagValue& flag) const {
    if (is_table_default(facts, flag)) {
      return facts.effect != FlagEffect::no_effect || facts.type == FlagType::boolean;
    }
    const engine::Levers& levers = engine().levers;
    const engine::MemoryPlan& memory = setup_.plan.memory;
    const auto* whole = std::get_if<std::int64_t>(&flag.value);
    const auto is = [&](std::uint64_t figure) {
      return whole != nullptr && *whole > 0 && static_cast<std::uint64_t>(*whole) == figure;
    };
    return (facts.name == levers.most_requests && is(memory.max_num_seqs)) ||
           (facts.name == levers.batched_tokens && is(memory.max_num_batched_tokens)) ||
           (facts.name == levers.memory_share && memory.requested_bytes.has_value());
  }

  /// A switch that is off is the default of an engine that has no word for off.
  [[nodiscard]] bool cannot_be_said(const FlagFacts& facts, const FlagValue& flag) const {
    const auto* on = std::get_if<bool>(&flag.value);
    return facts.type == FlagType::boolean && on != nullptr && !*on && engine().name == "sglang";
  }

  void leave_defaults_out() {
    std::string report = report_of_(setup_.request);
    std::size_t tried = 0;
    for (std::size_t i = 0; i < setup_.request.args.size() && tried < kMostTried;) {
      const FlagValue flag = setup_.request.args[i];
      const FlagFacts* facts = engine::find_flag(engine().flags(), flag.name);
      const bool candidate =
          facts != nullptr && (may_be_default(*facts, flag) || cannot_be_said(*facts, flag));
      if (!candidate) {
        ++i;
        continue;
      }
      ++tried;
      plan::Request without = setup_.request;
      without.args.erase(without.args.begin() + static_cast<std::ptrdiff_t>(i));
      if (report_of_(without) == report) {
        setup_.request = std::move(without);
      } else {
        ++i;
      }
    }
  }

  /// Whether two plans put the same on the cards. How many requests fit is another question: where
  /// neither --ctx-size nor --parallel is given, llama.cpp's estimate counts the most that would.
  static bool same_start(const engine::MemoryPlan& a, const engine::MemoryPlan& b) {
    return a.weights.best == b.weights.best && a.activation.best == b.activation.best &&
           a.non_torch.best == b.non_torch.best && a.kv_pool.best == b.kv_pool.best &&
           a.host_bytes == b.host_bytes && a.tokens.best == b.tokens.best &&
           a.max_model_len == b.max_model_len && a.limit == b.limit;
  }

  [[nodiscard]] bool holds_with(const plan::Request& with) const {
    if (engine().name != "llamacpp") {
      return same_but_assumptions(report_of_(with), original_);
    }
    const auto plan = plan::fit(with);
    return plan && same_start(plan->memory, setup_.plan.memory);
  }

  /// Adds a flag where that changes nothing but what is assumed.
  bool add(const std::string& name, std::variant<bool, std::int64_t, double, std::string> value) {
    plan::Request with = setup_.request;
    with.args.push_back({name, std::move(value)});
    auto args = normal_args(engine(), with.args);
    if (!args) {
      return false;
    }
    with.args = std::move(args.value());
    if (!holds_with(with)) {
      return false;
    }
    setup_.request = std::move(with);
    setup_.derived.push_back(name);
    return true;
  }

  void say_parallelism() {
    const engine::Levers& levers = engine().levers;
    const std::uint64_t count = setup_.request.gpu_count.value_or(1);
    if (count > 1 && !levers.tensor_parallel.empty() && !given(levers.tensor_parallel) &&
        !given(levers.pipeline_parallel) && !given(levers.data_parallel)) {
      add(std::string(levers.tensor_parallel), static_cast<std::int64_t>(count));
    }
  }

  void say_length() {
    const std::string name(engine().levers.max_length);
    const auto context = setup_.request.workload.context;
    if (name.empty() || !context || given(name) || given("kv-unified-per-slot") ||
        in_env("LLAMA_ARG_CTX_SIZE")) {
      return;
    }
    const engine::MemoryPlan& memory = setup_.plan.memory;
    for (const std::uint64_t length :
         {memory.max_model_len, *context,
          *context * std::max<std::uint64_t>(1, memory.max_num_seqs)}) {
      if (length != 0 && length < 1ULL << 40U && add(name, static_cast<std::int64_t>(length))) {
        say_slots();
        return;
      }
    }
    setup_.notes.push_back("The length asked about, " + std::to_string(*context) +
                           " tokens, is not written as --" + name +
                           ": with it the engine would start in another way.");
  }

  /// One length is what was estimated; more requests than the slots of it want a longer cache.
  void say_slots() {
    const engine::MemoryPlan& memory = setup_.plan.memory;
    const std::uint64_t best = memory.max_requests.best;
    if (engine().name != "llamacpp" || given("parallel") || best <= 1 ||
        best > (1ULL << 40U) / std::max<std::uint64_t>(1, memory.context)) {
      return;
    }
    setup_.notes.push_back(
        "The cache holds one request of that length, or several that share it. "
        "For the " +
        grouped(best) + " that the memory holds: --ctx-size " +
        std::to_string(best * memory.context) + " --parallel " + std::to_string(best) + ".");
  }

  /// llama.cpp serves a file. A name that says no quantisation stands for the file, for the
  /// estimate knew none.
  void say_model_file() {
    if (engine().name != "llamacpp") {
      return;
    }
    for (const std::string_view name :
         {"model", "hf-repo", "hf-file", "model-url", "docker-repo"}) {
      if (given(name)) {
        return;
      }
    }
    for (const std::string_view name : {"LLAMA_ARG_MODEL", "LLAMA_ARG_HF_REPO", "LLAMA_ARG_HF_FILE",
                                        "LLAMA_ARG_MODEL_URL", "LLAMA_ARG_DOCKER_REPO"}) {
      if (in_env(name)) {
        return;
      }
    }
    const std::string& id = setup_.request.model.id;
    const std::size_t slash = id.find_last_of('/');
    const std::string base = slash == std::string::npos ? id : id.substr(slash + 1);
    const bool plain = !base.empty() && base.size() <= 100 && base.front() != '-' &&
                       base.find_first_not_of(
                           "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                           "0123456789-_.") == std::string::npos;
    const std::string file = base.ends_with(".gguf") ? base : base + ".gguf";
    if (!(plain && add("model", file)) && !add("model", std::string("model.gguf"))) {
      return;
    }
    setup_.notes.push_back(
        "The request names no GGUF file: put yours in the place of " +
        value_word(*plan::given_flag(setup_.request, "model")) +
        ", or name it with hf-repo or model so that its quantisation is estimated.");
  }

  ReportText report_of_;
  std::string original_;
  Setup setup_;
};

}  // namespace

bool same_but_assumptions(const std::string& left, const std::string& right) {
  return without_assumptions(left) == without_assumptions(right);
}

Result<Setup> normal_setup(const plan::Request& request, ReportText report_of) {
  return SetupBuilder(request, report_of).build();
}

}  // namespace ridgepoint::command
