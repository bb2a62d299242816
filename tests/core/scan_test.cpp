#include "plan/scan.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "api/api.hpp"
#include "api/change.hpp"
#include "api/request.hpp"
#include "fixtures.hpp"

using fixtures::Json;
namespace plan = ridgepoint::plan;

namespace {

Json scan(const Json& request, const Json& axes) {
  Json query{{"id", "s"}, {"request", request}};
  if (!axes.is_null()) {
    query["axes"] = axes;
  }
  return Json::parse(ridgepoint::api::scan(query.dump()));
}

Json scanned(const Json& request, const Json& axes) {
  Json answer = scan(request, axes);
  INFO(answer.dump().substr(0, 400));
  REQUIRE_FALSE(answer.contains("error"));
  return answer;
}

Json axis(const char* name) { return Json::array({{{"name", name}}}); }

Json axis(const char* name, const Json& values) {
  return Json::array({{{"name", name}, {"values", values}}});
}

/// The request that a cell leads to, as a page would put it together.
Json opened(const Json& request, const Json& change) {
  Json made = request;
  Json& args = made["engine"]["args"];
  if (!args.is_object()) {
    args = Json::object();
  }
  const Json unset = change.value("unset", Json::array());
  const Json set = change.value("set", Json::object());
  const Json gpu = change.value("gpu", Json::object());
  for (const Json& flag : unset) {
    args.erase(flag.get<std::string>());
  }
  for (const auto& flag : set.items()) {
    args[flag.key()] = flag.value();
  }
  for (const auto& entry : gpu.items()) {
    made["gpu"][entry.key()] = entry.value();
  }
  const Json workload = change.value("workload", Json::object());
  for (const auto& entry : workload.items()) {
    made["workload"][entry.key()] = entry.value();
  }
  if (workload.contains("context")) {
    made["workload"].erase("prompt");
    made["workload"].erase("output");
  }
  if (change.contains("quant_config")) {
    made["model"]["quant_config"] = change.at("quant_config");
    made["model"].erase("weight_bytes");
    made["model"].erase("tensors");
  }
  return made;
}

/// Every cell says what the whole answer to its request says; how many cells were errors.
int check_cells(const Json& request, const Json& axes) {
  const Json answer = scanned(request, axes);
  int errors = 0;
  for (const Json& cell : answer.at("cells")) {
    const Json report = fixtures::answer(opened(request, cell.at("change")));
    INFO("at " << cell.at("at").dump() << " " << cell.at("change").dump().substr(0, 300));
    if (cell.contains("error")) {
      ++errors;
      REQUIRE(report.contains("error"));
      CHECK(cell.at("error").dump() == report.at("error").dump());
      continue;
    }
    REQUIRE_FALSE(report.contains("error"));
    const Json& per_gpu = report.at("memory").at("per_gpu");
    const Json& capacity = report.at("capacity");
    const std::vector<std::pair<const char*, Json>> same{
        {"serves", report.at("verdict").at("serves")},
        {"limit", report.at("verdict").at("limit")},
        {"max_requests", capacity.at("max_requests")},
        {"max_context", capacity.at("max_context")},
        {"tokens", report.at("cache").at("tokens")},
        {"kv_pool", per_gpu.at("kv_pool")},
        {"naive_requests", report.at("naive").at("max_requests")},
        {"speed", report.at("speed")},
    };
    for (const auto& [name, value] : same) {
      INFO(name);
      CHECK(cell.at(name).dump() == value.dump());
    }
    CHECK_FALSE(cell.at("limiting_term").get<std::string>().empty());
  }
  return errors;
}

Json request_of(const char* fixture, const char* gpu, const char* engine, Json args) {
  return {{"model", {{"config", fixtures::config(fixture)}}},
          {"gpu", {{"id", gpu}}},
          {"engine", {{"name", engine}, {"args", std::move(args)}}},
          {"workload", {{"context", 4096}}}};
}

}  // namespace

