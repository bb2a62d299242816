#include "plan/fit_steps.hpp"

#include <utility>

#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

void add_naive_step(Report& report) {
  engine::Step step;
  step.term = "naive.bytes_per_token";
  step.formula = "2 x num_key_value_heads x (hidden_size / num_attention_heads) x layers x 2";
  step.with_numbers = grouped(report.naive.bytes_per_token);
  step.value = static_cast<double>(report.naive.bytes_per_token);
  step.unit = "bytes";
  step.source = "what a calculator assumes that reads every model as grouped-query attention";
  report.explain.push_back(std::move(step));
}

void add_speed_steps(const Request& request, Report& report) {
  if (!report.speed.known) {
    return;
  }
  const auto add = [&](std::string term, std::string formula, std::string numbers, double value,
                       std::string_view unit, std::string source) {
    engine::Step step;
    step.term = std::move(term);
    step.formula = std::move(formula);
    step.with_numbers = std::move(numbers);
    step.value = value;
    step.unit = unit;
    step.source = std::move(source);
    report.explain.push_back(std::move(step));
  };
  const std::string prompt = grouped(request.workload.prompt.value_or(report.memory.context));
  add("ttft", "2 x active parameters x prompt / (peak FLOP/s x MFU)",
      "2 x " + grouped(report.parameters.active) + " x " + prompt + ", MFU 0.25 / 0.40 / 0.55",
      report.speed.ttft_s.best, "seconds", "roofline; MFU from the literature");
  add("tpot", "bytes read a step / (bandwidth x MBU)",
      "MBU 0.55 / 0.61 / 0.68 at " + decimal(request.device.bandwidth_bytes_per_s / 1e9) +
          " GB/s a card",
      report.speed.tpot_s.best, "seconds",
      "roofline; MBU measured on A100 and H100 with Llama-3-8B");
}

}  // namespace

void add_steps(const Request& request, Report& report) {
  report.explain = report.memory.steps;
  add_naive_step(report);
  add_speed_steps(request, report);
}

}  // namespace ridgepoint::plan
