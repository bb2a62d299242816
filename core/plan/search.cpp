#include "plan/search.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/python_version.hpp"
#include "plan/change.hpp"

namespace ridgepoint::plan {
namespace {

using engine::FlagValue;
using engine::Limit;
using engine::MemoryPlan;

constexpr std::int64_t kBatchedTokens = 2048;
constexpr double kShare = 0.95;

/// A format of the weights on one kind of card.
struct WeightOption {
  std::size_t rank = 0;
  FormatChoice choice;
  const model::ModelSpec* model = nullptr;
  std::optional<LeastBytes> least;
};

struct Options {
  std::vector<WeightOption> weights;
  std::vector<FormatChoice> kv;  ///< at most two, the request's own first
  bool own_kv_allowed = true;
};

/// What cards have in common as far as formats are concerned.
struct CardKind {
  std::string vendor;
  std::string architecture;
  std::uint32_t compute_capability;
  bool fp8;

  explicit CardKind(const hardware::Device& device)
      : vendor(device.vendor),
        architecture(device.architecture),
        compute_capability(device.compute_capability),
        fp8(device.fp8_flops > 0) {}
  friend bool operator==(const CardKind&, const CardKind&) = default;
};

struct Estimated {
  Result<MemoryPlan> plan;
  std::vector<FlagValue> flags;
};

bool allowed(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

double given_share(const Request& request) {
  const std::string_view lever = request.engine->levers.memory_share;
  const FlagValue* flag = lever.empty() ? nullptr : given_flag(request, lever);
  if (flag == nullptr) {
    return kShare;
  }
  const auto* real = std::get_if<double>(&flag->value);
  return real != nullptr ? *real : 1.0;
}

/// llama.cpp makes its cache for the slots and length that its flags say.
bool slots_by_flag(const Request& request) { return request.engine->name == "llamacpp"; }

std::array<Steps, 16> make_ladder() {
  std::array<Steps, 16> all;
  std::size_t next = 0;
  for (std::uint32_t count = 0; count <= 4; ++count) {
    // Bit 3 is the first step, so that falling numbers put it first.
    for (std::uint32_t bits = 16; bits-- > 0;) {
      const Steps steps{(bits & 8U) != 0, (bits & 4U) != 0, (bits & 2U) != 0, (bits & 1U) != 0};
      if (steps.count() == count) {
        all[next++] = steps;
      }
    }
  }
  return all;
}

}  // namespace

const std::array<Steps, 16>& ladder() {
  static const std::array<Steps, 16> kLadder = make_ladder();
  return kLadder;
}

Change Found::change() const {
  Change change;
  change.set = flags;
  change.quant_config = weights.change.quant_config;
  return change;
}

class EngineSearch::Impl {
 public:
  Impl(const Request& request, const Load& load, const Freedom& freedom, bool prune)
      : request_(request),
        load_(load),
        freedom_(freedom),
        prune_(prune),
        bounded_(prune && free_to_bound(request)),
        tensors_(model::tensors(request.model)),
        parameters_(model::count_parameters(tensors_)),
        own_format_(own_format(request.model)),
        share_(given_share(request)) {
    const engine::Levers& levers = request.engine->levers;
    // llama.cpp's step is a quarter of that as it is.
    can_batch_ = freedom.tune && free_lever(levers.batched_tokens) && !slots_by_flag(request);
    can_share_ = freedom.tune && free_lever(levers.memory_share);
    can_drop_graphs_ = freedom.tune && free_lever(levers.no_graphs);
    can_raise_requests_ = free_lever(levers.most_requests);
    ladder_only_shrinks_ = request.engine->name == "vllm" && batches_by_default() &&
                           load.concurrency <= static_cast<std::uint64_t>(kBatchedTokens);
  }

  std::optional<Found> best_on(const hardware::Device& device,
                               const std::vector<std::uint64_t>& counts, Work& work) {
    const Options& options = options_for(device);
    std::optional<Found> best;
    for (const std::uint64_t count : counts) {
      const std::vector<Layout>& list = layouts_of(count);
      for (const WeightOption& weights : options.weights) {
        auto found = best_of_format(device, options, weights, list, count, work);
        if (found && !best) {
          best = std::move(found);
        }
        if (work.spent() || (best && prune_)) {
          return with_capacity(device, std::move(best), work);
        }
      }
    }
    return with_capacity(device, std::move(best), work);
  }

