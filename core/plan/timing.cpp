#include "plan/timing.hpp"

#include <algorithm>
#include <string>
#include <variant>

#include "plan/change.hpp"

namespace ridgepoint::plan {
namespace {

/// The value of a flag by any of its spellings; null when it is not given.
const engine::FlagValue* given(const SpeedInputs& inputs, std::string_view flag) {
  if (flag.empty()) {
    return nullptr;
  }
  for (const engine::FlagValue& value : inputs.flags) {
    if (same_flag(*inputs.request.engine, value.name, flag)) {
      return &value;
    }
  }
  return given_flag(inputs.request, flag);
}

/// The model as the engine loads it, where that quantises 16-bit weights while loading.
std::optional<model::ModelSpec> quantised_online(const SpeedInputs& inputs) {
  const engine::FlagValue* flag = given(inputs, inputs.request.engine->levers.quantization);
  const auto* name = flag == nullptr ? nullptr : std::get_if<std::string>(&flag->value);
  if (name == nullptr || inputs.model.quantization.quantized()) {
    return std::nullopt;
  }
  auto scheme = precision::online_quantization(*name);
  if (!scheme) {
    return std::nullopt;
  }
  model::ModelSpec spec = inputs.model;
  spec.quantization = *std::move(scheme);
  return spec;
}

/// Bytes of all weights where their formats are the engine's own mix.
std::optional<std::uint64_t> other_weight_bytes(const SpeedInputs& inputs,
                                                const engine::MemoryPlan& memory) {
  if (inputs.request.engine->name != "llamacpp") {
    return std::nullopt;
  }
  return memory.weights.best * memory.parallelism.tensor * memory.parallelism.pipeline;
}

/// A switch of the engine that is turned on.
bool turned_on(const SpeedInputs& inputs, std::string_view flag) {
  const engine::FlagValue* value = given(inputs, flag);
  const auto* on = value == nullptr ? nullptr : std::get_if<bool>(&value->value);
  return on != nullptr && *on;
}

speed::Layout layout(const SpeedInputs& inputs, engine::Parallelism parallelism) {
  const engine::Engine& engine = *inputs.request.engine;
  if (turned_on(inputs, engine.levers.attention_groups)) {
    // TensorRT-LLM makes a group of every rank, SGLang as many as are asked for.
    if (engine.levers.data_parallel.empty()) {
      parallelism.data = parallelism.tensor;
    }
    return speed::layout_of(parallelism, inputs.model, speed::Sharing::all_ranks);
  }
  return speed::layout_of(
      parallelism, inputs.model,
      engine.name == "vllm" ? speed::Sharing::experts : speed::Sharing::nothing);
}

}  // namespace

std::optional<speed::KernelTimer> step_timer(const SpeedInputs& inputs,
                                             const engine::MemoryPlan& memory,
                                             const engine::Schedule& schedule) {
  // The processor is slower by an order, and no rate of it is known.
  if (memory.host_bytes != memory.host_table_bytes) {
    return std::nullopt;
  }
  const auto quantised = quantised_online(inputs);
  speed::Setup setup{quantised ? *quantised : inputs.model,
                     inputs.tensors,
                     inputs.device,
                     layout(inputs, memory.parallelism),
                     memory.kv_format,
                     memory.dtype,
                     inputs.request.engine->name,
                     memory.version,
                     schedule.graphs,
                     schedule.captured,
                     schedule.max_num_batched_tokens,
                     other_weight_bytes(inputs, memory)};
  setup.layout.in_flight = schedule.stages;
  return speed::KernelTimer::make(setup);
}

speed::ClosedForms speed_of(const SpeedInputs& inputs, const engine::MemoryPlan& memory) {
  engine::Schedule schedule;
  schedule.graphs = !turned_on(inputs, inputs.request.engine->levers.no_graphs);
  // llama.cpp passes a batch through all of its cards before the next.
  schedule.stages = inputs.request.engine->name == "llamacpp" ? 1 : memory.parallelism.pipeline;
  if (memory.max_num_batched_tokens > 0) {
    schedule.max_num_batched_tokens = memory.max_num_batched_tokens;
  }
  auto timer = step_timer(inputs, memory, schedule);
  if (!timer) {
    return {};
  }
  const engine::Workload& workload = inputs.request.workload;
  const std::uint64_t replicas = std::max<std::uint64_t>(1, memory.parallelism.data);
  speed::Question question;
  question.prompt = workload.prompt.value_or(memory.context);
  question.context = memory.context;
  question.batch = std::max<std::uint64_t>(1, workload.concurrency.value_or(1) / replicas);
  question.step_tokens = schedule.max_num_batched_tokens * schedule.stages;
  auto speed = speed::closed_forms(*timer, question);
  speed.known = true;
  return speed;
}

}  // namespace ridgepoint::plan
