#include "plan/asker.hpp"

namespace ridgepoint::plan {

Asker::Asker(const Request& request, std::size_t most)
    : request_(request), changed_(request), tensors_(model::tensors(request.model)), most_(most) {}

void Asker::restore() {
  if (model_changed_) {
    changed_.model = request_.model;
    model_changed_ = false;
  }
  if (changed_.draft.has_value() != request_.draft.has_value()) {
    changed_.draft = request_.draft;
  }
  changed_.adapters = request_.adapters;
  changed_.device = request_.device;
  changed_.gpu_count = request_.gpu_count;
  changed_.engine_version = request_.engine_version;
  changed_.args = request_.args;
  changed_.env = request_.env;
  changed_.workload = request_.workload;
  changed_.measured = request_.measured;
}

std::optional<engine::MemoryPlan> Asker::ask(const Change& change) {
  if (asked_ >= most_) {
    exhausted_ = true;
    return std::nullopt;
  }
  restore();
  model_changed_ = !change.quant_config.empty();
  if (apply(change, changed_) || engine::check_vendor(*request_.engine, changed_.device)) {
    return std::nullopt;
  }
  ++asked_;
  engine::Inputs inputs = engine_inputs(changed_, tensors_);
  inputs.explain = false;
  auto plan = request_.engine->plan(inputs);
  if (!plan) {
    return std::nullopt;
  }
  return std::move(plan.value());
}

}  // namespace ridgepoint::plan
