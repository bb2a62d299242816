#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "load/random.hpp"
#include "sampling.hpp"
#include "simulated.hpp"

using ridgepoint::engine::Scheduler;
using ridgepoint::load::ArrivalKind;
using ridgepoint::load::Random;
using ridgepoint::simulate::Outcome;
using ridgepoint::simulate::Simulation;
using tests::closed_load;
using tests::plain_inputs;
using tests::plain_load;
using tests::PlainTimer;
using tests::run;

namespace {

constexpr Scheduler kAll[] = {Scheduler::vllm_v1,
                              Scheduler::vllm_v0,
                              Scheduler::sglang,
                              Scheduler::trtllm_no_evict,
                              Scheduler::trtllm_max_utilization,
                              Scheduler::llamacpp};

bool never_preempts(Scheduler scheduler) {
  return scheduler == Scheduler::trtllm_no_evict || scheduler == Scheduler::llamacpp;
}

tests::simulate::Inputs random_inputs(Random& random, PlainTimer& timer) {
  tests::load::Load load;
  load.requests = 1 + random.below(25);
  load.seed = random.bits();
  load.arrivals.rate = 0.5 + 60 * random.unit();
  load.arrivals.burstiness = 0.3 + random.unit();
  load.arrivals.concurrency = 1 + random.below(12);
  load.arrivals.on_s = 0.5;
  load.arrivals.off_s = 1;
  load.arrivals.peak = 2;
  load.arrivals.kind = static_cast<ArrivalKind>(random.below(5));
  load.lengths.kind = tests::load::LengthKind::uniform;
  load.lengths.input = {1, 1 + random.below(120), 0, 0};
  load.lengths.output = {1, 1 + random.below(50), 0, 0};
  load.prefix.shared_tokens = random.below(3) == 0 ? random.below(60) : 0;
  load.prefix.session_share = random.below(3) == 0 ? random.unit() : 0;
  auto inputs = plain_inputs(timer, load);
  inputs.pool.block_tokens = 1 + random.below(17);
  const std::uint64_t longest = load.lengths.input.most + load.lengths.output.most;
  const std::uint64_t blocks = longest / inputs.pool.block_tokens + 2;
  inputs.pool.budgets = {blocks / 2 + random.below(5 * blocks)};
  if (random.below(4) == 0) {
    inputs.pool.groups = {{0, 3, 0}, {1 + random.below(50), 1, 0}};
    inputs.pool.budgets[0] *= 3;
  }
  inputs.pool.state_slots = random.below(4) == 0 ? 1 + random.below(6) : 0;
  auto& schedule = inputs.schedule;
  schedule.scheduler = kAll[random.below(6)];
  schedule.max_num_seqs = 1 + random.below(20);
  schedule.max_num_batched_tokens = schedule.max_num_seqs + random.below(150);
  schedule.chunked_prefill = random.below(3) != 0;
  schedule.mixed = random.below(2) == 0;
  schedule.overlapped = random.below(2) == 0;
  schedule.prefix_caching = random.below(2) == 0;
  schedule.block_tokens = inputs.pool.block_tokens;
  schedule.max_model_len = random.below(3) == 0 ? longest - random.below(longest / 2 + 1) : 0;
  schedule.watermark = random.below(3) == 0 ? 0.01 : 0;
  schedule.replicas = 1 + (random.below(4) == 0 ? random.below(3) : 0);
  schedule.slots = random.below(8);
  inputs.balance = static_cast<tests::simulate::Balance>(random.below(2));
  inputs.front_end.per_request_s = random.below(2) == 0 ? 0.01 * random.unit() : 0;
  inputs.front_end.per_output_s = random.below(3) == 0 ? 1e-4 : 0;
  return inputs;
}

/// Tokens that requests of the load have, without those that are refused.
struct Sum {
  std::uint64_t input = 0;
  std::uint64_t output = 0;
};

Sum tokens_of(const tests::load::Load& load) {
  tests::load::DemandSource source(load);
  Sum sum;
  while (source.next_arrival()) {
    const auto demand = source.next();
    sum.input += demand.input;
    sum.output += demand.output;
    source.ended(demand.arrival_s);
  }
  return sum;
}

bool same(const tests::simulate::Distribution& a, const tests::simulate::Distribution& b) {
  return a.mean == b.mean && a.p50 == b.p50 && a.p90 == b.p90 && a.p95 == b.p95 && a.p99 == b.p99 &&
         a.max == b.max && a.count == b.count;
}

bool same(const Outcome& a, const Outcome& b) {
  return same(a.ttft_s, b.ttft_s) && same(a.tpot_s, b.tpot_s) && same(a.itl_s, b.itl_s) &&
         same(a.e2e_s, b.e2e_s) && same(a.queue_s, b.queue_s) && a.duration_s == b.duration_s &&
         a.steps == b.steps && a.preemptions == b.preemptions &&
         a.kv_share.mean == b.kv_share.mean && a.series.kv_share == b.series.kv_share &&
         a.series.running == b.series.running && a.step_time.total == b.step_time.total &&
         a.finished == b.finished;
}

}  // namespace

