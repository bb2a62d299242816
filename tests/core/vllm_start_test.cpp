// Starts of vLLM 0.28.0 that were measured on an A100-80GB (79.25 GiB as the engine saw it), served
// with --dtype float16 --gpu-memory-utilization 0.90 --max-model-len 8192 and defaults otherwise.
#include "evaluated.hpp"

namespace {

using tests::Json;
using tests::kGiB;

struct Start {
  const char* fixture;
  std::uint64_t bytes_per_token;
  double kv_pool_gib;
};

constexpr Start kStarts[] = {
    {"meta-llama--Meta-Llama-3-8B", 131072, 55.11},
    {"deepseek-ai--DeepSeek-V2-Lite", 31104, 40.79},
    {"deepseek-ai--DeepSeek-R1-Distill-Qwen-14B", 196608, 41.96},
    {"casperhansen--llama-3-70b-instruct-awq", 327680, 31.96},
};

Json start(const std::string& fixture, std::uint64_t context) {
  return tests::evaluate(
      {{"model", {{"id", fixture}, {"config", tests::config_fixture(fixture)}}},
       {"gpu", {{"id", "a100-sxm-80gb"}, {"count", 1}}},
       {"engine",
        {{"name", "vllm"},
         {"version", "0.28.0"},
         {"args",
          {{"gpu-memory-utilization", 0.9}, {"dtype", "float16"}, {"max-model-len", context}}}}},
       {"workload", {{"context", context}}}});
}

}  // namespace

TEST_CASE("the KV pool of measured A100 starts is met within 3 percent and lies in the range") {
  for (const Start& measured : kStarts) {
    CAPTURE(measured.fixture);
    const Json report = start(measured.fixture, 8192);
    REQUIRE(report.contains("memory"));
    CHECK(report["verdict"]["serves"] == true);
    CHECK(report["cache"]["bytes_per_token"] == measured.bytes_per_token);
    const Json& pool = report["memory"]["per_gpu"]["kv_pool"];
    const double best = pool["best"].get<double>() / kGiB;
    CHECK(best == Approx(measured.kv_pool_gib).epsilon(0.03));
    CHECK(pool["low"].get<double>() / kGiB <= measured.kv_pool_gib);
    CHECK(pool["high"].get<double>() / kGiB >= measured.kv_pool_gib);
    // A range that holds everything says nothing: a tenth of the pool is the most it may span.
    CHECK((pool["high"].get<double>() - pool["low"].get<double>()) / kGiB <
          0.1 * measured.kv_pool_gib);
  }
}

TEST_CASE("the 70B AWQ checkpoint loads 37.06 GiB, within half a percent") {
  const Json report = start("casperhansen--llama-3-70b-instruct-awq", 8192);
  const double weights = report["memory"]["per_gpu"]["weights"]["best"].get<double>() / kGiB;
  CHECK(weights == Approx(37.06).epsilon(0.005));
}

TEST_CASE("16-bit weights are parameters x 2 and the rope table") {
  // 8,030,261,248 x 2 = 16,060,522,496; the table is 8,192 x 128 x 2 = 2,097,152.
  const Json llama = start("meta-llama--Meta-Llama-3-8B", 8192);
  CHECK(llama["memory"]["per_gpu"]["weights"]["best"] == 16060522496ULL + 2097152ULL);
  CHECK(llama["memory"]["per_gpu"]["weights"]["basis"] == "exact");
}

TEST_CASE("whole requests at 8,192 and 81,920 tokens are those the pools hold") {
  const auto requests = [](const char* fixture, std::uint64_t context) {
    return start(fixture, context)["capacity"]["max_requests"];
  };
  const Json llama = requests("meta-llama--Meta-Llama-3-8B", 8192);
  CHECK(llama["best"] >= 53);
  CHECK(llama["best"] <= 56);
  const Json lite = requests("deepseek-ai--DeepSeek-V2-Lite", 8192);
  CHECK(lite["best"] >= 167);
  CHECK(lite["best"] <= 177);
  const Json lite_long = requests("deepseek-ai--DeepSeek-V2-Lite", 81920);
  CHECK(lite_long["best"] >= 16);
  CHECK(lite_long["best"] <= 17);
  const Json distilled = requests("deepseek-ai--DeepSeek-R1-Distill-Qwen-14B", 8192);
  CHECK(distilled["best"] >= 27);
  CHECK(distilled["best"] <= 28);
}

TEST_CASE("the concurrency that vLLM prints for the 70B AWQ start is 12.8, within 3 percent") {
  const Json report = start("casperhansen--llama-3-70b-instruct-awq", 8192);
  CHECK(report["capacity"]["max_concurrency"]["best"].get<double>() == Approx(12.8).epsilon(0.03));
}

TEST_CASE("a latent model read as grouped-query attention is shown as the naive answer") {
  const Json report = start("deepseek-ai--DeepSeek-V2-Lite", 8192);
  const Json& naive = report["naive"];
  // 2 x 16 heads x 128 x 27 layers x 2 bytes; with the query's 192 a head 331,776.
  CHECK(naive["bytes_per_token"] == 221184);
  const std::string why = naive["why"];
  CHECK(why.find("221,184") != std::string::npos);
  CHECK(why.find("331,776") != std::string::npos);
  CHECK(why.find("7.111 times too much") != std::string::npos);
  CHECK(naive["max_requests"] >= 16);
  CHECK(naive["max_requests"] <= 24);
}

