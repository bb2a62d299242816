#include "plan/timing.hpp"

#include <string>
#include <variant>

#include "plan/change.hpp"

namespace ridgepoint::plan {
namespace {

/// Bytes of all weights where the engine does not load them in the model's own formats.
std::optional<std::uint64_t> other_weight_bytes(const Request& request,
                                                const engine::MemoryPlan& memory) {
  const std::uint64_t ranks = memory.parallelism.tensor * memory.parallelism.pipeline;
  const engine::Levers& levers = request.engine->levers;
  const engine::FlagValue* quantized =
      levers.quantization.empty() ? nullptr : given_flag(request, levers.quantization);
  const auto* name = quantized == nullptr ? nullptr : std::get_if<std::string>(&quantized->value);
  const bool online = name != nullptr && *name == levers.online_fp8;
  if (online || request.engine->name == "llamacpp") {
    return memory.weights.best * ranks;
  }
  return std::nullopt;
}

}  // namespace

std::optional<speed::KernelTimer> step_timer(const Request& request,
                                             const std::vector<model::Tensor>& tensors,
                                             const engine::MemoryPlan& memory,
                                             const engine::Schedule& schedule) {
  // The processor is slower by an order, and no rate of it is known.
  if (memory.host_bytes != memory.host_table_bytes) {
    return std::nullopt;
  }
  const speed::Setup setup{request.model,
                           tensors,
                           request.device,
                           speed::layout_of(memory.parallelism, request.model),
                           memory.kv_format,
                           memory.dtype,
                           request.engine->name,
                           memory.version,
                           schedule.graphs,
                           schedule.captured,
                           other_weight_bytes(request, memory)};
  return speed::KernelTimer::make(setup);
}

}  // namespace ridgepoint::plan
