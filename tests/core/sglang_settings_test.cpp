// How SGLang's flags, versions and bad input are taken (sglang_given.hpp).
#include <map>

#include "sglang_given.hpp"

using tests::answer_to;
using tests::assumes;
using tests::Json;
using tests::kGiB;
using tests::kGiBBytes;
using tests::outcome_of;
using tests::request_of;

namespace {

std::string with_args(const Json& args) {
  return outcome_of(request_of({"Qwen--Qwen3-8B", "0.5.17", args}));
}

std::string with_version(const std::string& version) {
  return outcome_of(request_of({"Qwen--Qwen3-8B", version}));
}

}  // namespace

TEST_CASE("an SGLang version is read, or refused with its path") {
  for (const char* good : {"0.4.0", "v0.4.10", "0.5.17", "0.5.9.post1", "0.4", "0.5.3rc1"}) {
    INFO(good);
    CHECK(with_version(good) == "none");
  }
  CHECK(with_version("0.3.6") == "version_too_old at engine.version");
  CHECK(with_version("0.4.11") == "bad_version at engine.version");
  CHECK(with_version("latest") == "bad_version at engine.version");
  CHECK(with_version("0.5.17; rm") == "bad_version at engine.version");
}

TEST_CASE("newer and development builds take the nearest rules, assumed") {
  for (const char* version : {"0.5.18", "0.6.0", "1.0.0", "0.0.0.dev1+g5f55db35e"}) {
    const Json report = answer_to({"Qwen--Qwen3-8B", version});
    INFO(version);
    CHECK(report["cache"]["tokens"]["basis"] == "assumed");
    CHECK(assumes(report, "0.5.17"));
  }
  const Json newest = answer_to({"Qwen--Qwen3-8B", ""});
  CHECK(newest["engine"]["version"] == "0.5.17");
  CHECK(assumes(newest, "newest covered"));
}

TEST_CASE("SGLang's flags in every spelling; unknown ones with near names") {
  for (const char* name : {"tp", "tp-size", "tp_size", "tensor-parallel-size"}) {
    CHECK(outcome_of(request_of({"Qwen--Qwen3-8B", "0.5.17", {{name, 2}}, 2})) == "none");
  }
  CHECK(with_args({{"tp", 1}, {"tp-size", 1}}) == "bad_flag at engine.args.tp-size");
  CHECK(with_args({{"gpu-memory-utilization", 0.9}}) ==
        "unknown_flag at engine.args.gpu-memory-utilization");
  const Json near =
      tests::evaluate(request_of({"Qwen--Qwen3-8B", "0.5.17", {{"mem-fraction-statc", 0.9}}}));
  CHECK(near["error"]["message"].get<std::string>().find("mem-fraction-static") !=
        std::string::npos);
  CHECK(with_args({{"enable-metrics", true}, {"host", "0.0.0.0"}, {"port", 30000}}) == "none");
}

TEST_CASE("flags that change memory in ways not computed are refused, off they are not") {
  CHECK(with_args({{"cpu-offload-gb", 8}}) == "unmodelled_flag at engine.args.cpu-offload-gb");
  CHECK(with_args({{"cpu-offload-gb", 0}}) == "none");
  CHECK(with_args({{"enable-lora", true}}) == "unmodelled_flag at engine.args.enable-lora");
  CHECK(with_args({{"enable-lora", false}}) == "none");
  CHECK(with_args({{"dcp-size", 8}}) == "unmodelled_flag at engine.args.dcp-size");
}

TEST_CASE("sizing after the graphs and other variables are said not to be computed") {
  Json request = request_of({"Qwen--Qwen3-8B"});
  request["engine"]["env"] = {{"SGLANG_ENABLE_POST_CAPTURE_KV_SIZING", "1"}};
  CHECK(outcome_of(request) == "unmodelled_env at engine.env.SGLANG_ENABLE_POST_CAPTURE_KV_SIZING");
  request["engine"]["env"] = {{"SGLANG_ENABLE_POST_CAPTURE_KV_SIZING", "0"}};
  CHECK(outcome_of(request) == "none");
  request["engine"]["env"] = {{"SGLANG_LOGGING", "1"}};
  CHECK(assumes(tests::evaluate(request), "SGLANG_LOGGING"));
}

TEST_CASE("values out of range are refused by flag") {
  const auto bad = [](const char* flag, const Json& value) {
    INFO(flag << " " << value);
    CHECK(with_args({{flag, value}}) == std::string("bad_flag at engine.args.") + flag);
  };
  for (const Json& value : {Json(0), Json(1.5), Json(-0.5), Json("much"), Json(true)}) {
    bad("mem-fraction-static", value);
  }
  for (const Json& value : {Json(0), Json(-3), Json(1.5), Json("4 x"), Json(1e300)}) {
    bad("max-running-requests", value);
    bad("page-size", value);
    bad("context-length", value);
    bad("max-total-tokens", value);
  }
  for (const Json& value : {Json(0), Json(2.5), Json("x"), Json(1e300)}) {
    bad("chunked-prefill-size", value);
  }
  bad("swa-full-tokens-ratio", 0);
  bad("mamba-full-memory-ratio", -1);
  bad("cuda-graph-bs", "1 two");
  bad("kv-cache-dtype", "int8");
  bad("speculative-algorithm", "MEDUSA");
  bad("quantization", "awq");
}

