#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "simulate/simulation.hpp"
#include "speed/step.hpp"

/// What tests of the simulator share: a card whose steps take a plain sum of times, and runs on it.
namespace tests {

namespace speed = ridgepoint::speed;
namespace load = ridgepoint::load;
namespace engine = ridgepoint::engine;
namespace simulate = ridgepoint::simulate;

/// What a step was asked to compute.
struct SeenStep {
  std::uint64_t decoding = 0;
  std::vector<std::uint64_t> context;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> chunks;
  std::uint64_t sampled = 0;

  bool operator==(const SeenStep&) const = default;
};

/// A step's time as a sum over what it computes. Keeps the steps it saw where asked to.
class PlainTimer : public speed::StepTimer {
 public:
  speed::ContextCaps limits = {~0ULL, 0, 0, 0};
  double fixed = 5e-3;
  double per_token = 20e-6;
  double per_context = 20e-9;
  double per_capped = 10e-9;
  double per_score = 1e-9;
  double per_sampled = 2e-6;
  bool keeps = false;
  std::vector<SeenStep> seen;

  [[nodiscard]] const speed::ContextCaps& caps() const override { return limits; }

  speed::StepTime time(const speed::StepLoad& load) override {
    speed::StepTime time;
    time.host = fixed + per_sampled * static_cast<double>(load.sampled);
    std::uint64_t tokens = load.decoding;
    double scores = 0;
    for (const speed::Chunk& chunk : load.chunks) {
      tokens += chunk.tokens;
      scores += static_cast<double>(chunk.tokens) *
                (static_cast<double>(chunk.cached) + 0.5 * static_cast<double>(chunk.tokens));
    }
    time.linear = per_token * static_cast<double>(tokens);
    time.attention = per_context * static_cast<double>(load.context[0]) + per_score * scores;
    for (std::size_t i = 1; i < load.context.size(); ++i) {
      time.attention += per_capped * static_cast<double>(load.context[i]);
    }
    time.total = time.host + time.linear + time.attention;
    if (keeps) {
      keep(load);
    }
    return time;
  }

 private:
  void keep(const speed::StepLoad& load) {
    SeenStep step;
    step.decoding = load.decoding;
    step.context.assign(load.context.begin(), load.context.end());
    step.sampled = load.sampled;
    for (const speed::Chunk& chunk : load.chunks) {
      step.chunks.push_back({chunk.tokens, chunk.cached});
    }
    seen.push_back(std::move(step));
  }
};

/// A load of that many requests of one length, Poisson.
inline load::Load plain_load(std::uint64_t requests, double rate, std::uint64_t input,
                             std::uint64_t output) {
  load::Load load;
  load.requests = requests;
  load.arrivals.rate = rate;
  load.lengths.input = {input, input, 0, 0};
  load.lengths.output = {output, output, 0, 0};
  return load;
}

inline load::Load closed_load(std::uint64_t requests, std::uint64_t users, std::uint64_t input,
                              std::uint64_t output) {
  load::Load load = plain_load(requests, 1, input, output);
  load.arrivals.kind = load::ArrivalKind::closed;
  load.arrivals.concurrency = users;
  return load;
}

inline simulate::Inputs plain_inputs(PlainTimer& timer, load::Load load,
                                     std::uint64_t blocks = 100000) {
  simulate::Inputs inputs;
  inputs.pool = simulate::plain_pool(blocks, 16);
  inputs.timers = {&timer};
  inputs.load = std::move(load);
  inputs.schedule.overlapped = false;
  return inputs;
}

/// Runs to the end; every test run ends after far fewer steps than these.
inline simulate::Outcome run(const simulate::Inputs& inputs) {
  auto simulation = simulate::Simulation::create(inputs);
  if (!simulation) {
    return {};
  }
  (*simulation)->advance(50'000'000);
  return (*simulation)->outcome();
}

}  // namespace tests