TEST_CASE("whatever comes is served or refused, and every block comes back", "[simulate][sweep]") {
  Random random(7, 0);
  std::uint64_t preemptions = 0;
  for (int i = 0; i < static_cast<int>(10000 / tests::sampled(20)); ++i) {
    INFO("case " << i);
    PlainTimer timer;
    const auto inputs = random_inputs(random, timer);
    const Scheduler scheduler = inputs.schedule.scheduler;
    INFO("scheduler " << static_cast<int>(scheduler));
    auto made = Simulation::create(inputs);
    REQUIRE(made);
    Simulation& simulation = **made;
    double most = 0;
    std::uint64_t steps = 0;
    std::string failure;
    while (!simulation.done() && failure.empty() && ++steps < 100000) {
      const auto failed = simulation.advance(1);
      failure = failed ? failed->code : "";
      most = std::max(most, simulation.progress().kv_share);
    }
    REQUIRE(failure.empty());
    REQUIRE(simulation.done());
    const Outcome outcome = simulation.outcome();
    const Sum sum = tokens_of(inputs.load);
    bool good = most <= 1 && simulation.progress().kv_share == 0;
    good = good && simulation.progress().running == 0 && simulation.progress().waiting == 0;
    good = good && outcome.finished + outcome.refused == inputs.load.requests;
    good = good && outcome.output_tokens <= sum.output;
    good = good && outcome.itl_s.count + outcome.finished == outcome.output_tokens;
    good = good && outcome.ttft_s.count == outcome.finished;
    if (outcome.refused == 0) {
      const std::uint64_t computed = sum.input + sum.output - outcome.finished -
                                     outcome.prefix_hit_tokens + outcome.recomputed_tokens;
      good = good && outcome.output_tokens == sum.output;
      good = good && (inputs.schedule.prefix_caching ? outcome.computed_tokens <= computed
                                                     : outcome.computed_tokens == computed);
    }
    good = good && (!never_preempts(scheduler) || outcome.preemptions == 0);
    REQUIRE(good);
    if (i % 16 == 0) {
      REQUIRE(same(outcome, run(inputs)));
    }
    preemptions += outcome.preemptions;
  }
  CHECK(preemptions > 2000 / tests::sampled(20));
}

TEST_CASE("requests in the system are their rate times their time", "[simulate]") {
  for (const Scheduler scheduler : kAll) {
    INFO("scheduler " << static_cast<int>(scheduler));
    PlainTimer timer;
    auto inputs = plain_inputs(timer, plain_load(6000, 8, 300, 150));
    inputs.schedule.scheduler = scheduler;
    inputs.schedule.slots = 64;
    const Outcome outcome = run(inputs);
    REQUIRE(outcome.finished == 6000);
    const double expected = outcome.requests_per_s * outcome.e2e_s.mean;
    CHECK(std::abs((outcome.running.mean + outcome.waiting.mean) / expected - 1) < 0.02);
  }
}

