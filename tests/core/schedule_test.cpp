#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.hpp"
#include "fixtures.hpp"
#include "simulate/pool.hpp"
#include "simulated.hpp"

// How each engine puts requests into steps, by version and flags (the sources are named in the
// schedule_policy.cpp of each), and the pool that a simulation takes from its plan.

using ridgepoint::engine::find_engine;
using ridgepoint::engine::FlagValue;
using ridgepoint::engine::Inputs;
using ridgepoint::engine::MemoryPlan;
using ridgepoint::engine::Schedule;
using ridgepoint::engine::Scheduler;
using ridgepoint::simulate::Ledger;
using ridgepoint::simulate::Pool;

namespace {

struct Start {
  std::string engine = "vllm";
  std::string version = "0.28.0";
  std::vector<FlagValue> args = {};
  std::string card = "a100-sxm-80gb";
  std::string model = "meta-llama--Meta-Llama-3-8B";
  std::optional<std::uint64_t> gpus = std::nullopt;
};

struct Planned {
  MemoryPlan plan;
  Schedule schedule;
  Pool pool;
};

ridgepoint::Result<Planned> try_plan(const Start& start) {
  const auto spec = fixtures::model_of(fixtures::config(start.model));
  const auto tensors = ridgepoint::model::tensors(spec);
  const auto card = fixtures::card(start.card);
  const Inputs inputs{spec,          tensors,    nullptr, {}, card, start.gpus,
                      start.version, start.args, {},      {}, {}};
  const auto* engine = find_engine(start.engine);
  const auto plan = engine->plan(inputs);
  if (!plan) {
    return plan.error();
  }
  const auto schedule = engine->rules.schedule(inputs, plan.value());
  if (!schedule) {
    return schedule.error();
  }
  return Planned{plan.value(), schedule.value(), ridgepoint::simulate::pool_of(*plan, spec)};
}

Planned planned(const Start& start) {
  const auto result = try_plan(start);
  if (!result) {
    FAIL(result.error().path << ": " << result.error().message);
  }
  return result.value();
}

Schedule schedule(const Start& start) { return planned(start).schedule; }

FlagValue whole(std::string name, std::int64_t value) { return {std::move(name), value}; }
FlagValue number(std::string name, double value) { return {std::move(name), value}; }
FlagValue text(std::string name, std::string value) { return {std::move(name), std::move(value)}; }
FlagValue flag(std::string name, bool value = true) { return {std::move(name), value}; }

/// Whole requests of that length that a pool holds.
std::uint64_t held(const Pool& pool, std::uint64_t tokens) {
  Ledger ledger(pool);
  std::uint64_t requests = 0;
  while (ledger.fits(ledger.units_of(tokens)) && requests < 100000) {
    ledger.take(ledger.units_of(tokens));
    ++requests;
  }
  return requests;
}

}  // namespace

TEST_CASE("vLLM's schedule by version", "[schedule][simulate]") {
  const Schedule newest = schedule({});
  CHECK(newest.scheduler == Scheduler::vllm_v1);
  // An A100 has the small defaults.
  CHECK(newest.max_num_seqs == 256);
  CHECK(newest.max_num_batched_tokens == 2048);
  CHECK(newest.max_model_len == 8192);
  CHECK(newest.block_tokens == 16);
  CHECK(newest.chunked_prefill);
  CHECK(newest.mixed);
  CHECK(newest.prefix_caching);
  CHECK(newest.overlapped);
  CHECK(newest.watermark == 0);
  CHECK(newest.chunk_tokens == 0);
  CHECK(newest.graphs);
  CHECK(newest.captured.front() == 1);
  CHECK(newest.captured.back() == 512);
  CHECK(newest.replicas == 1);

  Start h100;
  h100.card = "h100";
  CHECK(schedule(h100).max_num_batched_tokens == 8192);
  CHECK(schedule(h100).max_num_seqs == 1024);

  // Steps are planned ahead by default since 0.14.
  Start old;
  old.version = "0.13.0";
  CHECK_FALSE(schedule(old).overlapped);
  CHECK(schedule(old).scheduler == Scheduler::vllm_v1);
  old.version = "0.14.0";
  CHECK(schedule(old).overlapped);

  Start v0;
  v0.version = "0.7.3";
  const Schedule before = schedule(v0);
  CHECK(before.scheduler == Scheduler::vllm_v0);
  CHECK_FALSE(before.chunked_prefill);
  CHECK_FALSE(before.mixed);
  CHECK_FALSE(before.prefix_caching);
  CHECK_FALSE(before.overlapped);
  CHECK(before.watermark == 0.01);
  CHECK(before.max_num_seqs == 256);
  CHECK(before.max_num_batched_tokens == 8192);
  CHECK(before.captured.back() == 256);
  v0.args = {flag("enable-chunked-prefill")};
  CHECK(schedule(v0).chunked_prefill);
  CHECK(schedule(v0).mixed);
}

