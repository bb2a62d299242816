// Times runs of the simulator: `simulate_speed` prints a line of JSON for each.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "exact_math.hpp"
#include "simulate/simulation.hpp"

namespace {

using namespace ridgepoint;

/// A model of 8 billion parameters in 16 bits on a card of 3.35 TB/s and 989 TFLOP/s, by one power
/// mean for each kind of product: about what a timer of fitted kernels computes.
class CardTimer : public speed::StepTimer {
 public:
  explicit CardTimer(bool cheap) : cheap_(cheap) {}
  [[nodiscard]] const speed::ContextCaps& caps() const override { return caps_; }

  speed::StepTime time(const speed::StepLoad& load) override {
    auto tokens = static_cast<double>(load.decoding);
    double attention = static_cast<double>(load.context[0]) * 4096 / 3e12;
    for (const speed::Chunk& chunk : load.chunks) {
      const auto c = static_cast<double>(chunk.tokens);
      tokens += c;
      attention += 4096 * 4 * c * (static_cast<double>(chunk.cached) + c / 2) / 4e14;
    }
    speed::StepTime time;
    time.host = 0.2e-3;
    time.attention = 32 * attention;
    if (cheap_) {
      time.linear = 5e-3 + tokens * 20e-6;
    } else {
      const std::array<std::array<double, 2>, 4> products = {
          {{6144, 4096}, {4096, 4096}, {28672, 4096}, {4096, 14336}}};
      for (const auto& [n, k] : products) {
        time.linear += 32 * product(tokens, n, k);
      }
      time.head = product(static_cast<double>(load.sampled), 128256, 4096);
    }
    time.total = time.host + time.linear + time.attention + time.head;
    return time;
  }

 private:
  static double product(double m, double n, double k) {
    const double memory = 2 * (n * k + m * (n + k)) / 2.9e12;
    const double compute = 2 * m * n * k / 7.7e14;
    return 4e-6 + exact_pow(exact_pow(memory, 2.3) + exact_pow(compute, 2.3), 1 / 2.3);
  }

  bool cheap_;
  speed::ContextCaps caps_ = {~0ULL, 0, 0, 0};
};

struct Run {
  const char* name;
  engine::Scheduler scheduler;
  load::ArrivalKind arrivals;
  double rate;
  std::uint64_t requests;
  std::uint64_t input;
  std::uint64_t output;
  std::uint64_t blocks;
  bool cheap;
};

constexpr Run kRuns[] = {
    {"256 users, rules alone", engine::Scheduler::vllm_v1, load::ArrivalKind::closed, 1, 20000, 512,
     512, 60000, true},
    {"256 users", engine::Scheduler::vllm_v1, load::ArrivalKind::closed, 1, 20000, 512, 512, 60000,
     false},
    {"256 users, full cache", engine::Scheduler::vllm_v1, load::ArrivalKind::closed, 1, 10000, 512,
     512, 9000, false},
    {"256 users, SGLang", engine::Scheduler::sglang, load::ArrivalKind::closed, 1, 10000, 512, 512,
     60000, false},
    {"1,000 requests", engine::Scheduler::vllm_v1, load::ArrivalKind::poisson, 20, 1000, 1024, 256,
     30000, false},
    {"1,000,000 requests", engine::Scheduler::vllm_v1, load::ArrivalKind::closed, 1, 1000000, 128,
     64, 30000, false},
};

simulate::Inputs inputs_of(const Run& run, CardTimer& timer) {
  simulate::Inputs inputs;
  inputs.schedule.scheduler = run.scheduler;
  inputs.schedule.max_num_seqs = 256;
  inputs.schedule.max_num_batched_tokens = 8192;
  inputs.schedule.mixed = run.scheduler != engine::Scheduler::sglang;
  inputs.pool = simulate::plain_pool(run.blocks, 16);
  inputs.timers = {&timer};
  load::Load& load = inputs.load;
  load.arrivals.kind = run.arrivals;
  load.arrivals.rate = run.rate;
  load.arrivals.concurrency = 256;
  load.requests = run.requests;
  load.lengths.kind = load::LengthKind::uniform;
  load.lengths.input = {run.input / 2, run.input * 3 / 2, 0, 0};
  load.lengths.output = {run.output / 2, run.output * 3 / 2, 0, 0};
  return inputs;
}

}  // namespace

int main() {
  for (const Run& run : kRuns) {
    CardTimer timer(run.cheap);
    auto simulation = simulate::Simulation::create(inputs_of(run, timer));
    if (!simulation) {
      return 1;
    }
    const auto begin = std::chrono::steady_clock::now();
    if ((*simulation)->advance(~std::uint64_t{0})) {
      return 1;
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const simulate::Outcome outcome = (*simulation)->outcome();
    std::printf(
        "{\"name\":\"%s\",\"seconds\":%.6f,\"tokens\":%llu,\"steps\":%llu,\"preemptions\":%llu}\n",
        run.name, seconds, static_cast<unsigned long long>(outcome.output_tokens),
        static_cast<unsigned long long>(outcome.steps),
        static_cast<unsigned long long>(outcome.preemptions));
  }
  return 0;
}