TEST_CASE("a closed loop brings forth at most its users by the time of a token", "[simulate]") {
  for (const Scheduler scheduler : kAll) {
    INFO("scheduler " << static_cast<int>(scheduler));
    PlainTimer timer;
    auto inputs = plain_inputs(timer, closed_load(640, 32, 500, 100));
    inputs.schedule.scheduler = scheduler;
    inputs.schedule.slots = 32;
    const Outcome outcome = run(inputs);
    REQUIRE(outcome.finished == 640);
    CHECK(outcome.output_tokens_per_s <= 32 / outcome.tpot_s.mean);
    CHECK(outcome.output_tokens_per_s > 0.5 * 32 / outcome.tpot_s.mean);
    CHECK(outcome.running.peak <= 32);
  }
}

TEST_CASE("a prompt that is cached whole computes one block", "[simulate]") {
  PlainTimer timer;
  auto load = plain_load(50, 0.5, 1600, 10);
  auto inputs = plain_inputs(timer, load);
  const double cold = run(inputs).ttft_s.p50;
  inputs.load.prefix.session_share = 1;
  timer.keeps = true;
  const Outcome warm = run(inputs);
  for (const auto& step : timer.seen) {
    for (const auto& [tokens, cached] : step.chunks) {
      CHECK(tokens == 16);
      CHECK(cached == 1584);
    }
  }
  const double floor = 5e-3 + 16 * 20e-6 + 1e-9 * 16 * (1584 + 8) + 2e-6;
  CHECK(warm.ttft_s.p50 == Approx(floor).epsilon(0.01));
  CHECK(cold > 5 * warm.ttft_s.p50);
  CHECK(warm.prefix_hit_tokens == 50 * 1584);
  // What is cached still fills the pool.
  CHECK(warm.kv_share.peak >= 100.0 / 100000);

  inputs.schedule.prefix_caching = false;
  CHECK(run(inputs).prefix_hit_tokens == 0);
}

TEST_CASE("a shared prompt is computed once and held once", "[simulate]") {
  PlainTimer timer;
  auto inputs = plain_inputs(timer, closed_load(400, 20, 1000, 40));
  inputs.load.prefix.shared_tokens = 800;
  const Outcome outcome = run(inputs);
  CHECK(outcome.prefix_hit_tokens >= 800 * (400 - 20));
  CHECK(outcome.prefix_hit_tokens < 800 * 400);
  // 50 blocks in common, and of each of twenty up to 65 - 50.
  CHECK(outcome.kv_share.peak * 100000 <= 50 + 20 * 15 + 20 * 50);
  PlainTimer other;
  inputs.timers = {&other};
  inputs.load.arrivals.kind = ArrivalKind::poisson;
  inputs.load.arrivals.rate = 2;
  CHECK(run(inputs).prefix_hit_tokens >= 800 * 395);
}

TEST_CASE("those that share a prompt hold its blocks in common", "[simulate]") {
  PlainTimer timer;
  auto inputs = plain_inputs(timer, plain_load(3, 1, 1000, 640));
  inputs.load.arrivals.kind = ArrivalKind::trace;
  inputs.load.trace = {{0, 0, 0, 0}, {0.5, 0, 0, 0}, {0.5, 0, 0, 0}};
  inputs.load.prefix.shared_tokens = 800;
  // 1,639 tokens in the end are 103 blocks, of which 50 are the same ones; the second and third
  // end with the same step.
  const Outcome outcome = run(inputs);
  CHECK(outcome.prefix_hit_tokens == 1600);
  CHECK(outcome.kv_share.peak * 100000 > 50 + 2 * 53);
  CHECK(outcome.kv_share.peak * 100000 <= 50 + 3 * 53);
  inputs.load.prefix.shared_tokens = 0;
  CHECK(run(inputs).kv_share.peak * 100000 > 250);
}

