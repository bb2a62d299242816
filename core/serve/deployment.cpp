#include "serve/deployment.hpp"

#include <algorithm>
#include <utility>

#include "model/spec.hpp"
#include "model/tensors.hpp"
#include "plan/timing.hpp"

namespace ridgepoint::serve {
namespace {

/// Tokens that one request may keep in a pool whose layers all keep everything; what others keep
/// less of only makes the guess lower.
double pool_tokens(const simulate::Pool& pool) { return static_cast<double>(pool.tokens); }

}  // namespace

Result<std::unique_ptr<Deployment>> Deployment::make(plan::Request request) {
  auto made = std::unique_ptr<Deployment>(new Deployment(std::move(request)));
  made->tensors_ = model::tensors(made->request_.model);
  auto report = plan::estimate(made->request_, made->tensors_);
  if (!report) {
    return report.error();
  }
  made->report_ = std::move(report.value());
  const engine::MemoryPlan& memory = made->memory();
  if (memory.limit != engine::Limit::none) {
    return Error{"does_not_serve",
                 "The setup does not start, so there is nothing to load: " +
                     plan::verdict_text(made->request_, memory),
                 "request"};
  }
  if (made->request_.model.encoder_only) {
    return Error{"not_generative",
                 "The model generates nothing, so no load of requests is simulated.",
                 "request.model"};
  }
  const engine::Inputs inputs = plan::engine_inputs(made->request_, made->tensors_);
  if (made->request_.engine->rules.schedule == nullptr) {
    return not_here("How the engine schedules", "request.engine");
  }
  auto schedule = made->request_.engine->rules.schedule(inputs, memory);
  if (!schedule) {
    return schedule.error();
  }
  made->schedule_ = std::move(schedule.value());
  made->pool_ = simulate::pool_of(memory, made->request_.model);
  made->timer_ = plan::step_timer(
      {made->request_, made->request_.model, made->tensors_, made->request_.device}, memory,
      made->schedule_);
  if (!made->timer_) {
    return Error{
        "speed_unknown",
        "The speed of this setup is not known: the card's bandwidth or peak is missing, or "
        "the processor computes a part of the model. Of a card of your own, give bandwidth "
        "and flops.",
        "request.gpu"};
  }
  return made;
}

Result<std::unique_ptr<Deployment>> Deployment::serving(plan::Request request,
                                                        const load::Load& load) {
  if (request.engine->name != "llamacpp") {
    return make(std::move(request));
  }
  plan::Request roomy = request;
  const std::uint64_t claimed = model::claimed_context(request.model);
  const std::uint64_t longest = load::longest_request(load);
  roomy.workload.context = std::max(request.workload.context.value_or(0),
                                    claimed == 0 ? longest : std::min(longest, claimed));
  roomy.workload.in_every_slot = true;
  auto made = make(std::move(roomy));
  // With less room it may start, or need no processor for a part of the model.
  return made ? std::move(made) : make(std::move(request));
}

simulate::Inputs Deployment::inputs(const load::Load& load, const simulate::Slo& slo) {
  simulate::Inputs inputs;
  inputs.schedule = schedule_;
  // A step stands for a batch in each stage.
  inputs.schedule.max_num_batched_tokens *= schedule_.stages;
  inputs.pool = pool_;
  inputs.timers = {&*timer_};
  inputs.front_end = timer_->front_end();
  inputs.load = load;
  inputs.slo = slo;
  return inputs;
}

std::uint64_t Deployment::cards() const {
  const engine::Parallelism& p = memory().parallelism;
  return p.tensor * p.pipeline * p.data;
}

double Deployment::expected_rate(double input_tokens, double output_tokens) {
  const double length = std::max(1.0, input_tokens + output_tokens / 2);
  double batch = static_cast<double>(std::max<std::uint64_t>(1, schedule_.max_num_seqs));
  if (pool_tokens(pool_) > 0) {
    batch = std::min(batch, pool_tokens(pool_) / length);
  }
  if (pool_.state_slots > 0) {
    batch = std::min(batch, static_cast<double>(pool_.state_slots));
  }
  return rate_of_batch(batch, input_tokens, output_tokens);
}

double Deployment::rate_of_batch(double batch, double input_tokens, double output_tokens) {
  const double length = std::max(1.0, input_tokens + output_tokens / 2);
  batch = std::max(1.0, batch);
  const auto decoding = static_cast<std::uint64_t>(batch);
  speed::StepLoad load;
  load.decoding = decoding;
  const speed::ContextCaps& caps = timer_->caps();
  for (std::size_t i = 0; i < caps.size(); ++i) {
    const double kept = caps[i] == 0 ? 0.0 : std::min(length, static_cast<double>(caps[i]));
    load.context[i] = static_cast<std::uint64_t>(kept * static_cast<double>(decoding));
  }
  // Of every step's tokens the prompts have the share that keeps the batch as large as it is.
  const double prompt = batch * input_tokens / std::max(1.0, output_tokens);
  const speed::Chunk chunk{std::max<std::uint64_t>(1, static_cast<std::uint64_t>(prompt)), 0};
  load.chunks = {&chunk, 1};
  load.sampled = decoding;
  const double seconds = timer_->time(load).total;
  const double rate = batch / std::max(1.0, output_tokens) / std::max(seconds, 1e-9);
  return rate * static_cast<double>(std::max<std::uint64_t>(1, schedule_.replicas));
}

double Deployment::shortest_step_s() {
  speed::StepLoad load;
  load.decoding = 1;
  load.sampled = 1;
  return timer_->time(load).total;
}

}  // namespace ridgepoint::serve