TEST_CASE("vLLM's schedule by flags", "[schedule][simulate]") {
  Start start;
  start.args = {whole("max-num-seqs", 64),
                whole("max-num-batched-tokens", 4096),
                whole("long-prefill-token-threshold", 512),
                flag("enable-prefix-caching", false),
                flag("async-scheduling", false),
                flag("enforce-eager"),
                whole("max-model-len", 4000)};
  const Schedule given = schedule(start);
  CHECK(given.max_num_seqs == 64);
  CHECK(given.max_num_batched_tokens == 4096);
  CHECK(given.chunk_tokens == 512);
  CHECK_FALSE(given.prefix_caching);
  CHECK_FALSE(given.overlapped);
  CHECK_FALSE(given.graphs);
  CHECK(given.captured.empty());
  CHECK(given.max_model_len == 4000);

  Start sizes;
  sizes.args = {text("cudagraph-capture-sizes", "[8,1,4]"),
                whole("max-num-scheduled-tokens", 1024)};
  CHECK(schedule(sizes).captured == std::vector<std::uint64_t>{1, 4, 8});
  CHECK(schedule(sizes).max_num_batched_tokens == 1024);

  Start whole_prompts;
  whole_prompts.args = {flag("enable-chunked-prefill", false)};
  CHECK_FALSE(schedule(whole_prompts).chunked_prefill);
  CHECK(schedule(whole_prompts).max_num_batched_tokens == 8192);

  Start several;
  several.version = "0.10.0";
  several.args = {whole("max-num-partial-prefills", 4)};
  CHECK(schedule(several).chunk_tokens == 327);  // 0.04 of 8,192

  Start spread;
  spread.gpus = 4;
  spread.args = {whole("data-parallel-size", 2), whole("pipeline-parallel-size", 2)};
  CHECK(schedule(spread).replicas == 2);
  CHECK(schedule(spread).stages == 2);
}

TEST_CASE("SGLang's schedule by flags and version", "[schedule][simulate]") {
  Start start;
  start.engine = "sglang";
  start.version = "0.5.17";
  const Schedule newest = schedule(start);
  CHECK(newest.scheduler == Scheduler::sglang);
  CHECK(newest.max_num_batched_tokens == 8192);  // of a card from 60 to 160 GB
  CHECK(newest.chunked_prefill);
  CHECK_FALSE(newest.mixed);
  CHECK(newest.prefix_caching);
  CHECK(newest.overlapped);
  CHECK(newest.block_tokens == 1);
  CHECK(newest.conservativeness == 1);
  CHECK(newest.graphs);
  CHECK(std::is_sorted(newest.captured.begin(), newest.captured.end()));
  CHECK(newest.max_num_seqs == planned(start).plan.max_num_seqs);
  start.version = "0.4.0";
  CHECK(schedule(start).scheduler == Scheduler::sglang);
  CHECK(schedule(start).overlapped);
  start.version = "0.5.17";
  start.args = {flag("enable-mixed-chunk"),       number("schedule-conservativeness", 0.3),
                flag("disable-radix-cache"),      flag("disable-overlap-schedule"),
                flag("disable-cuda-graph"),       whole("chunked-prefill-size", 4096),
                whole("max-running-requests", 48)};
  const Schedule given = schedule(start);
  CHECK(given.mixed);
  CHECK(given.conservativeness == 0.3);
  CHECK_FALSE(given.prefix_caching);
  CHECK_FALSE(given.overlapped);
  CHECK_FALSE(given.graphs);
  CHECK(given.max_num_batched_tokens == 4096);
  CHECK(given.max_num_seqs == 48);
  start.args = {whole("chunked-prefill-size", -1)};
  CHECK_FALSE(schedule(start).chunked_prefill);
  CHECK(schedule(start).max_num_batched_tokens == 16384);
  // Attention by groups is less careful: each group's share is its own.
  start.args = {flag("enable-dp-attention"), whole("data-parallel-size", 2),
                whole("tensor-parallel-size", 2)};
  start.gpus = 2;
  CHECK(schedule(start).conservativeness == Approx(0.3));
  CHECK(schedule(start).replicas == 2);
}