TEST_CASE("states and slots limit what runs", "[simulate]") {
  PlainTimer timer;
  auto inputs = plain_inputs(timer, closed_load(60, 30, 100, 20));
  CHECK(run(inputs).running.peak == 30);
  inputs.pool.state_slots = 7;
  CHECK(run(inputs).running.peak == 7);
  inputs.pool.state_slots = 0;
  inputs.schedule.scheduler = Scheduler::llamacpp;
  inputs.schedule.slots = 5;
  CHECK(run(inputs).running.peak == 5);
  inputs.schedule.scheduler = Scheduler::trtllm_no_evict;
  inputs.schedule.max_num_seqs = 9;
  CHECK(run(inputs).running.peak == 9);
  inputs.schedule.scheduler = Scheduler::sglang;
  CHECK(run(inputs).running.peak == 9);
}

TEST_CASE("prompts and decodes share steps where the engine mixes them", "[simulate]") {
  const auto mixes = [](Scheduler scheduler, bool mixed, bool chunked) {
    PlainTimer timer;
    timer.keeps = true;
    auto inputs = plain_inputs(timer, closed_load(80, 8, 300, 30));
    inputs.load.lengths.kind = tests::load::LengthKind::uniform;
    inputs.load.lengths.output = {10, 50, 0, 0};
    inputs.schedule.scheduler = scheduler;
    inputs.schedule.mixed = mixed;
    inputs.schedule.chunked_prefill = chunked;
    inputs.schedule.slots = 8;
    REQUIRE(run(inputs).finished == 80);
    return std::any_of(timer.seen.begin(), timer.seen.end(), [](const tests::SeenStep& step) {
      return step.decoding != 0 && !step.chunks.empty();
    });
  };
  CHECK(mixes(Scheduler::vllm_v1, true, true));
  CHECK_FALSE(mixes(Scheduler::vllm_v0, false, false));
  CHECK(mixes(Scheduler::vllm_v0, true, true));
  CHECK_FALSE(mixes(Scheduler::sglang, false, true));
  CHECK(mixes(Scheduler::sglang, true, true));
  CHECK(mixes(Scheduler::trtllm_no_evict, true, false));
  CHECK(mixes(Scheduler::trtllm_max_utilization, true, true));
  CHECK(mixes(Scheduler::llamacpp, true, true));
}

TEST_CASE("chunks are cut as each engine cuts them", "[simulate]") {
  const auto chunks = [](Scheduler scheduler, std::uint64_t threshold) {
    PlainTimer timer;
    timer.keeps = true;
    auto inputs = plain_inputs(timer, plain_load(1, 1, 1000, 2));
    inputs.schedule.scheduler = scheduler;
    inputs.schedule.max_num_batched_tokens = 300;
    inputs.schedule.chunk_tokens = threshold;
    inputs.schedule.slots = 1;
    run(inputs);
    std::vector<std::uint64_t> sizes;
    for (const auto& step : timer.seen) {
      for (const auto& chunk : step.chunks) {
        sizes.push_back(chunk.first);
      }
    }
    return sizes;
  };
  using Sizes = std::vector<std::uint64_t>;
  CHECK(chunks(Scheduler::vllm_v1, 0) == Sizes{300, 300, 300, 100});
  CHECK(chunks(Scheduler::vllm_v1, 280) == Sizes{280, 280, 280, 160});
  CHECK(chunks(Scheduler::llamacpp, 0) == Sizes{300, 300, 300, 100});
  // Whole blocks of 16.
  CHECK(chunks(Scheduler::trtllm_no_evict, 0) == Sizes{288, 288, 288, 136});
  CHECK(chunks(Scheduler::sglang, 0).front() == 288);
}

