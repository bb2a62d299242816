#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "result.hpp"

namespace ridgepoint::load {

inline constexpr std::uint64_t kMostRequests = 1'000'000;
inline constexpr std::uint64_t kMostTokens = 1ULL << 24U;  ///< of one prompt or one output
inline constexpr std::uint64_t kMostConcurrency = 100'000;
inline constexpr double kLeastRate = 1e-9;  ///< requests a second
inline constexpr double kMostRate = 1e9;
inline constexpr double kLongest = 1e12;  ///< seconds of anything

enum class ArrivalKind : std::uint8_t {
  poisson,
  gamma,    ///< gaps of a gamma distribution, cut to the rate asked for
  bursty,   ///< Poisson, whose rate goes up and down
  closed,   ///< a new request enters when one ends
  at_once,  ///< all at time 0
  trace,
};

/// When requests arrive. Rates are in requests a second, times in seconds.
struct Arrivals {
  ArrivalKind kind = ArrivalKind::poisson;
  double rate = 1;
  /// Shape of the gaps: their deviation over their mean is 1 / sqrt(burstiness). As vLLM's
  /// benchmark does it, all gaps are then scaled so that the last of n requests arrives at n / rate
  /// (vLLM 0.28 benchmarks/serve.py, get_request).
  double burstiness = 1;
  double on_s = 0;   ///< bursty: that long the rate is `peak` times the mean …
  double off_s = 0;  ///< … and that long what keeps the mean
  double peak = 1;
  std::uint64_t concurrency = 1;  ///< closed
  double speed_up = 1;            ///< trace: its times are divided by it
};

enum class LengthKind : std::uint8_t { fixed, uniform, lognormal, pairs };

/// Tokens of a prompt or of an output.
struct LengthRule {
  std::uint64_t least = 1;  ///< uniform; fixed: the length
  std::uint64_t most = 1;   ///< uniform and lognormal, inclusive
  double mu = 0;            ///< of the logarithm of a lognormal length
  double sigma = 0;
};

struct Pair {
  std::uint32_t input = 0;
  std::uint32_t output = 0;
};

/// How long prompts and outputs are; each drawn by itself, pairs together and with replacement.
struct Lengths {
  LengthKind kind = LengthKind::fixed;
  LengthRule input;
  LengthRule output;
  std::vector<Pair> pairs;
};

/// What of prompts was computed for others before.
struct Prefix {
  std::uint64_t shared_tokens = 0;  ///< a system prompt that starts every prompt
  /// Of the rest of each prompt, the share that an earlier turn of its session left in the cache.
  double session_share = 0;
};

/// One request of a trace.
struct TraceRow {
  double arrival_s = 0;
  std::uint32_t input = 0;   ///< tokens; 0: by Lengths
  std::uint32_t output = 0;  ///< tokens; 0: by Lengths
  /// Tokens at the front of the prompt that earlier rows had too, by the trace's own hashes.
  std::uint32_t repeated = 0;
};

/// What requests come, and when. A plain value; `check` says whether it makes sense.
struct Load {
  Arrivals arrivals;
  std::uint64_t requests = 1000;
  Lengths lengths;
  Prefix prefix;
  std::uint64_t seed = 1;
  double warmup = 0;            ///< share of the first requests that no statistics count
  std::vector<TraceRow> trace;  ///< rising arrival; arrivals.kind trace
};

/// Errors: `bad_value`, `too_many_requests`, `empty_trace`, with paths as in a query
/// (load.arrivals.rate …).
Check check(const Load& load);

/// The load of a query that says nothing of the number of requests: 1,000, of a closed loop ten a
/// user and at least 200, of a trace its rows.
std::uint64_t usual_requests(const Arrivals& arrivals, std::uint64_t rows);

/// Tokens of the longest request there can be, prompt and output; of lognormal lengths, of one in a
/// thousand prompts and outputs.
std::uint64_t longest_request(const Load& load);

}  // namespace ridgepoint::load