TEST_CASE("chunking is switched off by -1") {
  const Json report = answer_to({"Qwen--Qwen3-8B", "0.5.17", {{"chunked-prefill-size", -1}}});
  CHECK(report["engine"]["max_num_batched_tokens"] == 16384);
}

TEST_CASE("cards are tensor x pipeline x data parallel, but groups of attention lie within") {
  const auto cards = [](const Json& args, std::uint64_t count) {
    return outcome_of(request_of({"Qwen--Qwen3-8B", "0.5.17", args, count}));
  };
  CHECK(cards({{"tp", 2}, {"dp", 2}}, 4) == "none");
  CHECK(cards({{"tp", 2}, {"dp", 2}}, 2) == "bad_parallelism at gpu.count");
  CHECK(cards({{"tp", 4}, {"dp", 2}, {"enable-dp-attention", true}}, 4) == "none");
  CHECK(cards({{"tp", 4}, {"dp", 3}, {"enable-dp-attention", true}}, 4) ==
        "bad_parallelism at engine.args.data-parallel-size");
  CHECK(cards({{"tp", 3}}, 3) == "bad_parallelism at engine.args.tensor-parallel-size");
  CHECK(cards({{"pp", 37}}, 37) == "bad_parallelism at engine.args.pipeline-parallel-size");
  CHECK(cards(Json::object(), 5) == "bad_parallelism at gpu.count");
  CHECK(assumes(answer_to({"Qwen--Qwen3-8B", "0.5.17", Json::object(), 2}), "--tp-size 2"));
}

TEST_CASE("weights that leave nothing are refused with the least fraction that would do") {
  // DeepSeek-V4-Pro on H200: 12.25 of 137.9 GiB are free after loading: 1 - 12.25 / 137.9 = 0.911
  Json request = request_of({"Qwen--Qwen3-8B", "0.5.17", {{"mem-fraction-static", 0.88}}});
  const auto free = static_cast<std::uint64_t>(137.9 * kGiB);
  request["gpu"] = {{"id", "h200-sxm-141gb"}, {"free_bytes", free}};
  request["measured"]["weights_bytes"] = free - static_cast<std::uint64_t>(12.25 * kGiB);
  Json report = tests::evaluate(request);
  CHECK(report["verdict"]["limit"] == "kv_pool");
  CHECK(report["verdict"]["text"].get<std::string>().find("0.911") != std::string::npos);
  CHECK(report["memory"]["per_gpu"]["kv_pool"]["best"] == 0);
  CHECK(report["capacity"]["max_requests"]["best"] == 0);
  CHECK(report["verdict"]["needed_bytes"] > report["verdict"]["available_bytes"]);
  request["engine"]["version"] = "0.5.9";
  report = tests::evaluate(request);
  CHECK(report["verdict"]["text"].get<std::string>().find(
            "Not enough memory. Please try to increase --mem-fraction-static") == 0);
}

TEST_CASE("advice changes a flag whichever way it was spelt") {
  Json request = request_of({"meta-llama--Meta-Llama-3-70B", "0.5.17", {{"tp", 1}}, 1});
  request["gpu"] = {{"id", "h100-sxm-80gb"}, {"count", 1}};
  request["measured"] = Json::object();
  const Json report = tests::evaluate(request);
  CHECK(report["verdict"]["limit"] == "weights");
  CHECK(tests::advises(report, "--tensor-parallel-size"));
}

TEST_CASE("weights beyond the card do not load") {
  Json request = request_of({"Qwen--Qwen3-8B"});
  request["gpu"] = {{"total_bytes", 12 * kGiBBytes}};
  request["measured"] = Json::object();
  CHECK(outcome_of(request) == "weights");
}

TEST_CASE("a slack that cannot hold the request table and the graphs is refused") {
  const Json args = {{"mem-fraction-static", 0.995}};
  // 0.5 GiB are left; 4,097 x (40,960 + 4) x 4 bytes are 0.63 GiB.
  CHECK(with_args(args) == "free_memory");
  const Json report = answer_to({"Qwen--Qwen3-8B", "0.5.17", {{"mem-fraction-static", 0.98}}});
  CHECK(report["verdict"]["limit"] == "none");
  CHECK(assumes(report, "may be too small"));
  CHECK_FALSE(assumes(answer_to({"Qwen--Qwen3-8B"}), "may be too small"));
}

