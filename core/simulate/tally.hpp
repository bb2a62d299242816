#pragma once

#include <cstdint>

#include "simulate/series.hpp"
#include "simulate/sketch.hpp"
#include "speed/step.hpp"

namespace ridgepoint::simulate {

/// What users wish of a request, in seconds; 0: no wish.
struct Slo {
  double ttft_s = 0;
  double tpot_s = 0;
  double itl_s = 0;  ///< that `percentile` of the gaps between its tokens keep to
  double e2e_s = 0;
  double percentile = 0.99;  ///< share of the requests that must keep to all of them

  [[nodiscard]] bool any() const { return ttft_s > 0 || tpot_s > 0 || itl_s > 0 || e2e_s > 0; }
};

/// What is counted while a simulation runs; of a size that does not depend on its length.
struct Tally {
  Sketch ttft;
  Sketch tpot;
  Sketch itl;
  Sketch e2e;
  Sketch queue;
  TimeSeries series;
  std::uint64_t finished = 0;
  std::uint64_t counted = 0;  ///< of them, those that statistics take in
  std::uint64_t kept = 0;     ///< of those, the ones that kept to all wishes
  std::uint64_t refused_length = 0;
  std::uint64_t refused_pool = 0;
  std::uint64_t refused_step = 0;
  std::uint64_t input_tokens = 0;   ///< of finished requests
  std::uint64_t output_tokens = 0;  ///< that came out
  std::uint64_t computed_tokens = 0;
  std::uint64_t preemptions = 0;
  std::uint64_t recomputed_tokens = 0;
  std::uint64_t prefix_hit_tokens = 0;
  std::uint64_t steps = 0;
  std::uint64_t decode_steps = 0;  ///< that computed no prompt
  std::uint64_t sampled_tokens = 0;
  speed::StepTime time;
  double idle_s = 0;
  double end_s = 0;            ///< when the last token came out
  double last_end_s = 0;       ///< of the request that was over last …
  double last_admitted_s = 0;  ///< … and when it was admitted
  double kv_seconds = 0;
  double running_seconds = 0;
  double waiting_seconds = 0;
  double kv_peak = 0;
  std::uint64_t running_peak = 0;
  std::uint64_t waiting_peak = 0;
};

}  // namespace ridgepoint::simulate