TEST_CASE("a row that was measured: Llama-3-8B on an A100 by vLLM", "[scan]") {
  // The engine printed "Available KV cache memory: 55.11 GiB"; 131,072 bytes a token make
  // 55 requests of 8,192 tokens (1 GiB each), 110 of 4,096, 220 of 2,048.
  Json request = fixtures::request();
  request["engine"]["args"]["gpu-memory-utilization"] = 0.9;
  const Json answer = scanned(request, axis("context", {2048, 4096, 8192}));
  const std::vector<int> requests{220, 110, 55};
  for (std::size_t i = 0; i < 3; ++i) {
    const Json& cell = answer.at("cells").at(i);
    CHECK(cell.at("max_requests").at("best") == requests[i]);
    const double pool = cell.at("kv_pool").at("best").get<double>() / 1073741824.0;
    CHECK(pool == Approx(55.11).margin(0.05));
    CHECK(cell.at("limiting_term") == "KV pool");
    CHECK(cell.at("change").at("workload").at("context") == (2048 << i));
  }
}

TEST_CASE("each axis has its usual values and the request's own", "[scan]") {
  Json request = fixtures::request();
  request["workload"] = {{"context", 3000}, {"concurrency", 48}};
  const auto values = [&](const char* name) {
    return scanned(request, axis(name)).at("axes").at(0).at("values");
  };
  CHECK(scanned(request, nullptr).at("axes").at(0).at("values") ==
        Json({1024, 2048, 3000, 4096, 8192}));
  CHECK(scanned(request, nullptr).at("axes").at(0).at("asked") == 2);
  CHECK(scanned(request, Json::array()).at("axes").at(0).at("name") == "context");
  CHECK(values("concurrency").dump() ==
        Json({1, 2, 4, 8, 16, 32, 48, 64, 128, 256, 512, 1024}).dump());
  CHECK(values("count").dump() == Json({1, 2, 4, 8}).dump());
  CHECK(values("batched_tokens").front() == 512);
  CHECK(values("batched_tokens").back() == 32768);
  CHECK(values("utilization").front() == 0.8);
  CHECK(values("utilization").back() == 0.98);
  CHECK(values("weight_format").front() == "checkpoint");
  CHECK(values("kv_format").front() == "auto");
}

TEST_CASE("cells are what the whole answer says, on every axis and engine", "[scan]") {
  const std::vector<Json> setups{
      request_of("meta-llama--Meta-Llama-3-8B", "a100-sxm-80gb", "vllm",
                 {{"max-model-len", 8192}, {"gpu-memory-utilization", 0.9}}),
      request_of("google--gemma-3-27b-it", "h100-sxm-80gb", "vllm", Json::object()),
      request_of("Qwen--Qwen3-32B", "rtx-4090", "vllm", {{"max-num-seqs", 64}}),
      request_of("Qwen--Qwen3-30B-A3B", "h100-sxm-80gb", "sglang", {{"context-length", 16384}}),
      request_of("nvidia--NVIDIA-Nemotron-Nano-9B-v2", "a100-sxm-80gb", "sglang", Json::object()),
      request_of("meta-llama--Meta-Llama-3-8B", "h100-sxm-80gb", "trtllm", {{"max-seq-len", 8192}}),
      request_of("meta-llama--Meta-Llama-3-8B", "rtx-4090", "llamacpp",
                 {{"ctx-size", 16384}, {"parallel", 4}, {"model", "m-Q4_K_M.gguf"}}),
      request_of("Qwen--Qwen2.5-7B", "rtx-4090", "llamacpp", Json::object()),
  };
  for (const Json& request : setups) {
    INFO(request["engine"].dump());
    check_cells(request, nullptr);
    for (const char* name :
         {"concurrency", "count", "weight_format", "kv_format", "batched_tokens"}) {
      INFO(name);
      check_cells(request, axis(name));
    }
    if (request["engine"]["name"] != "llamacpp") {
      check_cells(request, axis("utilization"));
    }
  }
}

