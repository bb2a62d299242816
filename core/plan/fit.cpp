#include "plan/fit.hpp"

#include <algorithm>
#include <utility>

#include "plan/advice.hpp"
#include "plan/fit_steps.hpp"
#include "plan/naive.hpp"
#include "weights/weights.hpp"
#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

using engine::MemoryPlan;
using model::Part;

std::uint64_t part_bytes(const MemoryPlan& memory, Part part) {
  const std::string_view name = model::part_name(part);
  for (const auto& [part_name, bytes] : memory.weights_by_part) {
    if (part_name == name) {
      return bytes;
    }
  }
  return 0;
}

double expert_share(const model::ModelSpec& model) {
  for (const model::Layer& layer : model.layers) {
    if (layer.feed_forward.moe()) {
      return static_cast<double>(layer.feed_forward.num_experts_per_tok) /
             static_cast<double>(layer.feed_forward.num_experts);
    }
  }
  return 1.0;
}

bool eight_bit_math(const model::ModelSpec& model) {
  using precision::Packing;
  if (!model.quantization.quantized()) {
    return false;
  }
  const Packing packing = model.quantization.groups.front().format.packing;
  return packing == Packing::fp8_tensor || packing == Packing::fp8_channel ||
         packing == Packing::fp8_block;
}

}  // namespace

std::string verdict_text(const Request& request, const MemoryPlan& memory) {
  if (memory.limit != engine::Limit::none) {
    return memory.limit_text;
  }
  const auto& requests = memory.max_requests;
  std::string text = "Starts, and holds ";
  text += requests.low == requests.high
              ? grouped(requests.best)
              : worded({grouped(requests.low), " to ", grouped(requests.high)});
  text += requests.high == 1 ? " request of " : " requests of ";
  text += worded({grouped(memory.context), " tokens at once."});
  if (request.workload.concurrency && *request.workload.concurrency > requests.best) {
    text += worded({" Of the ", grouped(*request.workload.concurrency),
                    " asked for, the rest wait in the queue."});
  }
  if (memory.kv_pool.low < memory.needed_bytes) {
    text +=
        " It is close: at the low end of the range one request of the maximum length does not "
        "fit.";
  }
  return text;
}

engine::Inputs engine_inputs(const Request& request, const std::vector<model::Tensor>& tensors) {
  return {request.model,          tensors,         request.draft ? &*request.draft : nullptr,
          request.adapters,       request.device,  request.gpu_count,
          request.engine_version, request.args,    request.env,
          request.workload,       request.measured};
}

speed::Speed speed_of(const SpeedInputs& inputs, const model::ParameterCounts& parameters,
                      const MemoryPlan& memory) {
  speed::Load load;
  const std::uint64_t gpus = memory.parallelism.tensor * memory.parallelism.pipeline;
  load.active_parameters = parameters.active;
  load.weight_bytes = memory.weights.best * gpus;
  load.expert_bytes = part_bytes(memory, Part::experts) * gpus;
  // A tied table is the head too and is read whole.
  load.embedding_bytes =
      inputs.model.tie_word_embeddings ? 0 : part_bytes(memory, Part::embedding) * gpus;
  load.embedding_bytes = std::min(load.embedding_bytes, load.weight_bytes);
  load.expert_bytes = std::min(load.expert_bytes, load.weight_bytes - load.embedding_bytes);
  load.expert_share_per_token = expert_share(inputs.model);
  load.cache_bytes_per_request = memory.bytes_per_request;
  load.prompt = inputs.workload.prompt.value_or(memory.context);
  load.batch =
      std::max<std::uint64_t>(1, inputs.workload.concurrency.value_or(1) / memory.parallelism.data);
  load.gpus = gpus;
  load.eight_bit_math = eight_bit_math(inputs.model);
  return speed::roofline(load, inputs.device);
}

namespace {

Result<Report> answer(const Request& request, const std::vector<model::Tensor>& tensors,
                      bool explain) {
  if (auto foreign = engine::check_vendor(*request.engine, request.device)) {
    return *std::move(foreign);
  }
  engine::Inputs inputs = engine_inputs(request, tensors);
  inputs.explain = explain;
  auto memory = request.engine->plan(inputs);
  if (!memory) {
    return memory.error();
  }
  Report report;
  report.memory = std::move(memory.value());
  report.parameters = model::count_parameters(tensors);
  report.naive = naive_answer(request.model, report.memory);
  // A model that the processor computes in part is bound by it, and no rate of it is known.
  if (report.memory.limit == engine::Limit::none &&
      report.memory.host_bytes == report.memory.host_table_bytes) {
    report.speed = speed_of({request.model, request.workload, request.device}, report.parameters,
                            report.memory);
  }
  return report;
}

}  // namespace

Result<Report> estimate(const Request& request, const std::vector<model::Tensor>& tensors) {
  return answer(request, tensors, false);
}

Result<Report> fit_without_advice(const Request& request) {
  const std::vector<model::Tensor> tensors = model::tensors(request.model);
  auto estimated = answer(request, tensors, true);
  if (!estimated) {
    return estimated;
  }
  Report report = std::move(estimated.value());
  report.checkpoint_bytes =
      request.model.checkpoint_bytes.value_or(weights::checkpoint_bytes(request.model, tensors));
  report.scale_parameters = weights::scale_parameters(request.model, tensors);
  report.packed_parameters = weights::packed_parameters(request.model, tensors);
  report.verdict_text = verdict_text(request, report.memory);
  add_steps(request, report);
  report.assumptions = report.memory.assumptions;
  return report;
}

Result<Report> fit(const Request& request) {
  auto report = fit_without_advice(request);
  if (report) {
    report.value().advice = advise(request, report->memory);
  }
  return report;
}

}  // namespace ridgepoint::plan