  std::optional<Found> nearest_on(const hardware::Device& device, std::uint64_t count, Work& work) {
    const Options& options = options_for(device);
    std::optional<Found> nearest;
    for (const WeightOption& weights : options.weights) {
      for (const Layout& layout : layouts_of(count)) {
        for (std::size_t kv = 0; kv < options.kv.size(); ++kv) {
          for (const bool tuned : {false, true}) {
            Steps steps = tuned ? whole_ladder() : Steps{};
            steps.small_cache = kv != 0;
            if (work.spent() || (kv == 0 && !options.own_kv_allowed)) {
              continue;
            }
            Estimated made = estimate(device, weights, options.kv[kv], steps, layout, count,
                                      load_.context, work);
            if (!made.plan || !starts(*made.plan)) {
              continue;
            }
            Found found =
                found_of(device, weights, options.kv[kv], steps, layout, count, std::move(made));
            if (!nearest || closer(found, *nearest)) {
              nearest = std::move(found);
            }
          }
        }
      }
    }
    return nearest;
  }

  Result<MemoryPlan> probe(const hardware::Device& device, Work& work) {
    ++work.estimates;
    return request_.engine->plan(
        inputs(device, request_.model, length_flags(load_.context), 1, load_.context));
  }

  Result<MemoryPlan> plan_at(const hardware::Device& device, const Found& found,
                             std::uint64_t context, Work& work) {
    std::vector<FlagValue> flags = found.flags;
    for (const FlagValue& length : length_flags(context)) {
      for (FlagValue& flag : flags) {
        if (flag.name == length.name) {
          flag.value = length.value;
        }
      }
    }
    ++work.estimates;
    const model::ModelSpec* model = model_of(found.weights.change.quant_config);
    return request_.engine->plan(inputs(device, model == nullptr ? request_.model : *model,
                                        std::move(flags), found.count, context));
  }

 private:
  /// What is known of one layout with one weight format while the ladder is climbed.
  struct LayoutState {
    bool refused = false;
    std::array<bool, 2> checked{};
    std::array<bool, 2> dead{};  ///< by cache format
    std::optional<std::uint64_t> default_batch;
  };

  /// Whether a serves more of the load than b, or as much and faster.
  [[nodiscard]] bool closer(const Found& a, const Found& b) const {
    const auto served = [&](const Found& found) {
      return std::min(found.plan.max_requests.best, load_.concurrency);
    };
    if (served(a) != served(b) || !a.speed.known || !b.speed.known) {
      return served(a) > served(b);
    }
    return a.speed.tpot_s.best + a.speed.ttft_s.best < b.speed.tpot_s.best + b.speed.ttft_s.best;
  }

  std::optional<Found> with_capacity(const hardware::Device& device, std::optional<Found> found,
                                     Work& work) {
    if (!found) {
      return found;
    }
    found->capacity = found->plan.max_requests.best;
    const std::string_view slots = request_.engine->levers.most_requests;
    if (slots_by_flag(request_) && free_lever(slots)) {
      Found unbound = *found;
      std::erase_if(unbound.flags, [&](const FlagValue& flag) {
        return flag.name == slots || flag.name == request_.engine->levers.max_length;
      });
      const auto plan = plan_at(device, unbound, load_.context, work);
      if (plan && starts(*plan)) {
        found->capacity = std::max(found->capacity, plan->max_requests.best);
      }
    }
    return found;
  }

  [[nodiscard]] bool free_lever(std::string_view lever) const {
    return !lever.empty() && given_flag(request_, lever) == nullptr;
  }

  /// Whether vLLM's own batch is never below the step's: 2,048 tokens or more since 0.9, but no
  /// more than all sequences at full length, of which there are 32 or more unless a flag says less.
  [[nodiscard]] bool batches_by_default() const {
    constexpr std::uint32_t kSince = 9;
    constexpr std::uint64_t kFewSequences = 32;
    const auto version = engine::parse_python_version(request_.engine_version);
    const std::uint64_t sequences = can_raise_requests_ ? kFewSequences : 1;
    const bool recent = !version || version->major > 0 || version->minor >= kSince;
    return recent && load_.context >= static_cast<std::uint64_t>(kBatchedTokens) / sequences;
  }

  [[nodiscard]] Steps whole_ladder() const {
    return {false, can_batch_, can_share_, can_drop_graphs_};
  }

  [[nodiscard]] bool possible(const Steps& steps) const {
    return (!steps.batched || can_batch_) && (!steps.share || can_share_) &&
           (!steps.no_graphs || can_drop_graphs_);
  }

