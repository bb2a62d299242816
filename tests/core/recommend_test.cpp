// The search for cards that carry a load.
#include "plan/recommend.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "fixtures.hpp"
#include "hardware/prices.hpp"
#include "sampling.hpp"

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
  typed_query.most_cost = 100000000;
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
  for (std::size_t i = 0; i < cases.size(); i += tests::sampled(6)) {
    const Case& each = cases[i];
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
  if (tests::sampled(2) != 1) {
    base.constraints.gpus = {"a100-sxm-80gb"};
  }
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

TEST_CASE("Llama-3-70B in 16 bits for 32 requests of 8,192 tokens", "[recommend]") {
  // 70,553,706,496 parameters x 2 bytes = 141,107,412,992. A token caches 80 layers x 2 x 8 heads x
  // 128 x 2 bytes = 327,680 bytes, 32 x 8,192 tokens 85,899,345,920. Together 227,006,758,912.
  const double needed = 227006758912.0;
  const Json answers = ask(constrained(
      query("meta-llama--Meta-Llama-3-70B", 8192, 32),
      {{"weight_formats", {"bf16"}}, {"kv_formats", {"auto"}}, {"tune", false}}))["answers"];
  REQUIRE_FALSE(answers.empty());
  // One MI350X has 309,220,868,096 bytes; of 0.92 of them 57.5e9 are left, at most 21 requests
  // more.
  CHECK(setup_of(answers[0]) == "1 mi350x checkpoint auto");
  CHECK(answers[0]["headroom_requests"] <= 21);
  CHECK(answers[0]["headroom_requests"] >= 15);
  CHECK(answers[0]["limiting_term"] == "kv_pool");
  for (const Json& answer : answers) {
    const auto card = fixtures::card(answer["gpu"]["id"].get<std::string>());
    INFO(answer["gpu"]["id"]);
    CHECK(answer["count"].get<double>() * static_cast<double>(card.total_bytes) * 0.92 > needed);
  }
  // An H100 has 84.9e9 bytes, 78.1e9 of them vLLM's: three have 7e9 to spare for all activations,
  // and 64 heads do not divide by three; four are plain.
  const Json h100 = ask(constrained(
      query("meta-llama--Meta-Llama-3-70B", 8192, 32),
      {{"gpus", {"h100"}}, {"weight_formats", {"checkpoint"}}, {"tune", false}}))["answers"];
  REQUIRE(h100.size() == 1);
  CHECK(setup_of(h100[0]) == "3 h100-sxm-80gb checkpoint fp8");
  const Json plain = ask(constrained(query("meta-llama--Meta-Llama-3-70B", 8192, 32),
                                     {{"gpus", {"h100"}},
                                      {"weight_formats", {"checkpoint"}},
                                      {"kv_formats", {"auto"}},
                                      {"pipeline", false},
                                      {"tune", false}}))["answers"];
  REQUIRE(plain.size() == 1);
  CHECK(setup_of(plain[0]) == "4 h100-sxm-80gb checkpoint auto");
  CHECK(plain[0]["parallelism"]["tensor"] == 4);
  plan::RecommendQuery all = typed("meta-llama--Meta-Llama-3-70B", {"vllm"}, 8192, 32);
  all.constraints.freedom.weight_formats = {"bf16"};
  all.constraints.freedom.kv_formats = {"auto"};
  all.constraints.freedom.tune = false;
  all.constraints.counts = {1, 2};
  check_against_all(all);
}

TEST_CASE("DeepSeek-V3 in FP8 for 64 requests of 32,768 tokens", "[recommend]") {
  // 671,026,419,712 parameters of about a byte. A token caches 61 layers x 576 values: as FP8 64 x
  // 32,768 tokens are 73,685,532,672 bytes, in 16 bits twice that. Two MI350X have 2 x 0.92 x
  // 309,220,868,096 = 569e9 bytes for it, three 853e9: 744.7e9 with an FP8 cache, 818.4e9 without,
  // which leaves 11.6e9 a card, less than an uneven third of 61 layers and the activations take.
  const Json answers = ask(
      constrained(query("deepseek-ai--DeepSeek-V3", 32768, 64), {{"max_count", 16}}))["answers"];
  REQUIRE_FALSE(answers.empty());
  CHECK(setup_of(answers[0]) == "3 mi350x checkpoint fp8");
  plan::RecommendQuery all = typed("deepseek-ai--DeepSeek-V3", {"vllm"}, 32768, 64);
  all.constraints.gpus = {"mi350x", "b300-sxm-288gb", "mi300x", "h200-sxm-141gb", "h100-sxm-80gb"};
  all.constraints.counts = {2, 3, 4, 8, 16};
  check_against_all(all);
}

TEST_CASE("Qwen3-30B-A3B on one card of 24 GB", "[recommend]") {
  // 30,532,122,624 parameters: 61e9 bytes in 16 bits and 30.5e9 in 8 are more than any such card.
  // In 4 bits 16.8e9 (weight_choice_test). A token caches 48 layers x 2 x 4 heads x 128 x 2 bytes =
  // 98,304 bytes, 4 x 8,192 tokens 3.2e9: 20.0e9 of the 23.2e9 that vLLM has of an RTX 4090.
  const Json constraints{
      {"max_count", 1}, {"min_card_bytes", 24ULL << 30U}, {"max_card_bytes", 24ULL << 30U}};
  const Json answers =
      ask(constrained(query("Qwen--Qwen3-30B-A3B", 8192, 4), constraints))["answers"];
  REQUIRE_FALSE(answers.empty());
  CHECK(answers[0]["weight_format"] == "int4");
  CHECK(answers[0]["count"] == 1);
  const auto rtx = std::find_if(answers.begin(), answers.end(), [](const Json& answer) {
    return answer["gpu"]["id"] == "rtx-4090";
  });
  REQUIRE(rtx != answers.end());
  CHECK(setup_of(*rtx) == "1 rtx-4090 int4 auto");
  const Json none = ask(constrained(constrained(query("Qwen--Qwen3-30B-A3B", 8192, 4), constraints),
                                    {{"weight_formats", {"checkpoint", "fp8"}}}));
  CHECK(none["answers"].empty());
  CHECK(none["none"]["text"].get<std::string>().find("int4 weights") != std::string::npos);
  plan::RecommendQuery all = typed("Qwen--Qwen3-30B-A3B", {"vllm"}, 8192, 4);
  all.constraints.counts = {1};
  all.constraints.min_card_bytes = 24ULL << 30U;
  all.constraints.max_card_bytes = 24ULL << 30U;
  check_against_all(all);
}

TEST_CASE("gpt-oss-120b on one card of 80 GB", "[recommend]") {
  // The published files have 65,248,815,744 bytes. Of 36 layers 18 keep every token, 2 x 8 heads x
  // 64 x 2 bytes: 36,864 bytes a token, 302e6 for 8,192; the others a window of 128. Four
  // requests take 1.2e9 and their windows, and vLLM has 78e9 of an A100 or H100.
  const Json answers = ask(constrained(query("openai--gpt-oss-120b", 8192, 4),
                                       {{"max_count", 1},
                                        {"min_card_bytes", 80ULL << 30U},
                                        {"max_card_bytes", 81ULL << 30U}}))["answers"];
  REQUIRE_FALSE(answers.empty());
  CHECK(answers[0]["count"] == 1);
  CHECK(answers[0]["weight_format"] == "checkpoint");
  CHECK(answers[0]["kv_format"] == "auto");
  CHECK(answers[0]["args"] == Json{{"max-model-len", 8192}});
  // (78e9 - 65e9 - activations) / 302e6 bounds the requests from above.
  CHECK(answers[0]["max_requests"]["best"] <= 43);
  plan::RecommendQuery all = typed("openai--gpt-oss-120b", {"vllm"}, 8192, 4);
  all.constraints.counts = {1};
  all.constraints.min_card_bytes = 80ULL << 30U;
  all.constraints.max_card_bytes = 81ULL << 30U;
  check_against_all(all);
}

TEST_CASE("every answer is a request that gives the same figures", "[recommend]") {
  struct Case {
    const char* fixture;
    std::uint64_t context;
    std::uint64_t concurrency;
  };
  const std::vector<Case> cases{
      {"meta-llama--Meta-Llama-3-8B", 8192, 40}, {"meta-llama--Meta-Llama-3-8B", 4096, 1500},
      {"openai--gpt-oss-120b", 16384, 40},       {"Qwen--Qwen3-30B-A3B", 16384, 12},
      {"google--gemma-3-27b-it", 8192, 20},      {"deepseek-ai--DeepSeek-V3", 16384, 64}};
  for (std::size_t i = 0; i < cases.size(); i += tests::sampled(6)) {
    const Case& each = cases[i];
    for (const char* engine : {"vllm", "sglang", "trtllm", "llamacpp"}) {
      CAPTURE(each.fixture, engine);
      Json asked = query(each.fixture, each.context, each.concurrency);
      asked["engines"] = Json::array({{{"name", engine}}});
      asked["constraints"] = {{"gpus", kCards}, {"counts", {1, 2, 4, 8, 16}}};
      const Json answer = ask(asked);
      REQUIRE(code_of(answer) == "");
      for (const Json& one : answer["answers"]) {
        INFO(one["request"].dump().substr(0, 300) << one["args"]);
        const Json report = fixtures::answer(one["request"]);
        REQUIRE(code_of(report) == "");
        CHECK(report["verdict"]["serves"] == true);
        CHECK(report["capacity"]["max_requests"] == one["max_requests"]);
        CHECK(report["capacity"]["max_requests"]["best"] >= each.concurrency);
        CHECK(report["memory"]["per_gpu"]["kv_pool"] == one["kv_pool"]);
        CHECK(report["speed"] == one["speed"]);
        CHECK(report["capacity"]["max_context"] == one["max_context"]);
        CHECK(report["memory"]["host_bytes"].get<std::uint64_t>() <
              report["model"]["checkpoint_bytes"].get<std::uint64_t>() / 10);
      }
    }
  }
}

TEST_CASE("what breaks first does", "[recommend]") {
  // The length that an answer names is held by all requests, a 64th more is not.
  Json asked = query("Qwen--Qwen3-8B", 8192, 8);
  asked["constraints"] = {{"gpus", {"rtx-4090", "a100-sxm-80gb"}}, {"max_count", 1}};
  for (const Json& one : ask(asked)["answers"]) {
    const auto text = one["breaks_first"].get<std::string>();
    INFO(text);
    const auto at = text.find("a context of ");
    if (at == std::string::npos) {
      continue;
    }
    std::string digits;
    for (const char c : text.substr(at)) {
      digits += c >= '0' && c <= '9' ? std::string(1, c) : "";
    }
    const std::uint64_t length = std::stoull(digits);
    const auto holds = [&](std::uint64_t context) {
      Json request = one["request"];
      request["workload"]["context"] = context;
      request["engine"]["args"]["max-model-len"] = context;
      const Json report = fixtures::answer(request);
      return report["capacity"]["max_requests"]["best"].get<std::uint64_t>() >= 8;
    };
    CHECK(holds(length));
    CHECK_FALSE(holds(length + length / 64 + 32));
  }
}

TEST_CASE("latency goals hold in the reports of the answers", "[recommend]") {
  Json asked = query("meta-llama--Meta-Llama-3-70B", 8192, 16);
  asked["workload"] = {
      {"prompt", 4096}, {"output", 512}, {"concurrency", 16}, {"ttft_s", 0.8}, {"tpot_s", 0.03}};
  asked["constraints"] = {{"gpus", kCards}, {"weight_formats", {"checkpoint"}}};
  const Json fast = ask(asked);
  REQUIRE_FALSE(fast["answers"].empty());
  for (const Json& one : fast["answers"]) {
    const Json report = fixtures::answer(one["request"]);
    CHECK(report["speed"]["ttft_s"]["best"] <= 0.8);
    CHECK(report["speed"]["tpot_s"]["best"] <= 0.03);
  }
  asked["workload"].erase("ttft_s");
  asked["workload"].erase("tpot_s");
  const Json any = ask(asked);
  CHECK(any["answers"][0]["count"] <= fast["answers"][0]["count"]);
  CHECK(any["answers"].size() >= fast["answers"].size());
}

TEST_CASE("a constraint more never gives a better first answer", "[recommend]") {
  const Json free = query("meta-llama--Meta-Llama-3-70B", 8192, 32);
  const auto key = [](const Json& answer) {
    // Fewest cards, then the gravest departure; what is missing is worst.
    if (answer["answers"].empty()) {
      return std::pair(std::uint64_t{1000}, 1);
    }
    const Json& first = answer["answers"][0];
    return std::pair(first["count"].get<std::uint64_t>(),
                     first["weight_format"] == "checkpoint" ? 0 : 1);
  };
  const auto best = key(ask(free));
  for (const Json& constraint :
       {Json{{"vendors", {"nvidia"}}}, Json{{"gpus", {"rtx-4090", "l40s"}}},
        Json{{"max_card_bytes", 50ULL << 30U}}, Json{{"max_count", 2}}, Json{{"counts", {3, 5}}},
        Json{{"interconnect", "link"}}, Json{{"weight_formats", {"int4"}}},
        Json{{"kv_formats", {"fp8"}}}, Json{{"pipeline", false}}, Json{{"tune", false}}}) {
    INFO(constraint);
    CHECK(key(ask(constrained(free, constraint))) >= best);
  }
  Json slower = free;
  slower["workload"]["tpot_s"] = 0.02;
  CHECK(key(ask(slower)) >= best);
}

TEST_CASE("prices order cards, and are the asker's to set", "[recommend]") {
  Json asked = query("meta-llama--Meta-Llama-3-8B", 8192, 8);
  asked["constraints"] = {{"gpus", {"l40s", "a100-sxm-80gb", "h100-sxm-80gb", "rtx-4090"}}};
  const auto ids = [](const Json& answer) {
    std::vector<std::string> list;
    for (const Json& one : answer["answers"]) {
      list.push_back(one["gpu"]["id"]);
    }
    return list;
  };
  SECTION("none given, no claim") {
    const Json answer = ask(asked);
    CHECK(answer["prices"].is_null());
    for (const Json& one : answer["answers"]) {
      CHECK(one["price_per_hour"].is_null());
    }
  }
  SECTION("a cheaper price moves a card up") {
    asked["rank_by"] = "price";
    asked["prices"] = {{"l40s", 2.0}, {"a100-sxm-80gb", 1.0}};
    auto order = ids(ask(asked));
    CHECK(order[0] == "a100-sxm-80gb");
    CHECK(order[1] == "l40s");
    asked["prices"]["L40S"] = 0.5;
    asked["prices"].erase("l40s");
    order = ids(ask(asked));
    CHECK(order[0] == "l40s");
    CHECK(order[1] == "a100-sxm-80gb");
  }
  SECTION("the list's, with its date, and overridden") {
    asked["use_list_prices"] = true;
    const Json listed = ask(asked);
    CHECK(listed["prices"]["currency"] == "USD");
    CHECK(listed["prices"]["date"].get<std::string>().size() == 10);
    for (const Json& one : listed["answers"]) {
      const auto price = ridgepoint::hardware::list_price(one["gpu"]["id"].get<std::string>());
      CHECK(one["price_per_hour"].is_null() == !price.has_value());
      if (price) {
        CHECK(one["price_per_hour"] == *price * one["count"].get<double>());
      }
    }
    asked["prices"] = {{"a100-sxm-80gb", nullptr}, {"h100-sxm-80gb", 9.5}};
    const Json changed = ask(asked);
    CHECK_FALSE(changed["prices"]["per_card_and_hour"].contains("a100-sxm-80gb"));
    CHECK(changed["prices"]["per_card_and_hour"]["h100-sxm-80gb"] == 9.5);
  }
  SECTION("a budget counts priced cards only") {
    asked["prices"] = {{"l40s", 1.0}, {"h100-sxm-80gb", 4.0}};
    asked["constraints"]["budget_per_hour"] = 2.5;
    const Json answer = ask(asked);
    CHECK(ids(answer) == std::vector<std::string>{"l40s"});
    CHECK(answer["left_out"].dump().find("No price is known") != std::string::npos);
  }
}

TEST_CASE("the list of prices names a day and a source for each", "[recommend]") {
  for (const auto& price : ridgepoint::hardware::card_prices()) {
    INFO(price.id);
    CHECK(ridgepoint::hardware::find_device(price.id) != nullptr);
    CHECK(ridgepoint::hardware::find_device(price.id)->id == price.id);
    CHECK(price.per_hour > 0);
    CHECK(price.date.size() == 10);
    CHECK(price.date <= ridgepoint::hardware::list_prices().date);
    CHECK(price.source.find("https://") == 0);
  }
}

TEST_CASE("without an answer it says what comes closest and what would do", "[recommend]") {
  const auto none = [](const Json& asked) {
    const Json answer = ask(asked);
    REQUIRE(code_of(answer) == "");
    CHECK(answer["answers"].empty());
    return answer["none"]["limit"].get<std::string>() + ": " +
           answer["none"]["text"].get<std::string>();
  };
  Json asked = query("meta-llama--Meta-Llama-3-70B", 8192, 32);
  asked["constraints"] = {{"gpus", {"l40s"}}, {"max_count", 2}, {"weight_formats", {"checkpoint"}}};
  const std::string few = none(asked);
  CHECK(few.find("L40S") != std::string::npos);
  CHECK(few.find("It would fit with") != std::string::npos);
  asked["workload"]["context"] = 100000;
  CHECK(none(asked).find("context: ") == 0);
  asked["workload"]["context"] = 8192;
  asked["constraints"] = {{"gpus", {"h100-sxm-80gb"}}};
  asked["workload"]["tpot_s"] = 0.0001;
  CHECK(none(asked).find("latency: ") == 0);
  asked["workload"].erase("tpot_s");
  asked["constraints"] = {{"min_card_bytes", 1ULL << 50U}};
  CHECK(none(asked).find("cards: ") == 0);
  asked["constraints"] = {{"gpus", {"h100-sxm-80gb"}}, {"budget_per_hour", 1.0}};
  CHECK(none(asked).find("budget: ") == 0);
}

TEST_CASE("the request's own flags stay", "[recommend]") {
  Json asked = query("Qwen--Qwen3-8B", 8192, 16);
  asked["constraints"] = {{"gpus", {"l4", "l40s", "a100-sxm-80gb"}}};
  asked["engines"] = Json::array({{{"name", "vllm"},
                                   {"version", "0.28.0"},
                                   {"args",
                                    {{"gpu_memory_utilization", 0.7},
                                     {"max-model-len", 16384},
                                     {"tensor-parallel-size", 2}}}}});
  const Json answer = ask(asked);
  REQUIRE_FALSE(answer["answers"].empty());
  for (const Json& one : answer["answers"]) {
    CHECK(one["args"]["gpu_memory_utilization"] == 0.7);
    CHECK_FALSE(one["args"].contains("gpu-memory-utilization"));
    CHECK(one["args"]["max-model-len"] == 16384);
    CHECK(one["parallelism"]["tensor"] == 2);
    CHECK(one["engine"]["version"] == "0.28.0");
  }
}

TEST_CASE("requests above an engine's limit raise its flag", "[recommend]") {
  Json asked = query("Qwen--Qwen3-8B", 512, 1400);
  asked["constraints"] = {{"gpus", {"b200-sxm-180gb"}}, {"counts", {1}}};
  const Json answer = ask(asked);
  REQUIRE(answer["answers"].size() == 1);
  CHECK(answer["answers"][0]["args"]["max-num-seqs"] == 1400);
  CHECK(answer["answers"][0]["limiting_term"] == "max-num-seqs");
}

TEST_CASE("several engines answer side by side, each once a card", "[recommend]") {
  Json asked = query("meta-llama--Meta-Llama-3-8B", 8192, 8);
  asked["engines"] = Json::array(
      {{{"name", "vllm"}}, {{"name", "sglang"}}, {{"name", "trtllm"}}, {{"name", "llamacpp"}}});
  asked["constraints"] = {{"gpus", {"h100-sxm-80gb", "mi300x", "apple-m3-ultra", "p40"}}};
  const Json answer = ask(asked);
  std::vector<std::string> seen;
  for (const Json& one : answer["answers"]) {
    seen.push_back(one["engine"]["name"].get<std::string>() + " " +
                   one["gpu"]["id"].get<std::string>());
  }
  std::sort(seen.begin(), seen.end());
  CHECK(seen == std::vector<std::string>{"llamacpp apple-m3-ultra", "llamacpp h100-sxm-80gb",
                                         "llamacpp mi300x", "llamacpp p40", "sglang h100-sxm-80gb",
                                         "sglang mi300x", "trtllm h100-sxm-80gb",
                                         "vllm h100-sxm-80gb", "vllm mi300x"});
}

TEST_CASE("a version that does not run the model is left out and counted", "[recommend]") {
  Json asked = query("Qwen--Qwen3-30B-A3B", 8192, 4);
  asked["engines"] = Json::array({{{"name", "vllm"}, {"version", "0.7.3"}}});
  const Json answer = ask(asked);
  CHECK(answer["answers"].empty());
  CHECK(answer["left_out"].dump().find("Qwen3Moe") != std::string::npos);
}

TEST_CASE("layouts that are left out are refused by the engine", "[recommend]") {
  for (const char* fixture : {"meta-llama--Meta-Llama-3-8B", "Qwen--Qwen2.5-7B",
                              "Qwen--Qwen3-30B-A3B", "google--gemma-3-27b-it"}) {
    plan::Request request;
    request.model = fixtures::model(fixture);
    request.engine = ridgepoint::engine::find_engine("vllm");
    request.device = fixtures::card("h100-sxm-80gb");
    request.workload.context = 4096;
    for (std::uint64_t count = 1; count <= 16; ++count) {
      const auto kept = plan::layouts(request, count, true);
      for (std::uint64_t tensor = 1; tensor <= count; ++tensor) {
        if (count % tensor != 0) {
          continue;
        }
        plan::Request asked = request;
        asked.gpu_count = count;
        asked.args = {{"tensor-parallel-size", static_cast<std::int64_t>(tensor)},
                      {"pipeline-parallel-size", static_cast<std::int64_t>(count / tensor)}};
        const bool is_kept = std::any_of(kept.begin(), kept.end(), [&](const plan::Layout& layout) {
          return layout.tensor == tensor && layout.pipeline == count / tensor;
        });
        const auto report = plan::fit(asked);
        CAPTURE(fixture, count, tensor, is_kept);
        CHECK((is_kept || report.error().code == "bad_parallelism"));
      }
    }
  }
}

TEST_CASE("a query that is wrong is told where", "[recommend]") {
  const auto code = [](const Json& patch) {
    Json asked = query("meta-llama--Meta-Llama-3-8B", 8192, 8);
    asked["constraints"] = {{"gpus", {"h100-sxm-80gb"}}};
    asked.merge_patch(patch);
    return code_of(ask(asked));
  };
  CHECK(code(Json::object()) == "");
  CHECK(code({{"engines", Json::array()}}) == "");
  CHECK(code({{"nonsense", 1}}) == "unknown_field at nonsense");
  CHECK(code({{"workload", {{"context", nullptr}}}}) == "missing_field at workload.context");
  CHECK(code({{"workload", {{"speed", 1}}}}) == "unknown_field at workload.speed");
  CHECK(code({{"workload", {{"ttft_s", -1}}}}) == "bad_value at workload.ttft_s");
  CHECK(code({{"workload", {{"concurrency", 0}}}}) == "bad_value at workload.concurrency");
  CHECK(code({{"engines", {{{"name", "nope"}}}}}) == "unknown_engine at engines[0].name");
  CHECK(code({{"engines", {{{"args", {{"no-such-flag", 1}}}}}}}) ==
        "unknown_flag at engines[0].args.no-such-flag");
  CHECK(code({{"engines", {Json::object(), {{"name", "vllm"}}}}}) == "bad_value at engines[1]");
  CHECK(code({{"constraints", {{"max_count", 65}}}}) == "bad_value at constraints.max_count");
  CHECK(code({{"constraints", {{"counts", {0}}}}}) == "bad_value at constraints.counts");
  CHECK(code({{"constraints", {{"counts", {16}}, {"max_count", 8}}}}) ==
        "bad_value at constraints.counts");
  CHECK(code({{"constraints", {{"gpus", {"h900"}}}}}) == "unknown_gpu at constraints.gpus");
  CHECK(code({{"constraints", {{"vendors", Json::array()}}}}) ==
        "bad_value at constraints.vendors");
  CHECK(code({{"constraints", {{"interconnect", "fast"}}}}) ==
        "bad_value at constraints.interconnect");
  CHECK(code({{"constraints", {{"colour", "red"}}}}) == "unknown_field at constraints.colour");
  CHECK(code({{"prices", {{"h900", 1}}}}) == "unknown_gpu at prices.h900");
  CHECK(code({{"prices", {{"h100", -1}}}}) == "bad_value at prices.h100");
  CHECK(code({{"prices", 3}}) == "bad_value at prices");
  CHECK(code({{"rank_by", "luck"}}) == "bad_value at rank_by");
  CHECK(code({{"limit", 201}}) == "bad_value at limit");
  CHECK(code_of(Json::parse(ridgepoint::api::recommend("[1]"))) == "bad_request at ");
  CHECK(code_of(Json::parse(ridgepoint::api::recommend("{"))) != "");
}

TEST_CASE("a search without end ends", "[recommend]") {
  plan::RecommendQuery typed_query = typed("meta-llama--Meta-Llama-3-70B", {"vllm"}, 8192, 32);
  typed_query.prune = false;
  typed_query.most_cost = 500;
  const auto result = plan::recommend(typed_query);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().code == "too_many_setups");
  CHECK(result.error().path == "constraints");
}
