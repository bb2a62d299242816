// The search for cards that carry a load.
#include "plan/recommend.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "fixtures.hpp"
#include "hardware/prices.hpp"

namespace {

using fixtures::Json;
namespace plan = ridgepoint::plan;

Json ask(const Json& query) {
  const std::string answer = ridgepoint::api::recommend(query.dump());
  Json parsed = Json::parse(answer, nullptr, false);
  if (parsed.is_discarded()) {
    FAIL("the answer is not JSON: " << answer.substr(0, 400));
  }
  return parsed;
}

/// A query for a fixture, without list prices, so that none decides.
Json query(std::string_view fixture, std::uint64_t context, std::uint64_t concurrency) {
  return {{"model", {{"config", fixtures::config(fixture)}}},
          {"workload", {{"context", context}, {"concurrency", concurrency}}},
          {"use_list_prices", false}};
}

Json constrained(Json query, const Json& constraints) {
  query["constraints"].update(constraints);
  return query;
}

std::string setup_of(const Json& answer) {
  return std::to_string(answer["count"].get<int>()) + " " + answer["gpu"]["id"].get<std::string>() +
         " " + answer["weight_format"].get<std::string>() + " " +
         answer["kv_format"].get<std::string>();
}

std::string code_of(const Json& answer) {
  return answer.contains("error") ? answer["error"]["code"].get<std::string>() + " at " +
                                        answer["error"]["path"].get<std::string>()
                                  : "";
}

plan::RecommendQuery typed(std::string_view fixture, const std::vector<std::string>& engines,
                           std::uint64_t context, std::uint64_t concurrency) {
  plan::RecommendQuery typed_query;
  for (const std::string& name : engines) {
    plan::Request request;
    request.model = fixtures::model(fixture);
    request.engine = ridgepoint::engine::find_engine(name);
    request.workload.context = context;
    request.workload.concurrency = concurrency;
    typed_query.engines.push_back(std::move(request));
  }
  typed_query.load.context = context;
  typed_query.load.concurrency = concurrency;
  typed_query.constraints.counts = {1, 2, 3, 4, 6, 8};
  typed_query.most_estimates = 100000000;
  return typed_query;
}

std::string text(const plan::Answer& answer) {
  const plan::Found& found = answer.found;
  std::string all = std::string(answer.card->id) + " x" + std::to_string(found.count) + " e" +
                    std::to_string(answer.engine) + " " + std::to_string(found.layout.tensor) +
                    "/" + std::to_string(found.layout.pipeline) + "/" +
                    std::to_string(found.layout.data) + (found.layout.experts ? " ep" : "") +
                    (found.layout.attention_groups ? " groups" : "") + " " + found.weights.name +
                    " " + found.kv.name + " " + std::to_string(found.steps.count());
  for (const auto& flag : found.flags) {
    all += " --" + flag.name;
  }
  return all + " holds " + std::to_string(found.plan.max_requests.best) + ", " +
         std::to_string(answer.headroom_requests) + " more; " + answer.reason + " | " +
         answer.breaks_first + " | " + answer.limiting_term;
}

std::string text(const plan::Recommendation& result) {
  std::string all =
      std::to_string(result.cards) + " cards, " + std::to_string(result.carriers) + " carriers\n";
  for (const plan::Answer& answer : result.answers) {
    all += text(answer) + "\n";
  }
  for (const plan::LeftOut& left : result.left_out) {
    all += left.engine + ": " + left.reason + " " + std::to_string(left.cards) + "\n";
  }
  return all + (result.none ? result.none->limit + ": " + result.none->text : "");
}

std::string run(const plan::RecommendQuery& typed_query) {
  const auto result = plan::recommend(typed_query);
  return result ? text(*result) : result.error().code + ": " + result.error().message;
}

/// Pruned and not, the answers must be the same to the byte.
void check_against_all(plan::RecommendQuery typed_query) {
  typed_query.prune = true;
  const std::string pruned = run(typed_query);
  typed_query.prune = false;
  CHECK(pruned == run(typed_query));
}

const std::vector<std::string> kCards{"t4",
                                      "rtx-4090",
                                      "rtx-5090",
                                      "l40s",
                                      "a100-sxm-40gb",
                                      "a100-pcie-80gb",
                                      "a100-sxm-80gb",
                                      "h100-sxm-80gb",
                                      "h200-sxm-141gb",
                                      "b200-sxm-180gb",
                                      "mi300x",
                                      "mi355x"};

}  // namespace