TEST_CASE("TensorRT-LLM's schedule by flags and version", "[schedule][simulate]") {
  Start start;
  start.engine = "trtllm";
  start.version = "1.2.0";
  const Schedule newest = schedule(start);
  CHECK(newest.scheduler == Scheduler::trtllm_no_evict);
  CHECK(newest.max_num_batched_tokens == 8192);
  CHECK(newest.max_num_seqs == 2048);
  CHECK(newest.block_tokens == 32);
  CHECK_FALSE(newest.chunked_prefill);
  CHECK(newest.prefix_caching);
  CHECK(newest.overlapped);
  CHECK(newest.graphs);
  CHECK(newest.captured.back() == 128);
  start.args = {text("scheduler-config.capacity-scheduler-policy", "MAX_UTILIZATION"),
                flag("enable-chunked-prefill"), flag("disable-overlap-scheduler"),
                whole("max-batch-size", 64), whole("max-num-tokens", 2048)};
  const Schedule given = schedule(start);
  CHECK(given.scheduler == Scheduler::trtllm_max_utilization);
  CHECK(given.chunked_prefill);
  CHECK_FALSE(given.overlapped);
  CHECK(given.max_num_seqs == 64);
  CHECK(given.max_num_batched_tokens == 2048);
  start.args = {text("scheduler-policy", "max_utilization")};
  CHECK(schedule(start).scheduler == Scheduler::trtllm_max_utilization);
  start.args = {text("scheduler-config.capacity-scheduler-policy", "STATIC_BATCH")};
  const auto refused = try_plan(start);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == "unmodelled_flag");
  start.args = {};
  start.version = "0.17.0";
  CHECK_FALSE(schedule(start).overlapped);
}

TEST_CASE("llama.cpp's schedule by flags", "[schedule][simulate]") {
  Start start;
  start.engine = "llamacpp";
  start.version = "";
  start.args = {whole("parallel", 4), whole("ctx-size", 32768), whole("batch-size", 1024)};
  const Planned four = planned(start);
  CHECK(four.schedule.scheduler == Scheduler::llamacpp);
  CHECK(four.schedule.slots == 4);
  CHECK(four.schedule.max_num_batched_tokens == 1024);
  CHECK(four.schedule.max_model_len == four.plan.max_model_len);
  CHECK(four.schedule.prefix_caching);
  CHECK_FALSE(four.schedule.overlapped);
  CHECK(held(four.pool, four.schedule.max_model_len) * four.schedule.max_model_len <= 32768);
  start.args.push_back(flag("cache-prompt", false));
  CHECK_FALSE(schedule(start).prefix_caching);
}

TEST_CASE("a simulation's pool holds what the plan says", "[schedule][simulate]") {
  const Planned plain = planned({});
  CHECK(plain.pool.budgets.front() == plain.plan.blocks.best);
  CHECK(held(plain.pool, 8192) == plain.plan.blocks.best / 512);
  // Layers with a window, one pool: what the plan counts from its groups.
  for (const std::string model :
       {"openai--gpt-oss-20b", "google--gemma-3-27b-it", "Qwen--Qwen3-Next-80B-A3B-Instruct"}) {
    INFO(model);
    if (fixtures::text(model).empty()) {
      continue;
    }
    Start start;
    start.model = model;
    start.card = "h100";
    start.gpus = 4;
    start.args = {whole("max-num-seqs", 1024), whole("max-model-len", 16384)};
    const Planned windowed = planned(start);
    const auto counted = static_cast<double>(windowed.plan.max_requests.best);
    const auto mine = static_cast<double>(
        std::min<std::uint64_t>(held(windowed.pool, 16384), windowed.schedule.max_num_seqs));
    CHECK(mine / counted == Approx(1).epsilon(0.12));
    CHECK(windowed.pool.groups.size() >= 2);
  }
  Start apart;
  apart.engine = "sglang";
  apart.version = "0.5.17";
  apart.model = "openai--gpt-oss-20b";
  apart.card = "h100";
  const Planned pools = planned(apart);
  CHECK(pools.pool.budgets.size() == 2);
  CHECK(pools.pool.groups[1].window == 128);
}

TEST_CASE("a plan's pool and schedule serve a load", "[schedule][simulate]") {
  for (const auto& [engine, version] : std::vector<std::pair<std::string, std::string>>{
           {"vllm", "0.28.0"}, {"vllm", "0.7.3"}, {"sglang", "0.5.17"}, {"trtllm", "1.2.0"}}) {
    INFO(engine << " " << version);
    Start start;
    start.engine = engine;
    start.version = version;
    const Planned planned_start = planned(start);
    tests::PlainTimer timer;
    auto inputs = tests::plain_inputs(timer, tests::plain_load(300, 30, 2000, 300));
    inputs.schedule = planned_start.schedule;
    inputs.pool = planned_start.pool;
    const auto outcome = tests::run(inputs);
    CHECK(outcome.finished == 300);
    CHECK(outcome.kv_tokens == planned_start.plan.tokens.best);
  }
}
