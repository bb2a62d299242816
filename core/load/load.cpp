#include "load/load.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "exact_math.hpp"
#include "wording.hpp"

namespace ridgepoint::load {
namespace {

Error bad(std::string_view field, std::string_view message) {
  return {"bad_value", std::string(message), worded({"load.", field})};
}

/// Not a number fails both comparisons.
bool within(double value, double least, double most) { return value >= least && value <= most; }

Check check_bursty(const Arrivals& a) {
  if (!within(a.on_s, 1e-3, kLongest)) {
    return bad("arrivals.on_s", "A burst lasts at least a millisecond.");
  }
  if (!within(a.off_s, 0, kLongest)) {
    return bad("arrivals.off_s", "The time between bursts is 0 seconds or more.");
  }
  const double most = (a.on_s + a.off_s) / a.on_s;
  if (!within(a.peak, 0, most * (1 + 1e-12))) {
    return bad("arrivals.peak",
               worded({"The peak is at most (on_s + off_s) / on_s times the mean, here ",
                       decimal(most), ": beyond that the mean could not be kept."}));
  }
  return std::nullopt;
}

Check check_arrivals(const Arrivals& a) {
  const bool open = a.kind == ArrivalKind::poisson || a.kind == ArrivalKind::gamma ||
                    a.kind == ArrivalKind::bursty;
  if (open && !within(a.rate, kLeastRate, kMostRate)) {
    return bad("arrivals.rate", "The rate is a number of requests a second, from 1e-9 to 1e9.");
  }
  if (a.kind == ArrivalKind::gamma && !within(a.burstiness, 1e-3, 1e6)) {
    return bad("arrivals.burstiness",
               "The burstiness is from 0.001 to 1e6; 1 is Poisson, less comes in bursts.");
  }
  if (a.kind == ArrivalKind::bursty) {
    return check_bursty(a);
  }
  if (a.kind == ArrivalKind::closed && (a.concurrency == 0 || a.concurrency > kMostConcurrency)) {
    return bad("arrivals.concurrency",
               worded({"A closed loop has 1 to ", grouped(kMostConcurrency), " users."}));
  }
  if (a.kind == ArrivalKind::trace && !within(a.speed_up, 1e-6, 1e6)) {
    return bad("arrivals.speed_up", "A trace is sped up by 1e-6 to 1e6 times.");
  }
  return std::nullopt;
}

Check check_rule(LengthKind kind, const LengthRule& rule, std::string_view side) {
  const std::string field = worded({"lengths.", side});
  if (kind == LengthKind::lognormal) {
    if (!within(rule.mu, -20, 20) || !within(rule.sigma, 0, 10)) {
      return bad(field, "mu is from -20 to 20 and sigma from 0 to 10, of the logarithm of tokens.");
    }
    if (rule.most == 0 || rule.most > kMostTokens) {
      return bad(field, worded({"max is from 1 to ", grouped(kMostTokens), " tokens."}));
    }
    return std::nullopt;
  }
  if (rule.least == 0 || rule.least > rule.most || rule.most > kMostTokens) {
    return bad(field, worded({"A length is from 1 to ", grouped(kMostTokens),
                              " tokens, and a range does not fall."}));
  }
  return std::nullopt;
}

Check check_lengths(const Lengths& lengths) {
  if (lengths.kind == LengthKind::pairs) {
    const bool wrong = std::any_of(lengths.pairs.begin(), lengths.pairs.end(), [](const Pair& p) {
      return p.input == 0 || p.output == 0 || p.input > kMostTokens || p.output > kMostTokens;
    });
    if (wrong || lengths.pairs.empty()) {
      return bad("lengths.pairs", worded({"Pairs are [prompt, output], each from 1 to ",
                                          grouped(kMostTokens), " tokens, and at least one."}));
    }
    return std::nullopt;
  }
  if (auto wrong = check_rule(lengths.kind, lengths.input, "input")) {
    return wrong;
  }
  return check_rule(lengths.kind, lengths.output, "output");
}

Check check_trace(const Load& load) {
  if (load.trace.empty()) {
    return Error{"empty_trace", "The trace has no requests.", "load.arrivals.text"};
  }
  double before = 0;
  for (const TraceRow& row : load.trace) {
    const bool fits = row.input <= kMostTokens && row.output <= kMostTokens;
    if (!within(row.arrival_s, before, kLongest) || !fits) {
      return Error{"bad_trace", "The rows of a trace rise in time and their lengths are bounded.",
                   "load.arrivals.text"};
    }
    before = row.arrival_s;
  }
  return std::nullopt;
}

}  // namespace

Check check(const Load& load) {
  if (load.requests == 0) {
    return bad("requests", "At least one request is simulated.");
  }
  if (load.requests > kMostRequests) {
    return Error{"too_many_requests",
                 worded({"At most ", grouped(kMostRequests),
                         " requests are simulated, and these are ", grouped(load.requests), "."}),
                 "load.requests"};
  }
  if (auto wrong = check_arrivals(load.arrivals)) {
    return wrong;
  }
  if (auto wrong = check_lengths(load.lengths)) {
    return wrong;
  }
  if (!within(load.prefix.session_share, 0, 1)) {
    return bad("prefix.session_share", "The share of a prompt is from 0 to 1.");
  }
  if (load.prefix.shared_tokens > kMostTokens) {
    return bad("prefix.shared_tokens",
               worded({"The shared prompt has up to ", grouped(kMostTokens), " tokens."}));
  }
  if (!within(load.warmup, 0, 0.9)) {
    return bad("warmup", "The share left out of the statistics is from 0 to 0.9.");
  }
  return load.arrivals.kind == ArrivalKind::trace ? check_trace(load) : std::nullopt;
}

std::uint64_t usual_requests(const Arrivals& arrivals, std::uint64_t rows) {
  constexpr std::uint64_t kUsual = 1000;
  constexpr std::uint64_t kOfOneUser = 10;
  constexpr std::uint64_t kLeast = 200;
  switch (arrivals.kind) {
    case ArrivalKind::closed:
      return std::min(kMostRequests, std::max(kLeast, kOfOneUser * arrivals.concurrency));
    case ArrivalKind::trace:
      return rows;
    default:
      return kUsual;
  }
}

std::uint64_t longest_request(const Load& load) {
  std::uint64_t longest = 0;
  if (load.arrivals.kind == ArrivalKind::trace) {
    for (const TraceRow& row : load.trace) {
      longest = std::max<std::uint64_t>(longest, std::uint64_t{row.input} + row.output);
    }
  }
  for (const Pair& pair : load.lengths.pairs) {
    longest = std::max<std::uint64_t>(longest, std::uint64_t{pair.input} + pair.output);
  }
  const auto most = [&](const LengthRule& rule) {
    if (load.lengths.kind != LengthKind::lognormal) {
      return load.lengths.kind == LengthKind::uniform ? rule.most : rule.least;
    }
    constexpr double kDeviations = 3.09;  // one in a thousand lies beyond
    const double length = exact_exp(rule.mu + kDeviations * rule.sigma);
    return std::min(rule.most, static_cast<std::uint64_t>(std::min(length, 1e15)));
  };
  if (longest == 0 && load.lengths.kind != LengthKind::pairs) {
    longest = most(load.lengths.input) + most(load.lengths.output);
  }
  return std::max<std::uint64_t>(1, longest);
}

}  // namespace ridgepoint::load