TEST_CASE("a pruned search answers as one that computes every setup", "[recommend]") {
  struct Case {
    const char* fixture;
    std::vector<std::string> engines;
    std::uint64_t context;
    std::uint64_t concurrency;
  };
  const std::vector<Case> cases{
      {"meta-llama--Meta-Llama-3-8B", {"vllm"}, 8192, 32},
      {"meta-llama--Meta-Llama-3-8B", {"vllm"}, 8000, 300},
      {"meta-llama--Meta-Llama-3-70B", {"vllm"}, 8192, 32},
      {"Qwen--Qwen3-30B-A3B", {"vllm"}, 32768, 8},
      {"google--gemma-3-27b-it", {"vllm"}, 16384, 16},
      {"openai--gpt-oss-120b", {"vllm"}, 32768, 16},
      {"Qwen--Qwen3-Next-80B-A3B-Instruct", {"vllm"}, 16384, 8},
      {"meta-llama--Meta-Llama-3-8B", {"sglang"}, 8192, 64},
      {"Qwen--Qwen3-30B-A3B", {"sglang"}, 8192, 16},
      {"meta-llama--Meta-Llama-3-70B", {"trtllm"}, 8192, 16},
      {"meta-llama--Meta-Llama-3-8B", {"llamacpp"}, 8192, 4},
      {"Qwen--Qwen2.5-VL-7B-Instruct", {"vllm"}, 16384, 40},
  };
  for (const Case& each : cases) {
    CAPTURE(each.fixture, each.engines.front(), each.context);
    plan::RecommendQuery typed_query =
        typed(each.fixture, each.engines, each.context, each.concurrency);
    typed_query.constraints.gpus = kCards;
    typed_query.constraints.counts = {1, 2, 3, 4};
    check_against_all(typed_query);
  }
}

TEST_CASE("pruning changes nothing under constraints either", "[recommend]") {
  plan::RecommendQuery base = typed("meta-llama--Meta-Llama-3-70B", {"vllm"}, 8192, 24);
  base.constraints.gpus = {"rtx-4090", "l40s", "a100-sxm-80gb", "h100-sxm-80gb", "h200-sxm-141gb"};
  SECTION("latency goals") {
    base.load.ttft_s = 1.0;
    base.load.tpot_s = 0.03;
    check_against_all(base);
  }
  SECTION("only the checkpoint, no tuning") {
    base.constraints.freedom.weight_formats = {"checkpoint"};
    base.constraints.freedom.tune = false;
    check_against_all(base);
  }
  SECTION("an FP8 cache and no pipeline") {
    base.constraints.freedom.kv_formats = {"fp8"};
    base.constraints.freedom.pipeline = false;
    check_against_all(base);
  }
  SECTION("a budget") {
    base.prices = {{"l40s", 1.0}, {"h100-sxm-80gb", 4.0}, {"a100-sxm-80gb", 2.0}};
    base.constraints.budget_per_hour = 8.0;
    base.rank_by = plan::RankBy::price;
    check_against_all(base);
  }
  SECTION("nothing carries it") {
    base.constraints.counts = {1};
    base.load.concurrency = 400;
    base.engines.front().workload.concurrency = 400;
    check_against_all(base);
  }
  SECTION("the request's own flags") {
    base.engines.front().args.push_back({"gpu-memory-utilization", 0.8});
    base.engines.front().args.push_back({"max-num-seqs", std::int64_t{16}});
    check_against_all(base);
    base.engines.front().args = {{"cpu-offload-gb", 10.0},
                                 {"tensor-parallel-size", std::int64_t{2}}};
    check_against_all(base);
  }
  SECTION("an old version") {
    base.engines.front().engine_version = "0.6.3";
    base.constraints.freedom.weight_formats = {"checkpoint", "int4"};
    check_against_all(base);
  }
}

TEST_CASE("pruning changes nothing on any card", "[recommend]") {
  plan::RecommendQuery typed_query = typed("meta-llama--Meta-Llama-3-8B", {"vllm"}, 8192, 32);
  typed_query.constraints.counts = {1, 2};
  typed_query.limit = 200;
  check_against_all(typed_query);
}