TEST_CASE("SGLang keeps a share in reserve of what may come, and retracts", "[simulate]") {
  // Of 6,400 tokens one request has yet to bring forth nearly 4,000 when a second one comes, which
  // needs 3,350: there is room beside 0.7 of them, and not beside 0.98.
  PlainTimer timer;
  auto inputs = plain_inputs(timer, plain_load(2, 1, 50, 1), 400);
  inputs.load.arrivals.kind = ArrivalKind::trace;
  inputs.load.trace = {{0, 50, 4000, 0}, {0.1, 50, 3300, 0}};
  inputs.schedule.scheduler = Scheduler::sglang;
  inputs.schedule.mixed = false;
  const Outcome at_once = run(inputs);
  CHECK(at_once.queue_s.max < 0.05);
  // Both do not fit to the end: the one with fewer tokens is retracted, once.
  CHECK(at_once.preemptions == 1);
  CHECK(at_once.recomputed_tokens > 2000);
  CHECK(at_once.finished == 2);
  inputs.schedule.conservativeness = 1.4;
  CHECK(run(inputs).queue_s.max > 1);
}

TEST_CASE("a queue that more comes to than leaves grows for as long", "[simulate]") {
  PlainTimer timer;
  auto inputs = plain_inputs(timer, plain_load(4000, 100, 200, 100));
  inputs.schedule.max_num_seqs = 16;
  const Outcome outcome = run(inputs);
  REQUIRE(outcome.finished == 4000);
  const auto& waiting = outcome.series.waiting;
  const auto& at = outcome.series.t_s;
  // Arrivals end after some 40 seconds; up to then the queue is a line through nothing.
  std::vector<double> slopes;
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i] > 5 && at[i] < 36) {
      slopes.push_back(waiting[i] / at[i]);
    }
  }
  REQUIRE(slopes.size() > 5);
  const auto [least, most] = std::minmax_element(slopes.begin(), slopes.end());
  CHECK(*most / *least < 1.25);
  CHECK(outcome.waiting.peak > 2000);
}

TEST_CASE("no request is left behind", "[simulate]") {
  // Long prompts among short ones, and a cache that is always full.
  for (const Scheduler scheduler : kAll) {
    INFO("scheduler " << static_cast<int>(scheduler));
    PlainTimer timer;
    auto load = closed_load(600, 48, 1, 1);
    load.lengths.kind = tests::load::LengthKind::pairs;
    load.lengths.pairs = {{100, 60}, {2000, 30}, {50, 400}};
    auto inputs = plain_inputs(timer, load, 300);
    inputs.schedule.scheduler = scheduler;
    inputs.schedule.slots = 48;
    inputs.schedule.conservativeness = 0.1;
    const Outcome outcome = run(inputs);
    CHECK(outcome.finished == 600);
    CHECK(outcome.kv_share.peak > 0.9);
    CHECK((never_preempts(scheduler) ? outcome.preemptions == 0 : outcome.preemptions > 0));
    CHECK(outcome.e2e_s.max < outcome.duration_s / 3);
  }
}

TEST_CASE("replicas share the load", "[simulate]") {
  for (const auto balance :
       {tests::simulate::Balance::in_turn, tests::simulate::Balance::least_loaded}) {
    PlainTimer timer;
    auto inputs = plain_inputs(timer, closed_load(1200, 60, 400, 80), 2000);
    inputs.balance = balance;
    inputs.schedule.max_num_seqs = 12;
    const Outcome one = run(inputs);
    inputs.schedule.replicas = 4;
    const Outcome four = run(inputs);
    REQUIRE(four.finished == 1200);
    CHECK(four.output_tokens_per_s > 3 * one.output_tokens_per_s);
    CHECK(four.output_tokens_per_s <= 4.2 * one.output_tokens_per_s);
    CHECK(four.running.peak <= 48);
    CHECK(four.kv_share.peak <= 1);
    CHECK(four.kv_tokens == 4 * 2000 * 16);
  }
}

