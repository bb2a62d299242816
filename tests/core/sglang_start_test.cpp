// Starts of SGLang that were measured: the free memory it printed before and after the weights
// loaded, in GiB, and the tokens of the pool it made of them.
#include "sglang_given.hpp"

using tests::Json;
using tests::kGiB;

namespace {

struct Measured {
  const char* fixture;
  const char* version;
  double before_gib;
  double after_gib;
  Json args;
  std::uint64_t count;
  std::uint64_t tokens;
  const char* gpu = "";
};

const Measured kStarts[] = {
    {"meta-llama--Meta-Llama-3-8B",
     "0.4.4",
     78.59,
     63.48,
     {{"mem-fraction-static", 0.88}},
     1,
     442750},
    {"meta-llama--Meta-Llama-3-8B",
     "0.4.9",
     22.39,
     7.37,
     {{"mem-fraction-static", 0.879}},
     1,
     38141},
    {"Qwen--Qwen3-30B-A3B", "0.5.16", 78.49, 62.08, {{"mem-fraction-static", 0.85}}, 1, 549277},
    {"Qwen--Qwen3-30B-A3B", "0.5.17", 78.48, 49.33, {{"mem-fraction-static", 0.83}}, 1, 392920},
    {"Qwen--Qwen3-8B",
     "0.5.12",
     275.75,
     260.48,
     {{"mem-fraction-static", 0.906}, {"attention-backend", "trtllm_mha"}},
     1,
     1707904},
    {"deepseek-ai--DeepSeek-V3",
     "0.5.9",
     176.56,
     74.46,
     {{"mem-fraction-static", 0.85},
      {"kv-cache-dtype", "fp8_e4m3"},
      {"attention-backend", "trtllm_mla"},
      {"tp", 4}},
     4,
     1467200},
    {"deepseek-ai--DeepSeek-V3",
     "0.5.9",
     176.56,
     124.40,
     {{"mem-fraction-static", 0.85},
      {"kv-cache-dtype", "fp8_e4m3"},
      {"attention-backend", "trtllm_mla"},
      {"tp", 8}},
     8,
     2993152},
    {"deepseek-ai--DeepSeek-V4-Flash",
     "0.5.11",
     93.58,
     57.01,
     {{"mem-fraction-static", 0.6}, {"tp", 8}, {"disable-radix-cache", true}},
     8,
     1317632},
    {"ibm-granite--granite-4.0-h-micro",
     "0.5.8",
     15.24,
     9.26,
     {{"mem-fraction-static", 0.772}},
     1,
     399740},
    {"Qwen--Qwen3.5-27B",
     "0.5.18",
     78.48,
     50.01,
     {{"mem-fraction-static", 0.85}, {"max-running-requests", 32}},
     1,
     330323},
    {"Qwen--Qwen3.5-27B",
     "0.5.17",
     279.24,
     264.75,
     {{"mem-fraction-static", 0.85}, {"tp", 2}},
     2,
     3228418,
     "mi355x"},
    {"google--gemma-4-26B-A4B-text",
     "0.5.17",
     111.65,
     61.91,
     {{"mem-fraction-static", 0.55}, {"page-size", 256}},
     1,
     67584},
};

std::uint64_t in_bytes(double gib) { return static_cast<std::uint64_t>(gib * kGiB); }

Json report_of(const Measured& start) {
  const std::uint64_t before = in_bytes(start.before_gib);
  Json gpu = {{"free_bytes", before}, {"count", start.count}};
  if (*start.gpu == '\0') {
    gpu["total_bytes"] = before;
  } else {
    gpu["id"] = start.gpu;
  }
  return tests::evaluate(
      {{"model", {{"config", tests::config_fixture(start.fixture)}}},
       {"gpu", gpu},
       {"engine", {{"name", "sglang"}, {"version", start.version}, {"args", start.args}}},
       {"measured",
        {{"weights_bytes", before - in_bytes(start.after_gib)}, {"non_torch_bytes", 0}}}});
}

}  // namespace

TEST_CASE("from the printed free memory the tokens of measured starts follow within 0.5 percent") {
  for (const Measured& start : kStarts) {
    const Json report = report_of(start);
    INFO(start.fixture << " " << report.dump().substr(0, 200));
    REQUIRE(report.contains("cache"));
    const Json& tokens = report["cache"]["tokens"];
    CHECK(tokens["best"].get<double>() == Approx(static_cast<double>(start.tokens)).epsilon(0.005));
    CHECK(tokens["low"] <= start.tokens);
    CHECK(tokens["high"] >= start.tokens);
  }
}

TEST_CASE("the states of measured starts are as many as printed") {
  const auto slots = [](const Measured& start) {
    return tests::pool_named(report_of(start), "recurrent state")["slots"];
  };
  CHECK(slots(kStarts[8]) == 38);
  // 0.16 GiB less than printed was left there; without it they are 125.
  CHECK(slots(kStarts[9]) >= 124);
  CHECK(slots(kStarts[9]) <= 125);
}
