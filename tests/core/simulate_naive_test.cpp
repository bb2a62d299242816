#include "simulate_naive.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "load/random.hpp"
#include "sampling.hpp"
#include "simulated.hpp"

using ridgepoint::load::Random;
using tests::NaiveRequest;
using tests::NaiveV1;
using tests::PlainTimer;

namespace {

/// A small setup of which nearly every rule is met: few blocks, small steps, short lengths.
tests::simulate::Inputs random_case(Random& random, PlainTimer& timer) {
  tests::load::Load load;
  load.requests = 1 + random.below(40);
  load.seed = random.bits();
  load.arrivals.rate = 0.5 + 40 * random.unit();
  if (random.below(4) == 0) {
    load.arrivals.kind = tests::load::ArrivalKind::at_once;
  }
  load.lengths.kind = tests::load::LengthKind::uniform;
  load.lengths.input = {1, 1 + random.below(90), 0, 0};
  load.lengths.output = {1, 1 + random.below(60), 0, 0};
  auto inputs = tests::plain_inputs(timer, load);
  inputs.pool.block_tokens = 1 + random.below(9);
  const std::uint64_t longest = load.lengths.input.most + load.lengths.output.most;
  const std::uint64_t least = longest / inputs.pool.block_tokens + 2;
  inputs.pool.budgets = {least + random.below(3 * least)};
  if (random.below(3) == 0) {
    const std::uint64_t window = 4 + random.below(40);
    inputs.pool.groups = {{0, 1, 0}, {window, 2, 0}};
    inputs.pool.budgets = {least * 3 + random.below(6 * least)};
    if (random.below(2) == 0) {
      inputs.pool.groups[1].budget = 1;
      inputs.pool.budgets.push_back(2 * (window / inputs.pool.block_tokens + 3) *
                                    (1 + random.below(6)));
    }
    timer.limits = {~0ULL, window, random.below(2) * (1 + random.below(100)), 0};
  }
  auto& schedule = inputs.schedule;
  schedule.prefix_caching = false;
  schedule.max_num_seqs = 1 + random.below(20);
  schedule.max_num_batched_tokens = std::max<std::uint64_t>(
      1 + random.below(150), random.below(5) == 0 ? 1 : schedule.max_num_seqs);
  schedule.chunk_tokens = random.below(3) == 0 ? 1 + random.below(40) : 0;
  schedule.chunked_prefill = random.below(5) != 0;
  if (!schedule.chunked_prefill) {
    schedule.max_num_batched_tokens += longest;
  }
  schedule.overlapped = random.below(2) == 0;
  // Every request has room beside what is kept free.
  schedule.watermark = random.below(3) == 0 ? 0.001 + 0.01 * random.unit() : 0;
  inputs.slo.itl_s = 5e-3 + 8e-3 * random.unit();
  inputs.slo.percentile = 0.5 + 0.5 * random.unit();
  timer.keeps = true;
  return inputs;
}

struct Times {
  tests::simulate::Sketch ttft;
  tests::simulate::Sketch gaps;
  tests::simulate::Sketch e2e;
};

Times times_of(const std::vector<NaiveRequest>& requests) {
  Times times;
  for (const NaiveRequest& r : requests) {
    times.ttft.add(r.tokens.front() - r.arrival);
    times.e2e.add(r.tokens.back() - r.arrival);
    for (std::size_t i = 1; i < r.tokens.size(); ++i) {
      times.gaps.add(r.tokens[i] - r.tokens[i - 1]);
    }
  }
  return times;
}

/// Of all requests, those of which no more gaps than allowed are longer than wished.
double share_kept(const std::vector<NaiveRequest>& requests, const tests::simulate::Slo& slo) {
  double kept = 0;
  for (const NaiveRequest& r : requests) {
    double late = 0;
    for (std::size_t i = 1; i < r.tokens.size(); ++i) {
      late += r.tokens[i] - r.tokens[i - 1] > slo.itl_s ? 1 : 0;
    }
    const auto gaps = static_cast<double>(r.tokens.size() - 1);
    kept += late <= (1 - slo.percentile) * gaps + 1e-9 ? 1 : 0;
  }
  return kept / static_cast<double>(requests.size());
}

void check_same(const tests::simulate::Distribution& got, const tests::simulate::Sketch& wanted) {
  const auto expected = wanted.distribution();
  REQUIRE(got.count == expected.count);
  REQUIRE(got.p50 == expected.p50);
  REQUIRE(got.p90 == expected.p90);
  REQUIRE(got.p99 == expected.p99);
  REQUIRE(got.max == expected.max);
  REQUIRE(std::abs(got.mean - expected.mean) <= 1e-12 + 1e-12 * expected.mean);
}

}  // namespace

TEST_CASE("shortcuts give what a simulation token by token gives", "[simulate][sweep]") {
  Random random(20260901, 0);
  std::uint64_t preemptions = 0;
  for (int i = 0; i < static_cast<int>(4000 / tests::sampled(20)); ++i) {
    PlainTimer timer;
    const auto inputs = random_case(random, timer);
    PlainTimer naive_timer = timer;
    INFO("case " << i);
    NaiveV1 naive(inputs, naive_timer);
    naive.run();
    const auto outcome = tests::run(inputs);
    REQUIRE(outcome.finished == inputs.load.requests);
    REQUIRE(timer.seen.size() == naive_timer.seen.size());
    for (std::size_t step = 0; step < timer.seen.size(); ++step) {
      INFO("step " << step);
      auto& mine = timer.seen[step];
      auto& wanted = naive_timer.seen[step];
      // Chunks come in no particular order.
      std::sort(mine.chunks.begin(), mine.chunks.end());
      std::sort(wanted.chunks.begin(), wanted.chunks.end());
      REQUIRE(mine.decoding == wanted.decoding);
      REQUIRE(mine.context == wanted.context);
      REQUIRE(mine.chunks == wanted.chunks);
      REQUIRE(mine.sampled == wanted.sampled);
    }
    const Times times = times_of(naive.requests);
    REQUIRE(outcome.preemptions == naive.preemptions);
    REQUIRE(outcome.duration_s == naive.end);
    check_same(outcome.ttft_s, times.ttft);
    check_same(outcome.itl_s, times.gaps);
    check_same(outcome.e2e_s, times.e2e);
    REQUIRE(outcome.goodput->share == share_kept(naive.requests, inputs.slo));
    preemptions += naive.preemptions;
  }
  CHECK(preemptions > 1000 / tests::sampled(20));
}