  const std::vector<Layout>& layouts_of(std::uint64_t count) {
    for (const auto& [known, list] : layouts_) {
      if (known == count) {
        return *list;
      }
    }
    layouts_.emplace_back(
        count, std::make_unique<std::vector<Layout>>(layouts(request_, count, freedom_.pipeline)));
    return *layouts_.back().second;
  }

  /// The model with a quantisation put in, made once for each; null where it cannot be.
  const model::ModelSpec* model_of(const std::string& quant_config) {
    if (quant_config.empty()) {
      return &request_.model;
    }
    for (const auto& [config, changed] : models_) {
      if (config == quant_config) {
        return changed ? &changed->model : nullptr;
      }
    }
    auto changed = std::make_unique<Request>(request_);
    Change change;
    change.quant_config = quant_config;
    if (apply(change, *changed)) {
      changed.reset();
    }
    models_.emplace_back(quant_config, std::move(changed));
    return models_.back().second ? &models_.back().second->model : nullptr;
  }

  const Options& options_for(const hardware::Device& device) {
    const CardKind kind(device);
    for (const auto& [known, options] : options_) {
      if (known == kind) {
        return *options;
      }
    }
    Request on_card = request_;
    on_card.device = device;
    auto options = std::make_unique<Options>();
    const std::vector<FormatChoice> weights = weight_choices(on_card);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const bool own = i == 0 && allowed(freedom_.weight_formats, own_format_);
      const model::ModelSpec* model = own || allowed(freedom_.weight_formats, weights[i].name)
                                          ? model_of(weights[i].change.quant_config)
                                          : nullptr;
      if (model != nullptr) {
        WeightOption option{i, weights[i], model, {}};
        if (bounded_) {
          option.least.emplace(request_, *option.model, tensors_, option.choice);
        }
        options->weights.push_back(std::move(option));
      }
    }
    options->kv = kv_choices(on_card);
    options->own_kv_allowed = allowed(freedom_.kv_formats, options->kv.front().name);
    if (options->kv.size() > 1 && !allowed(freedom_.kv_formats, options->kv[1].name)) {
      options->kv.resize(1);
    }
    options_.emplace_back(kind, std::move(options));
    return *options_.back().second;
  }

  /// The first rung that carries the load, and of its layouts the plainest and then roomiest.
  std::optional<Found> best_of_format(const hardware::Device& device, const Options& options,
                                      const WeightOption& weights, const std::vector<Layout>& list,
                                      std::uint64_t count, Work& work) {
    std::vector<LayoutState> states(list.size());
    std::optional<Found> best;
    for (const Steps& steps : ladder()) {
      const std::size_t kv = steps.small_cache ? 1 : 0;
      if (!possible(steps) || kv >= options.kv.size() || (kv == 0 && !options.own_kv_allowed)) {
        continue;
      }
      std::optional<Found> rung;
      for (std::size_t i = 0; i < list.size(); ++i) {
        ++work.setups;
        if (work.spent()) {
          return best;
        }
        if (!worth_trying(device, weights, options.kv[kv], kv, list[i], count, states[i], work)) {
          continue;
        }
        auto found =
            try_setup(device, weights, options.kv[kv], kv, steps, list[i], count, states[i], work);
        if (found && (!rung || better(*found, *rung))) {
          rung = std::move(found);
        }
      }
      if (rung && !best) {
        best = std::move(rung);
      }
      if (best && prune_) {
        return best;
      }
    }
    return best;
  }

  static bool better(const Found& a, const Found& b) {
    const std::uint32_t plain_a = a.layout.departures();
    const std::uint32_t plain_b = b.layout.departures();
    return plain_a != plain_b ? plain_a < plain_b
                              : a.plan.max_requests.best > b.plan.max_requests.best;
  }

  /// Rules 1, 3 and 5.
  bool worth_trying(const hardware::Device& device, const WeightOption& weights,
                    const FormatChoice& kv_choice, std::size_t kv, const Layout& layout,
                    std::uint64_t count, LayoutState& state, Work& work) {
    if (!prune_) {
      return true;
    }
    if (state.refused || state.dead[kv]) {
      return false;
    }
    if (!bounded_ || state.checked[kv]) {
      return true;
    }
    state.checked[kv] = true;
    const std::uint64_t all = count * most_bytes(request_, device, share_);
    if (weights.least->of(layout, kv_choice, load_.context, load_.concurrency) > all) {
      state.dead[kv] = true;
      return false;
    }
    state.dead[kv] = whole_ladder_fails(device, weights, kv_choice, kv, layout, count, state, work);
    return !state.dead[kv] && !state.refused;
  }

