#include "serve/limits.hpp"

#include <algorithm>
#include <cmath>

#include "wording.hpp"

namespace ridgepoint::serve {
namespace {

using simulate::Outcome;

/// From here on a station is what the others wait for.
constexpr double kBusy = 0.85;
constexpr double kFull = 0.95;
constexpr double kMostlyFull = 0.7;
constexpr double kMostOfAStep = 0.35;
constexpr double kIdle = 0.3;
/// Waiting requests a running one: below it a full cache holds nobody up.
constexpr double kFewWait = 0.02;

double share(double part, double whole) { return whole > 0 ? part / whole : 0.0; }

/// "3.2", and of more than ten whole ones.
std::string about(double number) {
  constexpr double kTenths = 10;
  return number < kTenths ? decimal(std::floor(number * kTenths + 0.5) / kTenths)
                          : grouped(static_cast<std::uint64_t>(std::floor(number + 0.5)));
}

std::string percent(double share_of_one) {
  constexpr double kTenths = 1000;
  return decimal(std::floor(share_of_one * kTenths + 0.5) / 10);
}

double front_end_share(const Deployment& deployment, const Outcome& outcome) {
  const speed::FrontEnd& costs = deployment.timer().front_end();
  const auto outputs = static_cast<double>(outcome.output_tokens);
  const double all = outcome.total_tokens_per_s * outcome.duration_s;
  const double busy = costs.per_request_s * static_cast<double>(outcome.finished) +
                      costs.per_token_s * std::max(0.0, all - outputs) +
                      costs.per_output_s * outputs;
  return share(busy, outcome.duration_s);
}

/// What one rank of each stage reads of weights in a step of that many tokens.
double weight_bytes_read(const speed::Products& products, double tokens) {
  double bytes = products.head.count * products.head.weight_bytes;
  for (const auto* list : {&products.linear, &products.shared}) {
    for (const speed::Product& product : *list) {
      bytes += product.count * product.weight_bytes;
    }
  }
  for (const speed::Mixture& mixture : products.mixtures) {
    const double touched =
        speed::touched_experts(static_cast<double>(mixture.local), mixture.chosen_share,
                               static_cast<std::uint64_t>(std::max(1.0, tokens)));
    bytes += mixture.count * (touched * mixture.expert_bytes + mixture.fixed_bytes);
  }
  return bytes;
}

/// Whether requests that wait had no room in the pool. Who reserves room for whole requests leaves
/// free what one of them needs, and has nothing else to wait for but a place.
bool pool_is_full(const Deployment& deployment, const Outcome& outcome) {
  const engine::Scheduler scheduler = deployment.schedule().scheduler;
  if (scheduler != engine::Scheduler::llamacpp && scheduler != engine::Scheduler::trtllm_no_evict) {
    return outcome.kv_share.peak >= kFull;
  }
  const double tokens =
      share(outcome.total_tokens_per_s * outcome.duration_s, static_cast<double>(outcome.finished));
  const auto replicas =
      static_cast<double>(std::max<std::uint64_t>(1, deployment.schedule().replicas));
  const double of_one = share(tokens * replicas, static_cast<double>(outcome.kv_tokens));
  return outcome.kv_share.peak >= std::min(kFull, 1 - of_one);
}

/// The share of the time in which no step of a replica ran.
double idle_share(const Deployment& deployment, const Outcome& outcome) {
  const auto replicas =
      static_cast<double>(std::max<std::uint64_t>(1, deployment.schedule().replicas));
  return share(outcome.idle_s, outcome.duration_s * replicas);
}

}  // namespace

Utilization utilization(const Deployment& deployment, const Outcome& outcome) {
  const engine::MemoryPlan& memory = deployment.memory();
  const hardware::Device& device = deployment.request().device;
  const double peak = std::max(device.bf16_flops, device.fp16_flops);
  const double ranks = static_cast<double>(memory.parallelism.tensor * memory.parallelism.pipeline);
  const double seconds = outcome.step_time.total * ranks;
  Utilization used;
  if (!(seconds > 0) || !(peak > 0)) {
    return used;
  }
  const model::ParameterCounts& parameters = deployment.report().parameters;
  used.mfu = share(
      2.0 * static_cast<double>(parameters.active) * static_cast<double>(outcome.computed_tokens),
      seconds * peak);
  const double tokens_a_step =
      share(static_cast<double>(outcome.computed_tokens), static_cast<double>(outcome.steps));
  const double read = weight_bytes_read(deployment.timer().products(), tokens_a_step) *
                          static_cast<double>(memory.parallelism.tensor) +
                      outcome.kv_share.mean * static_cast<double>(memory.kv_pool.best) * ranks;
  used.mbu =
      share(read * static_cast<double>(outcome.steps), seconds * device.bandwidth_bytes_per_s);
  return used;
}

Limiting limiting(const Deployment& deployment, const Outcome& outcome) {
  const double front = front_end_share(deployment, outcome);
  if (front >= kBusy) {
    return {"front_end", worded({"The processes before the scheduler, which read prompts and send "
                                 "tokens one after the other, are busy ",
                                 percent(front), " % of the time."})};
  }
  const bool queue = outcome.waiting.mean > kFewWait * std::max(1.0, outcome.running.mean);
  const auto most = static_cast<double>(deployment.schedule().max_num_seqs *
                                        std::max<std::uint64_t>(1, deployment.schedule().replicas));
  if (pool_is_full(deployment, outcome) && (queue || outcome.preemptions > 0) &&
      outcome.running.peak < most) {
    const bool always = outcome.kv_share.mean >= kMostlyFull;
    return {"kv_pool",
            worded({always ? "The KV cache is full: " : "The KV cache is full at times: ",
                    "it is in use to ", percent(outcome.kv_share.mean), " % on average, ",
                    about(outcome.waiting.mean), " requests wait for room, and ",
                    grouped(outcome.preemptions), " were put back."})};
  }
  if (outcome.running.peak >= most && queue) {
    return {"requests",
            worded({"The engine runs no more than ", grouped(static_cast<std::uint64_t>(most)),
                    " requests at once, and ", about(outcome.waiting.mean), " wait on average."})};
  }
  const double idle = idle_share(deployment, outcome);
  if (idle >= kIdle) {
    return {"load",
            worded({"Nothing limits it: the cards are idle ", percent(idle), " % of the time."})};
  }
  const speed::StepTime& time = outcome.step_time;
  if (time.communication >= kMostOfAStep * time.total) {
    return {
        "link",
        worded({"The cards wait for each other: ", percent(share(time.communication, time.total)),
                " % of a step goes over the links between them."})};
  }
  if (time.host >= kMostOfAStep * time.total) {
    return {"host", worded({"The processor that launches the steps takes ",
                            percent(share(time.host, time.total)), " % of their time."})};
  }
  const Utilization used = utilization(deployment, outcome);
  const bool computing = used.mfu > used.mbu;
  return {computing ? "compute" : "bandwidth",
          worded({"The steps themselves, one after the other: they read at ", percent(used.mbu),
                  " % of the memory bandwidth and compute at ", percent(used.mfu),
                  " % of the 16-bit peak."})};
}

}  // namespace ridgepoint::serve