TEST_CASE("two axes make a grid, the last running fastest", "[scan]") {
  const Json request = fixtures::request();
  const Json axes =
      Json::array({{{"name", "context"}, {"values", {2048, 8192}}}, {{"name", "kv_format"}}});
  const Json answer = scanned(request, axes);
  const std::size_t formats = answer.at("axes").at(1).at("values").size();
  REQUIRE(answer.at("cells").size() == 2 * formats);
  CHECK(answer.at("cells").at(0).at("at").dump() == Json({0, 0}).dump());
  CHECK(answer.at("cells").at(formats).at("at").dump() == Json({1, 0}).dump());
  check_cells(request, axes);
  check_cells(request, Json::array({{{"name", "utilization"}, {"values", {0.85, 0.95}}},
                                    {{"name", "batched_tokens"}, {"values", {2048, 16384}}}}));
}

TEST_CASE("a length flag moves with the context", "[scan]") {
  Json request = fixtures::request();
  request["engine"]["args"]["max-model-len"] = 2048;
  const Json answer = scanned(request, axis("context", {1024, 8192, 16384}));
  CHECK(answer.at("cells").at(1).at("serves") == true);
  CHECK(answer.at("cells").at(1).at("change").at("set").at("max-model-len") == 8192);
  // Llama-3-8B's own length is 8,192: the engine refuses more, and says so.
  CHECK(answer.at("cells").at(2).at("serves") == false);
  CHECK(answer.at("cells").at(2).at("limiting_term") == "context limit (--max-model-len)");
  CHECK(answer.at("notes").at(0) == "--max-model-len moves with the context.");
}

TEST_CASE("llama.cpp's slots keep their number when the context moves", "[scan]") {
  const Json request = request_of("meta-llama--Meta-Llama-3-8B", "a100-sxm-80gb", "llamacpp",
                                  {{"ctx-size", 8192}, {"parallel", 4}});
  for (const Json& cell : scanned(request, axis("context", {1024, 4096})).at("cells")) {
    CHECK(cell.at("serves") == true);
    CHECK(cell.at("max_requests").at("best") == 4);
    CHECK(cell.at("change").at("unset").dump() == Json::array({"ctx-size"}).dump());
    CHECK(cell.at("limiting_term") == "sequence cap (--parallel)");
  }
}

TEST_CASE("concurrency says whether all are served at once", "[scan]") {
  Json request = fixtures::request();
  request["engine"]["args"]["gpu-memory-utilization"] = 0.9;  // 55 requests of 8,192 tokens
  const Json answer = scanned(request, axis("concurrency", {1, 55, 56}));
  CHECK(answer.at("cells").at(0).at("enough") == true);
  CHECK(answer.at("cells").at(1).at("enough") == true);
  CHECK(answer.at("cells").at(2).at("enough") == false);
  CHECK(answer.at("cells").at(2).at("serves") == true);
  const auto tpot = [&](std::size_t i) {
    return answer.at("cells").at(i).at("speed").at("tpot_s").at("best").get<double>();
  };
  CHECK(tpot(2) > tpot(0));
  CHECK(scanned(request, axis("context", {1024})).at("cells").at(0).at("enough").is_null());
}

TEST_CASE("cards that heads do not divide by are an error in their cell", "[scan]") {
  // Qwen2.5-0.5B has 14 heads: two cards divide them, four and eight do not.
  const Json request = request_of("Qwen--Qwen2.5-0.5B", "a100-sxm-80gb", "vllm", Json::object());
  const Json answer = scanned(request, axis("count"));
  CHECK_FALSE(answer.at("cells").at(1).contains("error"));
  REQUIRE(answer.at("cells").at(2).contains("error"));
  CHECK(answer.at("cells").at(2).at("error").at("code") == "bad_parallelism");
  CHECK(check_cells(request, axis("count")) == 2);
}