  bool whole_ladder_fails(const hardware::Device& device, const WeightOption& weights,
                          const FormatChoice& kv_choice, std::size_t kv, const Layout& layout,
                          std::uint64_t count, LayoutState& state, Work& work) {
    Steps all = whole_ladder();
    if (!ladder_only_shrinks_ || all.count() == 0) {
      return false;
    }
    all.small_cache = kv != 0;
    const Estimated made =
        estimate(device, weights, kv_choice, all, layout, count, load_.context, work);
    if (!made.plan) {
      state.refused = made.plan.error().code == "bad_parallelism";
      return false;
    }
    return made.plan->limit != Limit::free_memory && !holds_all(*made.plan);
  }

  std::optional<Found> try_setup(const hardware::Device& device, const WeightOption& weights,
                                 const FormatChoice& kv_choice, std::size_t kv, const Steps& steps,
                                 const Layout& layout, std::uint64_t count, LayoutState& state,
                                 Work& work) {
    if (steps.batched && state.default_batch &&
        *state.default_batch <= static_cast<std::uint64_t>(kBatchedTokens)) {
      return std::nullopt;  // nothing to lower
    }
    Estimated made =
        estimate(device, weights, kv_choice, steps, layout, count, load_.context, work);
    if (!made.plan) {
      state.refused = made.plan.error().code == "bad_parallelism";
      return std::nullopt;
    }
    if (!steps.batched) {
      state.default_batch = made.plan->max_num_batched_tokens;
    }
    if (!holds_all(*made.plan)) {
      return std::nullopt;
    }
    Found found = found_of(device, weights, kv_choice, steps, layout, count, std::move(made));
    if (!fast_enough(found.speed)) {
      state.dead[kv] = true;
      return std::nullopt;
    }
    return found;
  }

  /// Weights or caches in the machine's memory do not count as fitting.
  static bool starts(const MemoryPlan& plan) {
    return plan.limit == Limit::none && plan.host_bytes == plan.host_table_bytes;
  }

  [[nodiscard]] bool holds_all(const MemoryPlan& plan) const {
    return starts(plan) && plan.max_requests.best >= load_.concurrency;
  }

  [[nodiscard]] bool fast_enough(const speed::Speed& speed) const {
    if (!load_.ttft_s && !load_.tpot_s) {
      return true;
    }
    return speed.known && (!load_.ttft_s || speed.ttft_s.best <= *load_.ttft_s) &&
           (!load_.tpot_s || speed.tpot_s.best <= *load_.tpot_s);
  }

  Found found_of(const hardware::Device& device, const WeightOption& weights,
                 const FormatChoice& kv, const Steps& steps, const Layout& layout,
                 std::uint64_t count, Estimated made) {
    Found found;
    found.count = count;
    found.layout = layout;
    found.weight_rank = weights.rank;
    found.weights = weights.choice;
    found.kv = kv;
    found.steps = steps;
    found.flags = std::move(made.flags);
    found.plan = std::move(made.plan.value());
    found.speed = speed_of({*weights.model, request_.workload, device}, parameters_, found.plan);
    return found;
  }

  /// Flags that make the engine serve the length; llama.cpp's slots too.
  [[nodiscard]] std::vector<FlagValue> length_flags(std::uint64_t context) const {
    std::vector<FlagValue> flags;
    const engine::Levers& levers = request_.engine->levers;
    const auto length = static_cast<std::int64_t>(std::min<std::uint64_t>(context, 1ULL << 40U));
    if (slots_by_flag(request_)) {
      if (free_lever(levers.max_length) && free_lever(levers.most_requests)) {
        const auto slots =
            static_cast<std::int64_t>(std::min<std::uint64_t>(load_.concurrency, 1ULL << 20U));
        flags.push_back({std::string(levers.max_length), length * slots});
        flags.push_back({std::string(levers.most_requests), slots});
      }
    } else if (free_lever(levers.max_length)) {
      flags.push_back({std::string(levers.max_length), length});
    }
    return flags;
  }

  [[nodiscard]] engine::Inputs inputs(const hardware::Device& device, const model::ModelSpec& model,
                                      std::vector<FlagValue> flags, std::uint64_t count,
                                      std::uint64_t context) const {
    std::vector<FlagValue> args = request_.args;
    args.insert(args.end(), std::make_move_iterator(flags.begin()),
                std::make_move_iterator(flags.end()));
    engine::Workload workload = request_.workload;
    workload.context = context;
    return {model,
            tensors_,
            request_.draft ? &*request_.draft : nullptr,
            request_.adapters,
            device,
            count,
            request_.engine_version,
            std::move(args),
            request_.env,
            workload,
            {},
            false};
  }

