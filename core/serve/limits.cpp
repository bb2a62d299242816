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
  return share(busy, outcome.duration_s * static_cast<double>(deployment.schedule().front_ends));
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

Utilization utilization(const Outcome& outcome) {
  const speed::StepTime& time = outcome.step_time;
  return {share(time.compute, time.total), share(time.read, time.total)};
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
  const Utilization used = utilization(outcome);
  const bool computing = used.mfu > used.mbu;
  return {
      computing ? "compute" : "bandwidth",
      worded({"The steps themselves, one after the other: they read at ", percent(used.mbu),
              " % of the memory bandwidth and compute at ", percent(used.mfu), " % of the peak."})};
}

}  // namespace ridgepoint::serve