TEST_CASE("a front end lets no more through than it can", "[simulate]") {
  PlainTimer timer;
  auto inputs = plain_inputs(timer, plain_load(1000, 1000, 10, 4));
  inputs.front_end.per_request_s = 0.02;
  inputs.front_end.per_token_s = 1e-3;
  CHECK(run(inputs).requests_per_s == Approx(1 / 0.03).epsilon(0.02));
  inputs.front_end = {0.5, 0, 0, 0};
  inputs.load = plain_load(20, 0.01, 10, 4);
  const double moved = run(inputs).ttft_s.mean;
  inputs.front_end = {};
  CHECK(moved - run(inputs).ttft_s.mean == Approx(0.5));
  // Tokens on their way out take the same time from prompts.
  inputs.front_end.per_output_s = 0.01;
  inputs.load = closed_load(200, 50, 10, 20);
  CHECK(run(inputs).output_tokens_per_s == Approx(100).epsilon(0.05));
}

TEST_CASE("a step that is planned ahead has not seen what the one before brings", "[simulate]") {
  PlainTimer timer;
  auto inputs = plain_inputs(timer, closed_load(100, 1, 100, 10));
  const Outcome at_once = run(inputs);
  inputs.schedule.overlapped = true;
  // Alone, a request finds nothing that runs, and waits for nothing.
  CHECK(run(inputs).ttft_s.p50 == at_once.ttft_s.p50);
  inputs.load = closed_load(400, 8, 100, 10);
  inputs.load.lengths.kind = tests::load::LengthKind::uniform;
  inputs.load.lengths.output = {5, 40, 0, 0};
  inputs.schedule.overlapped = false;
  const double before = run(inputs).ttft_s.mean;
  inputs.schedule.overlapped = true;
  const double after = run(inputs).ttft_s.mean;
  CHECK(after > before + 3e-3);
  CHECK(after < before + 9e-3);
}

TEST_CASE("wishes are kept by requests, and by the share asked for", "[simulate]") {
  PlainTimer timer;
  auto inputs = plain_inputs(timer, plain_load(2000, 20, 200, 50));
  CHECK_FALSE(run(inputs).goodput);
  const Outcome free = run(inputs);
  inputs.slo.ttft_s = free.ttft_s.p50;
  const Outcome half = run(inputs);
  REQUIRE(half.goodput);
  CHECK(half.goodput->share == Approx(0.5).margin(0.03));
  CHECK(half.goodput->requests_per_s == Approx(half.requests_per_s * half.goodput->share));
  CHECK_FALSE(half.goodput->meets);
  inputs.slo.percentile = 0.4;
  CHECK(run(inputs).goodput->meets);
  inputs.slo = {};
  inputs.slo.e2e_s = free.e2e_s.max * 1.01;
  CHECK(run(inputs).goodput->share == 1);
  inputs.slo = {};
  inputs.slo.tpot_s = free.tpot_s.p90;
  CHECK(run(inputs).goodput->share == Approx(0.9).margin(0.03));
  inputs.slo = {};
  inputs.slo.itl_s = free.itl_s.max * 1.01;
  CHECK(run(inputs).goodput->share == 1);
  inputs.slo.itl_s = 1e-4;
  CHECK(run(inputs).goodput->share == 0);
  inputs.slo.itl_s = free.itl_s.p50;
  inputs.slo.percentile = 0.5;
  const double share = run(inputs).goodput->share;
  CHECK(share > 0.2);
  CHECK(share < 0.8);
}

TEST_CASE("statistics can leave out the first requests", "[simulate]") {
  PlainTimer timer;
  auto inputs = plain_inputs(timer, closed_load(400, 40, 800, 60));
  inputs.load.warmup = 0.25;
  const Outcome outcome = run(inputs);
  CHECK(outcome.finished == 400);
  CHECK(outcome.ttft_s.count == 300);
  CHECK(outcome.itl_s.count == 300 * 59);
  inputs.load.warmup = 0;
  // A closed loop starts with all of its prompts at once.
  CHECK(run(inputs).ttft_s.p99 > 1.5 * outcome.ttft_s.p99);
}

