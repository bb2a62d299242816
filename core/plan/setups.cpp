#include "plan/setups.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "plan/change.hpp"
#include "plan/formats_by_kind.hpp"
#include "plan/timing.hpp"

namespace ridgepoint::plan {
namespace {

using engine::FlagValue;
using engine::Limit;
using engine::MemoryPlan;

bool allowed(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

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

Setups::CardKind::CardKind(const hardware::Device& device)
    : vendor(device.vendor),
      architecture(device.architecture),
      compute_capability(device.compute_capability),
      fp8(device.fp8_flops > 0) {}

Setups::Setups(const Request& request, const Load& load, const Freedom& freedom)
    : request_(request),
      load_(load),
      freedom_(freedom),
      tensors_(model::tensors(request.model)),
      parameters_(model::count_parameters(tensors_)),
      own_format_(own_format(request.model)),
      slots_by_flag_(request.engine->name == "llamacpp") {
  const engine::Levers& levers = request.engine->levers;
  // llama.cpp's step is a quarter of that as it is.
  free_.batched = freedom.tune && leaves_free(levers.batched_tokens) && !slots_by_flag_;
  free_.share = freedom.tune && leaves_free(levers.memory_share);
  free_.no_graphs = freedom.tune && leaves_free(levers.no_graphs);
  may_raise_requests_ = leaves_free(levers.most_requests);
}

bool Setups::leaves_free(std::string_view lever) const {
  return !lever.empty() && given_flag(request_, lever) == nullptr;
}

bool Setups::makes_slots() const {
  const engine::Levers& levers = request_.engine->levers;
  return slots_by_flag_ && leaves_free(levers.max_length) && leaves_free(levers.most_requests);
}

std::uint64_t Setups::cost_of_one() const {
  constexpr std::size_t kUsualTensors = 1000;
  const std::size_t tensors = tensors_.size() + request_.model.stored_tensors.size();
  return (1 + tensors / kUsualTensors) * (slots_by_flag_ ? 20 : 1);
}

const std::vector<Layout>& Setups::layouts_of(std::uint64_t count) {
  for (const auto& [known, list] : layouts_) {
    if (known == count) {
      return *list;
    }
  }
  layouts_.emplace_back(
      count, std::make_unique<std::vector<Layout>>(layouts(request_, count, freedom_.pipeline)));
  return *layouts_.back().second;
}

/// Null where the quantisation cannot be put in.
const model::ModelSpec* Setups::model_of(const std::string& quant_config) {
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
  } else {
    changed->model.quantization = formats_by_kind(changed->model, tensors_);
  }
  models_.emplace_back(quant_config, std::move(changed));
  return models_.back().second ? &models_.back().second->model : nullptr;
}

const Options& Setups::options_for(const hardware::Device& device) {
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
    const bool wanted = allowed(freedom_.weight_formats, weights[i].name) ||
                        (i == 0 && allowed(freedom_.weight_formats, own_format_));
    const model::ModelSpec* model = wanted ? model_of(weights[i].change.quant_config) : nullptr;
    if (model != nullptr) {
      options->weights.push_back(
          {i, weights[i], model, LeastBytes(request_, *model, tensors_, weights[i])});
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

/// Flags that make the engine serve the length; llama.cpp's slots too.
std::vector<FlagValue> Setups::length_flags(std::uint64_t context) const {
  std::vector<FlagValue> flags;
  const engine::Levers& levers = request_.engine->levers;
  const auto length = static_cast<std::int64_t>(std::min<std::uint64_t>(context, 1ULL << 40U));
  if (slots_by_flag_) {
    if (makes_slots()) {
      const auto slots =
          static_cast<std::int64_t>(std::min<std::uint64_t>(load_.concurrency, 1ULL << 20U));
      flags.push_back({std::string(levers.max_length), length * slots});
      flags.push_back({std::string(levers.most_requests), slots});
    }
  } else if (leaves_free(levers.max_length)) {
    flags.push_back({std::string(levers.max_length), length});
  }
  return flags;
}

std::vector<FlagValue> Setups::flags_of(const CardSetup& setup) const {
  const engine::Levers& levers = request_.engine->levers;
  std::vector<FlagValue> flags = setup.weights.choice.change.set;
  for (FlagValue& flag : length_flags(load_.context)) {
    flags.push_back(std::move(flag));
  }
  for (FlagValue& flag : layout_flags(request_, setup.layout)) {
    flags.push_back(std::move(flag));
  }
  flags.insert(flags.end(), setup.kv.change.set.begin(), setup.kv.change.set.end());
  if (setup.steps.batched) {
    flags.push_back({std::string(levers.batched_tokens), kBatchedTokens});
  }
  if (setup.steps.share) {
    flags.push_back({std::string(levers.memory_share), kMemoryShare});
  }
  if (setup.steps.no_graphs) {
    flags.push_back({std::string(levers.no_graphs), true});
  }
  return flags;
}

engine::Inputs Setups::inputs(const hardware::Device& device, const model::ModelSpec& model,
                              std::vector<FlagValue> flags, std::uint64_t count,
                              std::uint64_t context, bool explain) const {
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
          explain,
          explain};
}

Estimated Setups::estimate(const CardSetup& setup, Work& work) const {
  const auto plan_with = [&](std::vector<FlagValue> flags) {
    work.add(cost_of_one());
    return request_.engine->plan(inputs(setup.device, *setup.weights.model, std::move(flags),
                                        setup.count, load_.context, false));
  };
  std::vector<FlagValue> flags = flags_of(setup);
  Result<MemoryPlan> plan = plan_with(flags);
  if (!plan || !may_raise_requests_ || slots_by_flag_) {
    return {std::move(plan), std::move(flags)};
  }
  const std::uint64_t replicas = std::max(setup.layout.data, plan->parallelism.data);
  const std::uint64_t at_most = plan->max_num_seqs * replicas;
  const bool queues = plan->limit == Limit::none && at_most < load_.concurrency &&
                      plan->max_requests.best >= at_most;
  if (!queues) {
    return {std::move(plan), std::move(flags)};
  }
  // SGLang divides what it is told among its groups of attention.
  const bool told_whole = request_.engine->name == "sglang" && setup.layout.attention_groups;
  const std::uint64_t each =
      told_whole ? load_.concurrency : (load_.concurrency + replicas - 1) / replicas;
  std::vector<FlagValue> more = flags;
  more.push_back(
      {std::string(request_.engine->levers.most_requests), static_cast<std::int64_t>(each)});
  Result<MemoryPlan> raised = plan_with(more);
  if (!raised) {
    return {std::move(plan), std::move(flags)};
  }
  return {std::move(raised), std::move(more)};
}

Result<MemoryPlan> Setups::estimate_with(const CardSetup& setup, FlagValue flag, Work& work) const {
  std::vector<FlagValue> flags = flags_of(setup);
  flags.push_back(std::move(flag));
  work.add(cost_of_one());
  return request_.engine->plan(inputs(setup.device, *setup.weights.model, std::move(flags),
                                      setup.count, load_.context, false));
}

Result<MemoryPlan> Setups::probe(const hardware::Device& device, Work& work) const {
  work.add(cost_of_one());
  // More slots than llama.cpp has are the search's to refuse.
  std::vector<FlagValue> flags =
      slots_by_flag_ ? std::vector<FlagValue>() : length_flags(load_.context);
  return request_.engine->plan(
      inputs(device, request_.model, std::move(flags), 1, load_.context, false));
}

Result<MemoryPlan> Setups::plan_at(const hardware::Device& device, std::vector<FlagValue> flags,
                                   const FormatChoice& weights, std::uint64_t count,
                                   std::uint64_t context, Work& work) {
  for (const FlagValue& length : length_flags(context)) {
    for (FlagValue& flag : flags) {
      if (flag.name == length.name) {
        flag.value = length.value;
      }
    }
  }
  work.add(cost_of_one());
  const model::ModelSpec* model = model_of(weights.change.quant_config);
  return request_.engine->plan(inputs(device, model == nullptr ? request_.model : *model,
                                      std::move(flags), count, context, true));
}

speed::ClosedForms Setups::speed_of_plan(const hardware::Device& device,
                                         const FormatChoice& weights,
                                         const std::vector<FlagValue>& flags,
                                         const MemoryPlan& plan) {
  const model::ModelSpec* model = model_of(weights.change.quant_config);
  return speed_of({request_, model == nullptr ? request_.model : *model, tensors_, device, flags},
                  plan);
}

}  // namespace ridgepoint::plan
