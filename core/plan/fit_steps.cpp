#include "plan/fit_steps.hpp"

#include <cmath>
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

std::string percent(double share) {
  constexpr double kTenths = 1000;
  return decimal(std::floor(share * kTenths + 0.5) / 10);
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
  const speed::ClosedForms& speed = report.speed;
  const std::string prompt = grouped(request.workload.prompt.value_or(report.memory.context));
  add("ttft", "front end + the steps of one prompt on an idle replica",
      worded({prompt, " tokens, at ", percent(speed.mfu), " % of the peaks"}), speed.ttft_s.best,
      "seconds", "step times, core/data/speed_constants.json");
  add("tpot", "one step of all requests that decode at once",
      worded({"reads at ", percent(speed.mbu), " % of the bandwidth"}), speed.tpot_s.best,
      "seconds", "step times, core/data/speed_constants.json");
}

}  // namespace

void add_steps(const Request& request, Report& report) {
  report.explain = report.memory.steps;
  add_naive_step(report);
  add_speed_steps(request, report);
}

}  // namespace ridgepoint::plan