TEST_CASE("a run can be looked at while it goes on", "[simulate]") {
  PlainTimer timer;
  auto inputs = plain_inputs(timer, plain_load(300, 10, 200, 50));
  const Outcome whole = run(inputs);
  auto simulation = Simulation::create(inputs);
  REQUIRE(simulation);
  double share = 0;
  while (!(*simulation)->done()) {
    REQUIRE_FALSE((*simulation)->advance(7));
    CHECK((*simulation)->progress().share >= share);
    share = (*simulation)->progress().share;
    CHECK((*simulation)->outcome().stopped != (*simulation)->done());
  }
  CHECK(share == 1);
  CHECK(same((*simulation)->outcome(), whole));
  CHECK(whole.series.t_s.size() <= 240);
  CHECK(whole.series.t_s.size() >= 100);
  CHECK(whole.step_time.total + whole.idle_s == Approx(whole.duration_s).epsilon(1e-9));
  CHECK(whole.step_time.host + whole.step_time.linear + whole.step_time.attention ==
        Approx(whole.step_time.total));
}

TEST_CASE("quantiles of a sketch are right within a hundredth", "[simulate]") {
  Random random(3, 0);
  for (const double sigma : {0.01, 1.0, 4.0}) {
    ridgepoint::simulate::Sketch sketch;
    std::vector<double> values;
    for (int i = 0; i < 20000; ++i) {
      const double value = 0.02 * random.gamma(1 / (sigma * sigma));
      values.push_back(value);
      sketch.add(value);
    }
    std::sort(values.begin(), values.end());
    for (const double q : {0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999}) {
      const double exact = values[static_cast<std::size_t>(std::ceil(q * 20000)) - 1];
      if (exact > 1e-9) {
        CHECK(sketch.quantile(q) == Approx(exact).epsilon(0.01));
      }
    }
    CHECK(sketch.quantile(1) == values.back());
    CHECK(sketch.max() == values.back());
  }
  ridgepoint::simulate::Sketch few;
  CHECK(few.quantile(0.5) == 0);
  few.add(0, 3);
  few.add(7, 1);
  CHECK(few.quantile(0.5) == 0);
  CHECK(few.quantile(0.99) == 7);
  CHECK(few.mean() == 1.75);
  few.add(1e300);
  few.add(-1);
  few.add(std::numeric_limits<double>::quiet_NaN());
  CHECK(few.count() == 7);
  CHECK(few.quantile(0.01) == 0);
}