TEST_CASE("a length above the model's is refused unless a variable allows it") {
  Json request = request_of({"Qwen--Qwen3-8B", "0.5.17", {{"context-length", 65536}}});
  CHECK(outcome_of(request) == "context");
  request["engine"]["env"] = {{"SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN", "1"}};
  CHECK(outcome_of(request) == "none");
  CHECK(outcome_of(request_of(
            {"Qwen--Qwen3-8B", "0.5.17", {{"context-length", 4096}}, 1, {{"context", 8192}}})) ==
        "context");
}

TEST_CASE("the aiter backend takes 0.85 of a given fraction too, above 8,192 tokens") {
  Json request = request_of({"Qwen--Qwen3-8B", "0.5.17", {{"mem-fraction-static", 0.6}}});
  request["gpu"] = {{"id", "mi355x"}, {"free_bytes", 200 * kGiBBytes}};
  const auto claim = [](const Json& from) {
    return tests::evaluate(from)["memory"]["per_gpu"]["requested"].get<double>() / kGiB;
  };
  CHECK(claim(request) == Approx(102.0));
  request["engine"]["args"]["context-length"] = 8192;
  CHECK(claim(request) == Approx(120.0));
  request["engine"]["args"]["context-length"] = 16384;
  request["engine"]["args"]["attention-backend"] = "triton";
  CHECK(claim(request) == Approx(120.0));
}

TEST_CASE("measured starts of dense models from config, card and version alone") {
  struct Row {
    const char* fixture;
    const char* gpu;
    const char* version;
    std::uint64_t tokens;
  };
  // A main-branch start of May 2026 on a 288 GB Blackwell with the model's name as its only flag.
  for (const Row& row : {Row{"Qwen--Qwen3-8B", "gb300-nvl72", "0.5.12", 1707904}}) {
    const Json report =
        tests::evaluate({{"model", {{"config", tests::config_fixture(row.fixture)}}},
                         {"gpu", {{"id", row.gpu}}},
                         {"engine", {{"name", "sglang"}, {"version", row.version}}}});
    const Json& tokens = report["cache"]["tokens"];
    CHECK(tokens["best"].get<double>() == Approx(static_cast<double>(row.tokens)).epsilon(0.005));
    CHECK(tokens["low"] <= row.tokens);
    CHECK(tokens["high"] >= row.tokens);
    CHECK(report["engine"]["max_num_batched_tokens"] == 16384);
    CHECK(report["cache"]["block_tokens"] == 64);
    CHECK(assumes(report, "0.906"));
  }
}

TEST_CASE("every step has a formula, numbers and a source, and ends in the figure reported") {
  const Json report = answer_to({"Qwen--Qwen3-Next-80B-A3B-Instruct"});
  std::map<std::string, Json> steps;
  for (const Json& step : report["explain"]) {
    INFO(step.dump());
    CHECK_FALSE(step["formula"].get<std::string>().empty());
    CHECK_FALSE(step["with_numbers"].get<std::string>().empty());
    CHECK_FALSE(step["source"].get<std::string>().empty());
    steps[step["term"]] = step["value"];
  }
  CHECK(steps["tokens"] == report["cache"]["tokens"]["best"]);
  CHECK(steps["weights"] == report["memory"]["per_gpu"]["weights"]["best"]);
  CHECK(steps["kv_pool"] == report["memory"]["per_gpu"]["kv_pool"]["best"]);
  CHECK(steps["mem_fraction_static"] == 0.75);
  CHECK(steps["pre_model_load_memory"] == 100 * kGiBBytes);
}

TEST_CASE("hostile sizes end in an answer or an error, never in nonsense") {
  for (const Json& args :
       {Json{{"max-mamba-cache-size", 1048576}}, Json{{"max-running-requests", 1048576}},
        Json{{"context-length", 4294967296}}, Json{{"page-size", 65536}},
        Json{{"mamba-full-memory-ratio", 1000}}, Json{{"mamba-full-memory-ratio", 0.001}},
        Json{{"cuda-graph-max-bs", 1048576}}, Json{{"max-total-tokens", 1}},
        Json{{"swa-full-tokens-ratio", 0.0001}},
        Json{{"speculative-algorithm", "NGRAM"}, {"speculative-num-draft-tokens", 4096}}}) {
    for (const char* fixture : {"Qwen--Qwen3-Next-80B-A3B-Instruct", "openai--gpt-oss-20b",
                                "deepseek-ai--DeepSeek-V4-Flash"}) {
      const Json report = tests::evaluate(request_of({fixture, "0.5.17", args}));
      INFO(fixture << " " << args << " " << report.dump().substr(0, 300));
      if (!report.contains("error")) {
        CHECK(report["memory"]["per_gpu"]["kv_pool"]["best"].get<double>() < 101 * kGiB);
        CHECK(report["cache"]["tokens"]["low"] <= report["cache"]["tokens"]["best"]);
        CHECK(report["cache"]["tokens"]["best"] <= report["cache"]["tokens"]["high"]);
      }
    }
  }
}