TEST_CASE("all cards work as one group, whatever the request's flags said", "[scan]") {
  Json request = request_of("meta-llama--Meta-Llama-3-8B", "a100-sxm-80gb", "vllm",
                            {{"tensor-parallel-size", 2}, {"data-parallel-size", 2}});
  request["gpu"]["count"] = 4;
  const Json answer = scanned(request, axis("count"));
  CHECK(answer.at("axes").at(0).at("asked") == 2);
  for (const Json& cell : answer.at("cells")) {
    REQUIRE_FALSE(cell.contains("error"));
    CHECK(cell.at("change").at("unset").dump() == Json::array({"data-parallel-size"}).dump());
    CHECK(cell.at("change").at("set").at("tensor-parallel-size") ==
          cell.at("change").at("gpu").at("count").get<int>());
  }
}

TEST_CASE("the limiting term is the one that would have to give way", "[scan]") {
  const auto term = [](const Json& request) {
    return scanned(request, axis("context", {4096}))
        .at("cells")
        .at(0)
        .at("limiting_term")
        .get<std::string>();
  };
  const char* llama = "meta-llama--Meta-Llama-3-8B";
  CHECK(term(request_of(llama, "a100-sxm-80gb", "vllm", {{"max-num-seqs", 8}})) ==
        "sequence cap (--max-num-seqs)");
  CHECK(term(request_of(llama, "a100-sxm-80gb", "vllm", Json::object())) == "KV pool");
  CHECK(term(request_of("Qwen--Qwen3-32B", "rtx-4090", "vllm", Json::object())) == "weights");
  // 16.06 GB of weights are in 0.75 of 24 GB but the rest is not; 0.9 would hold it.
  CHECK(term(request_of(llama, "rtx-4090", "vllm", {{"gpu-memory-utilization", 0.70}})) ==
        "claim (--gpu-memory-utilization)");
  // Hundreds of thousands of tokens a step leave nothing of 40 GB.
  CHECK(term(request_of(llama, "a100-sxm-40gb", "vllm",
                        {{"max-num-batched-tokens", 400000}, {"gpu-memory-utilization", 0.98}})) ==
        "activation (--max-num-batched-tokens)");
  Json taken = request_of(llama, "a100-sxm-80gb", "vllm", Json::object());
  taken["gpu"]["free_bytes"] = 60000000000;
  CHECK(term(taken) == "free memory");
  CHECK(term(request_of("nvidia--NVIDIA-Nemotron-Nano-9B-v2", "a100-sxm-80gb", "sglang",
                        Json::object())) == "pool of recurrent states");
}

TEST_CASE("requests do not rise with the context, nor the pool fall with the share", "[scan]") {
  const std::vector<Json> setups{
      request_of("meta-llama--Meta-Llama-3-8B", "a100-sxm-80gb", "vllm", Json::object()),
      request_of("google--gemma-3-27b-it", "h100-sxm-80gb", "vllm", Json::object()),
      request_of("openai--gpt-oss-20b", "h100-sxm-80gb", "sglang", Json::object()),
      request_of("deepseek-ai--DeepSeek-V2-Lite", "a100-sxm-80gb", "sglang", Json::object()),
      request_of("Qwen--Qwen3-8B", "h100-sxm-80gb", "trtllm", Json::object()),
      request_of("Qwen--Qwen2.5-7B", "rtx-4090", "llamacpp", Json::object()),
  };
  for (const Json& request : setups) {
    INFO(request["engine"].dump());
    std::uint64_t before = ~std::uint64_t{0};
    for (const Json& cell : scanned(request, nullptr).at("cells")) {
      const std::uint64_t requests = cell.at("max_requests").at("best");
      CHECK(requests <= before);
      before = requests;
    }
    if (request["engine"]["name"] == "llamacpp") {
      continue;
    }
    std::uint64_t pool = 0;
    for (const Json& cell : scanned(request, axis("utilization")).at("cells")) {
      CHECK(cell.at("kv_pool").at("best") >= pool);
      pool = cell.at("kv_pool").at("best");
    }
  }
}