TEST_CASE("what cannot be simulated is refused with its field", "[simulate]") {
  PlainTimer timer;
  const auto error_of = [&](const tests::simulate::Inputs& inputs) {
    const auto made = Simulation::create(inputs);
    return made ? std::string() : made.error().code + " " + made.error().path;
  };
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double rate : {0.0, -1.0, infinite, -infinite, std::nan("")}) {
    auto inputs = plain_inputs(timer, plain_load(10, rate, 10, 10));
    CHECK(error_of(inputs) == "bad_value load.arrivals.rate");
    inputs.load.arrivals.rate = 1;
    inputs.slo.ttft_s = rate > 0 || rate < 0 || rate == 0 ? -1 : rate;
    CHECK(error_of(inputs) == "bad_value slo.ttft_s");
  }
  auto inputs = plain_inputs(timer, plain_load(1'000'000'000, 1, 10, 10));
  CHECK(error_of(inputs) == "too_many_requests load.requests");
  inputs = plain_inputs(timer, plain_load(0, 1, 10, 10));
  CHECK(error_of(inputs) == "bad_value load.requests");
  inputs = plain_inputs(timer, plain_load(10, 1, ~0ULL, 10));
  CHECK(error_of(inputs) == "bad_value load.lengths.input");
  inputs = plain_inputs(timer, plain_load(10, 1, 10, 0));
  CHECK(error_of(inputs) == "bad_value load.lengths.output");
  inputs.load.lengths.kind = tests::load::LengthKind::lognormal;
  inputs.load.lengths.input = {1, 100, std::nan(""), 1};
  CHECK(error_of(inputs) == "bad_value load.lengths.input");
  inputs = plain_inputs(timer, plain_load(10, 1, 10, 10));
  inputs.load.arrivals.kind = ArrivalKind::trace;
  CHECK(error_of(inputs) == "empty_trace load.arrivals.text");
  inputs.load.trace = {{5, 1, 1, 0}, {4, 1, 1, 0}};
  CHECK(error_of(inputs) == "bad_trace load.arrivals.text");
  inputs = plain_inputs(timer, plain_load(10, 1, 10, 10));
  inputs.load.prefix.session_share = 1.5;
  CHECK(error_of(inputs) == "bad_value load.prefix.session_share");
  inputs = plain_inputs(timer, plain_load(10, 1, 10, 10));
  inputs.schedule.max_num_seqs = 0;
  CHECK(error_of(inputs) == "bad_schedule ");
  inputs.schedule.max_num_seqs = 1;
  inputs.timers = {};
  CHECK(error_of(inputs) == "bad_schedule ");
}

TEST_CASE("a timer that tells no time ends the run", "[simulate]") {
  for (const double time : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    PlainTimer timer;
    timer.fixed = time;
    timer.per_token = timer.per_context = timer.per_score = timer.per_sampled = 0;
    auto simulation = Simulation::create(plain_inputs(timer, plain_load(10, 1, 10, 10)));
    REQUIRE(simulation);
    const auto failed = (*simulation)->advance(1000);
    REQUIRE(failed);
    CHECK(failed->code == "bad_step_time");
    CHECK((*simulation)->advance(1)->code == "bad_step_time");
    CHECK_FALSE((*simulation)->done());
  }
}

TEST_CASE("requests that never fit are counted and the rest is served", "[simulate]") {
  for (const Scheduler scheduler : kAll) {
    INFO("scheduler " << static_cast<int>(scheduler));
    PlainTimer timer;
    auto load = plain_load(200, 10, 1, 1);
    load.lengths.kind = tests::load::LengthKind::pairs;
    load.lengths.pairs = {{100, 20}, {5000, 20}, {100, 100000}};
    auto inputs = plain_inputs(timer, load, 200);
    inputs.schedule.scheduler = scheduler;
    inputs.schedule.slots = 4;
    const Outcome outcome = run(inputs);
    CHECK(outcome.refused > 100);
    CHECK(outcome.finished + outcome.refused == 200);
    CHECK(outcome.refused_why.find("longer than the whole cache") != std::string::npos);
    inputs.schedule.max_model_len = 100;
    const Outcome none = run(inputs);
    CHECK(none.refused == 200);
    CHECK(none.refused_why == "200 requests are longer than the engine's maximum length.");
    // All of a closed loop's requests come, though none of them ends.
    inputs.load.arrivals.kind = ArrivalKind::closed;
    inputs.load.arrivals.concurrency = 3;
    CHECK(run(inputs).refused == 200);
  }
}

TEST_CASE("a load that hardly comes ends all the same", "[simulate]") {
  PlainTimer timer;
  const Outcome slow = run(plain_inputs(timer, plain_load(50, 1e-9, 10, 10)));
  CHECK(slow.finished == 50);
  CHECK(slow.duration_s > 1e10);
  CHECK(slow.series.t_s.size() <= 240);
  const Outcome fast = run(plain_inputs(timer, plain_load(50, 1e9, 10, 10)));
  CHECK(fast.finished == 50);
}