  [[nodiscard]] std::vector<FlagValue> flags_of(const WeightOption& weights, const FormatChoice& kv,
                                                const Steps& steps, const Layout& layout,
                                                std::uint64_t context) const {
    const engine::Levers& levers = request_.engine->levers;
    std::vector<FlagValue> flags = weights.choice.change.set;
    for (FlagValue& flag : length_flags(context)) {
      flags.push_back(std::move(flag));
    }
    for (FlagValue& flag : layout_flags(request_, layout)) {
      flags.push_back(std::move(flag));
    }
    flags.insert(flags.end(), kv.change.set.begin(), kv.change.set.end());
    if (steps.batched) {
      flags.push_back({std::string(levers.batched_tokens), kBatchedTokens});
    }
    if (steps.share) {
      flags.push_back({std::string(levers.memory_share), kShare});
    }
    if (steps.no_graphs) {
      flags.push_back({std::string(levers.no_graphs), true});
    }
    return flags;
  }

  Estimated estimate(const hardware::Device& device, const WeightOption& weights,
                     const FormatChoice& kv, const Steps& steps, const Layout& layout,
                     std::uint64_t count, std::uint64_t context, Work& work) const {
    std::vector<FlagValue> flags = flags_of(weights, kv, steps, layout, context);
    ++work.estimates;
    Result<MemoryPlan> plan =
        request_.engine->plan(inputs(device, *weights.model, flags, count, context));
    if (!plan || !can_raise_requests_ || slots_by_flag(request_)) {
      return {std::move(plan), std::move(flags)};
    }
    const std::uint64_t replicas = std::max(layout.data, plan->parallelism.data);
    const std::uint64_t at_most = plan->max_num_seqs * replicas;
    const bool queues = plan->limit == Limit::none && at_most < load_.concurrency &&
                        plan->max_requests.best >= at_most;
    if (!queues) {
      return {std::move(plan), std::move(flags)};
    }
    // SGLang divides what it is told among its groups of attention.
    const bool told_whole = request_.engine->name == "sglang" && layout.attention_groups;
    const std::uint64_t each =
        told_whole ? load_.concurrency : (load_.concurrency + replicas - 1) / replicas;
    std::vector<FlagValue> more = flags;
    more.push_back(
        {std::string(request_.engine->levers.most_requests), static_cast<std::int64_t>(each)});
    ++work.estimates;
    Result<MemoryPlan> raised =
        request_.engine->plan(inputs(device, *weights.model, more, count, context));
    if (!raised) {
      return {std::move(plan), std::move(flags)};
    }
    return {std::move(raised), std::move(more)};
  }

  const Request& request_;
  Load load_;
  Freedom freedom_;
  bool prune_;
  bool bounded_;
  std::vector<model::Tensor> tensors_;
  model::ParameterCounts parameters_;
  std::string own_format_;
  double share_;
  bool can_batch_ = false;
  bool can_share_ = false;
  bool can_drop_graphs_ = false;
  bool can_raise_requests_ = false;
  bool ladder_only_shrinks_ = false;
  std::vector<std::pair<std::uint64_t, std::unique_ptr<std::vector<Layout>>>> layouts_;
  std::vector<std::pair<std::string, std::unique_ptr<Request>>> models_;
  std::vector<std::pair<CardKind, std::unique_ptr<Options>>> options_;
};

EngineSearch::EngineSearch(const Request& request, const Load& load, const Freedom& freedom,
                           bool prune)
    : impl_(std::make_unique<Impl>(request, load, freedom, prune)) {}

EngineSearch::~EngineSearch() = default;

std::optional<Found> EngineSearch::best_on(const hardware::Device& device,
                                           const std::vector<std::uint64_t>& counts, Work& work) {
  return impl_->best_on(device, counts, work);
}

std::optional<Found> EngineSearch::nearest_on(const hardware::Device& device, std::uint64_t count,
                                              Work& work) {
  return impl_->nearest_on(device, count, work);
}

Result<MemoryPlan> EngineSearch::probe(const hardware::Device& device, Work& work) {
  return impl_->probe(device, work);
}

Result<MemoryPlan> EngineSearch::plan_at(const hardware::Device& device, const Found& found,
                                         std::uint64_t context, Work& work) {
  return impl_->plan_at(device, found, context, work);
}

}  // namespace ridgepoint::plan
