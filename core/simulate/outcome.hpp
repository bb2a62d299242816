#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulate/sketch.hpp"
#include "speed/step.hpp"

namespace ridgepoint::simulate {

/// Requests that kept to all wishes.
struct Goodput {
  double requests_per_s = 0;
  double share = 0;    ///< of the requests that statistics take in
  bool meets = false;  ///< the share is not below the percentile asked for
};

struct Mean {
  double mean = 0;
  double peak = 0;
};

/// Over time, at the middle of each stretch.
struct Series {
  std::vector<double> t_s;
  std::vector<double> kv_share;
  std::vector<double> running;
  std::vector<double> waiting;
  std::vector<double> output_tokens_per_s;
  std::vector<double> preemptions;  ///< in that stretch
};

/// What a simulation found. Times in seconds; replicas are taken together.
struct Outcome {
  bool stopped = false;  ///< before all requests were over
  std::uint64_t asked = 0;
  std::uint64_t finished = 0;
  std::uint64_t refused = 0;
  std::string refused_why;     ///< a sentence; empty when none was
  double duration_s = 0;       ///< until the last token came out
  double last_arrival_s = 0;   ///< of the requests that came
  double last_admitted_s = 0;  ///< when the request that was over last was admitted
  Distribution ttft_s;         ///< arrival to first token
  Distribution tpot_s;         ///< of each request, its time after the first token by token
  Distribution itl_s;          ///< of each token, since the one before
  Distribution e2e_s;
  Distribution queue_s;  ///< arrival to the first step that computes of it
  double requests_per_s = 0;
  double output_tokens_per_s = 0;
  double total_tokens_per_s = 0;  ///< outputs, and prompts of finished requests
  std::optional<Goodput> goodput;
  std::uint64_t kv_tokens = 0;  ///< of all replicas
  Mean kv_share;
  Mean running;
  Mean waiting;
  std::uint64_t preemptions = 0;
  std::uint64_t recomputed_tokens = 0;  ///< that were in the cache before a preemption
  std::uint64_t prefix_hit_tokens = 0;
  std::uint64_t computed_tokens = 0;  ///< of prompts and outputs, recomputed ones too
  std::uint64_t output_tokens = 0;
  std::uint64_t sampled_tokens = 0;  ///< that the output matrix was computed for
  std::uint64_t steps = 0;
  std::uint64_t decode_steps = 0;  ///< of them, those that computed no prompt
  speed::StepTime step_time;       ///< of all steps and replicas
  double idle_s = 0;               ///< of all replicas, in which none of its requests ran
  Series series;
};

}  // namespace ridgepoint::simulate