TEST_CASE("what is wrong with a scan is told by its path", "[scan]") {
  struct Case {
    Json axes;
    const char* path;
    const char* code;
  };
  const std::vector<Case> cases{
      {axis("lenght"), "axes[0].name", "unknown_axis"},
      {Json::array({Json::object()}), "axes[0].name", "missing_field"},
      {Json::array({{{"name", "context"}}, {{"name", "context"}}}), "axes[1].name",
       "same_axis_twice"},
      {axis("context", {1024, 2048, 4096, 0}), "axes[0].values[3]", "bad_value"},
      {axis("context", {1024, -5}), "axes[0].values[1]", "bad_value"},
      {axis("context", {1024.5}), "axes[0].values[0]", "bad_value"},
      {axis("context", {1ULL << 40U}), "axes[0].values[0]", "bad_value"},
      {axis("utilization", {0.9, 1.5}), "axes[0].values[1]", "bad_value"},
      {axis("utilization", {"high"}), "axes[0].values[0]", "bad_value"},
      {axis("count", {"two"}), "axes[0].values[0]", "bad_value"},
      {axis("weight_format", {"int3"}), "axes[0].values[0]", "bad_value"},
      {axis("kv_format", {8}), "axes[0].values[0]", "bad_value"},
      {axis("context", {true}), "axes[0].values[0]", "bad_value"},
      {axis("context", Json::array()), "axes[0].values", "bad_value"},
      {axis("context", Json(65, 1024)), "axes[0].values", "bad_value"},
      {Json::array({{{"name", "context"}, {"values", Json(40, 1024)}},
                    {{"name", "concurrency"}, {"values", Json(40, 1)}}}),
       "axes", "too_many_cells"},
      {Json::array({{{"name", "context"}}, {{"name", "count"}}, {{"name", "kv_format"}}}), "axes",
       "bad_value"},
      {Json::array({{{"name", "context"}, {"value", 3}}}), "axes[0].value", "unknown_field"},
      {3, "axes", "bad_value"},
  };
  for (const Case& one : cases) {
    const Json answer = scan(fixtures::request(), one.axes);
    INFO(one.axes.dump().substr(0, 200));
    REQUIRE(answer.contains("error"));
    CHECK(answer.at("error").at("path") == one.path);
    CHECK(answer.at("error").at("code") == one.code);
    CHECK(answer.at("error").at("message").get<std::string>().size() > 20);
    CHECK(answer.at("id") == "s");
  }
  Json request = fixtures::request();
  request["gpu"]["id"] = "z99";
  CHECK(scan(request, nullptr).at("error").at("path") == "request.gpu.id");
  request = request_of("Qwen--Qwen2.5-7B", "rtx-4090", "llamacpp", Json::object());
  CHECK(scan(request, axis("utilization")).at("error").at("path") == "axes[0].name");
  CHECK(Json::parse(ridgepoint::api::scan("{}")).at("error").at("path") == "request");
}

TEST_CASE("the edit of a cell is the same typed and in JSON", "[scan]") {
  const Json json = request_of("meta-llama--Meta-Llama-3-8B", "a100-sxm-80gb", "vllm",
                               {{"max_model_len", 2048}, {"quantization", nullptr}});
  const auto request = ridgepoint::api::read_request(fixtures::parsed(json));
  REQUIRE(request);
  for (const plan::AxisKind kind :
       {plan::AxisKind::context, plan::AxisKind::count, plan::AxisKind::weight_format}) {
    const auto scanned = plan::scan(request.value(), {{kind, {}}});
    REQUIRE(scanned);
    for (const plan::Cell& cell : scanned->cells) {
      const Json changed =
          ridgepoint::api::apply_change(cell.change, *request->engine, fixtures::parsed(json));
      const Json report = fixtures::answer(changed);
      INFO(changed["engine"].dump());
      REQUIRE(report.contains("error") == cell.error.has_value());
      if (!cell.error) {
        CHECK(report.at("memory").at("per_gpu").at("kv_pool").at("best") == cell.kv_pool.best);
        CHECK(report.at("capacity").at("max_requests").at("best") == cell.max_requests.best);
      }
    }
  }
}