TEST_CASE("a model that does not fit says which term is in the way and what would help") {
  const Json report = tests::evaluate(
      {{"model", {{"config", tests::config_fixture("meta-llama--Meta-Llama-3-70B")}}},
       {"gpu", {{"id", "a100-sxm-80gb"}, {"count", 1}}},
       {"engine", {{"name", "vllm"}, {"version", "0.28.0"}}},
       {"workload", {{"context", 8192}}}});
  CHECK(report["verdict"]["serves"] == false);
  CHECK(report["verdict"]["limit"] == "weights");
  // 70,553,706,496 x 2 bytes are 131.4 GiB.
  CHECK(report["verdict"]["needed_bytes"].get<double>() / kGiB > 131.0);
  CHECK(report["memory"]["per_gpu"]["kv_pool"]["best"] == 0);
  CHECK(report["capacity"]["max_requests"]["best"] == 0);
  CHECK(report["speed"].is_null());
  CHECK(tests::advises(report, "--tensor-parallel-size"));
}

TEST_CASE("a request longer than the maximum length is refused for its context") {
  const Json report = tests::evaluate(
      {{"model", {{"config", tests::config_fixture("meta-llama--Meta-Llama-3-8B")}}},
       {"gpu", {{"id", "a100-sxm-80gb"}}},
       {"engine", {{"args", {{"max-model-len", 4096}}}}},
       {"workload", {{"context", 8192}}}});
  CHECK(report["verdict"]["serves"] == false);
  CHECK(report["verdict"]["limit"] == "context");
  CHECK(report["capacity"]["max_requests"]["best"] == 0);
}

TEST_CASE("too little free memory is refused before anything is loaded") {
  const Json report = tests::evaluate(
      {{"model", {{"config", tests::config_fixture("meta-llama--Meta-Llama-3-8B")}}},
       {"gpu", {{"id", "a100-sxm-80gb"}, {"free_bytes", 60ULL << 30U}}},
       {"engine", {{"version", "0.28.0"}, {"args", {{"gpu-memory-utilization", 0.9}}}}},
       {"workload", {{"context", 8192}}}});
  CHECK(report["verdict"]["limit"] == "free_memory");
  CHECK(report["verdict"]["available_bytes"] == 60ULL << 30U);
}

TEST_CASE("a second start finds the compile cache and leaves more, which the range holds") {
  // Qwen3-14B-AWQ on an L4, vLLM 0.28.0 defaults: 9.10 GiB on one start, 10.33 GiB on another.
  Json config = tests::config_fixture("Qwen--Qwen3-8B");
  config["hidden_size"] = 5120;
  config["intermediate_size"] = 17408;
  config["num_hidden_layers"] = 40;
  config["num_attention_heads"] = 40;
  config["quantization_config"] = {
      {"quant_method", "awq"}, {"bits", 4}, {"group_size", 128}, {"zero_point", true}};
  const Json report = tests::evaluate({{"model", {{"config", config}}},
                                       {"gpu", {{"id", "l4"}}},
                                       {"engine", {{"version", "0.28.0"}}},
                                       {"workload", {{"context", 40960}}}});
  const Json& pool = report["memory"]["per_gpu"]["kv_pool"];
  CHECK(pool["best"].get<double>() / kGiB == Approx(9.10).epsilon(0.03));
  CHECK(pool["high"].get<double>() / kGiB >= 10.33);
}

TEST_CASE("figures from a log replace the predicted terms") {
  const Json report = tests::evaluate(
      {{"model", {{"config", tests::config_fixture("meta-llama--Meta-Llama-3-8B")}}},
       {"gpu", {{"id", "a100-sxm-80gb"}}},
       {"engine", {{"version", "0.28.0"}}},
       {"workload", {{"context", 8192}}},
       {"measured",
        {{"weights_bytes", 16062619648ULL},
         {"activation_bytes", 1ULL << 30U},
         {"non_torch_bytes", 1ULL << 28U}}}});
  const Json& gpu = report["memory"]["per_gpu"];
  CHECK(gpu["activation"]["best"] == 1ULL << 30U);
  CHECK(gpu["activation"]["basis"] == "measured");
  CHECK(gpu["kv_pool"]["best"].get<std::uint64_t>() ==
        gpu["requested"].get<std::uint64_t>() - 16062619648ULL - (1ULL << 30U) - (1ULL << 28U));
}

TEST_CASE("the KV format is an axis of its own") {
  const auto bytes = [](const char* format) {
    const Json report = tests::evaluate(
        {{"model", {{"config", tests::config_fixture("meta-llama--Meta-Llama-3-8B")}}},
         {"gpu", {{"id", "h100-sxm-80gb"}}},
         {"engine", {{"version", "0.28.0"}, {"args", {{"kv-cache-dtype", format}}}}},
         {"workload", {{"context", 8192}}}});
    return report["cache"]["bytes_per_token"].get<std::uint64_t>();
  };
  CHECK(bytes("auto") == 131072);
  CHECK(bytes("fp8") == 65536);
  CHECK(bytes("nvfp4") == 36864);  // 144 bytes a head and token of 128 x 8 heads x 32 layers
}

TEST_CASE("every number of the answer is explained with its formula and source") {
  const Json report = start("deepseek-ai--DeepSeek-V2-Lite", 8192);
  std::string terms;
  for (const Json& step : report["explain"]) {
    CHECK_FALSE(step["formula"].get<std::string>().empty());
    CHECK_FALSE(step["with_numbers"].get<std::string>().empty());
    CHECK_FALSE(step["source"].get<std::string>().empty());
    terms += " " + step["term"].get<std::string>() + " ";
  }
  for (const char* term :
       {"requested", "weights", "activation", "non_torch", "cuda_graphs", "kv_pool",
        "bytes_per_token", "blocks", "tokens", "max_concurrency", "max_requests", "ttft", "tpot"}) {
    CAPTURE(term);
    CHECK(terms.find(" " + std::string(term) + " ") != std::string::npos);
  }
}
