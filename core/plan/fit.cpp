#include "plan/fit.hpp"

#include <algorithm>
#include <utility>

#include "plan/advice.hpp"
#include "plan/fit_steps.hpp"
#include "plan/naive.hpp"
#include "plan/timing.hpp"
#include "weights/weights.hpp"
#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

using engine::MemoryPlan;

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
    report.speed = speed_of({request, request.model, tensors, request.device}, report.memory);
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
