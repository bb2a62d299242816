// The changes that mend a setup, each held against what the estimate says once it is made.
#include <catch2/catch.hpp>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "api/api.hpp"
#include "api/request.hpp"
#include "fixtures.hpp"
#include "plan/advice.hpp"
#include "plan/levels.hpp"
#include "plan/waste.hpp"
#include "sampling.hpp"
#include "soundness.hpp"

using fixtures::Json;

namespace {

Json advised(const Json& request) { return Json::parse(ridgepoint::api::advise(request.dump())); }

Json request_of(const std::string& model, const std::string& engine, Json gpu) {
  return Json{{"model", {{"config", fixtures::config(model)}}},
              {"gpu", std::move(gpu)},
              {"engine", {{"name", engine}, {"args", Json::object()}}}};
}

/// The first entry whose change has a text in it; null when there is none.
Json entry_with(const Json& answer, const std::string& text) {
  for (const Json& change : answer["changes"]) {
    if (change["change"].get<std::string>().find(text) != std::string::npos) {
      return change;
    }
  }
  return {};
}

bool serves(const Json& request) {
  const Json report = fixtures::answer(request);
  const std::uint64_t wanted =
      request.contains("workload") ? request["workload"].value("concurrency", 1ULL) : 1ULL;
  return !report.contains("error") && report["verdict"]["serves"].get<bool>() &&
         report["capacity"]["max_requests"]["best"].get<std::uint64_t>() >= wanted;
}

/// What an answer promises, held against the estimate of each request that it gives.
std::string broken_promise(const Json& answer, std::uint64_t wanted) {
  std::uint64_t level = 0;
  for (const Json& change : answer["changes"]) {
    const std::string what = change["change"].get<std::string>();
    const Json report = fixtures::answer(change["request"]);
    if (report.contains("error")) {
      return what + " is an error: " + report["error"].dump();
    }
    if (!report["verdict"]["serves"].get<bool>()) {
      return what + " does not serve: " + report["verdict"]["text"].get<std::string>();
    }
    const Json& capacity = report["capacity"];
    if (capacity["max_requests"] != change["max_requests"] ||
        capacity["max_context"] != change["max_context"] ||
        capacity["context"] != change["context"] ||
        report["memory"]["per_gpu"]["kv_pool"] != change["kv_pool"]) {
      return what + " gives other numbers: " + capacity.dump() + " and not " + change.dump();
    }
    if (wanted > 1 && capacity["max_requests"]["best"].get<std::uint64_t>() < wanted &&
        answer["problem"].get<std::string>().find("serves some") == std::string::npos) {
      return what + " does not serve as many as are asked for";
    }
    if (change["level_number"].get<std::uint64_t>() < level) {
      return what + " changes less than the one before it";
    }
    level = change["level_number"];
    for (const char* text : {"how", "cost", "effect"}) {
      if (change[text].get<std::string>().size() < 10) {
        return what + " has no " + text;
      }
    }
  }
  for (const Json& waste : answer["waste"]) {
    if (waste["request"].is_null()) {
      continue;
    }
    if (!serves(waste["request"])) {
      return waste["what"].get<std::string>() + " does not serve any more: " + waste.dump();
    }
  }
  return {};
}

std::vector<Json> refused_starts() {
  std::ifstream file(std::string(RIDGEPOINT_FIXTURES) + "/refused_starts.json", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::vector<Json> rows;
  for (const Json& row : Json::parse(text)) {
    Json request = request_of(row["model"], "vllm", row["gpu"]);
    request["id"] = row["id"];
    if (row.contains("config")) {
      request["model"]["config"].update(row["config"]);
    }
    if (row.contains("quant_config")) {
      request["model"]["quant_config"] = row["quant_config"];
    }
    if (row.contains("measured")) {
      request["measured"] = row["measured"];
    }
    request["engine"]["version"] = row["version"];
    request["engine"]["args"] = row["args"];
    rows.push_back(request);
  }
  return rows;
}

Json refused_start(const std::string& id) {
  for (Json& request : refused_starts()) {
    if (request["id"] == id) {
      return request;
    }
  }
  FAIL("no such row: " << id);
  return {};
}

std::uint64_t number_in(const Json& change, const std::string& flag) {
  return change["edit"]["set"][flag].get<std::uint64_t>();
}

}  // namespace

TEST_CASE("starts that were refused are mended by every change that is given", "[advise]") {
  const auto rows = refused_starts();
  REQUIRE(rows.size() == 10);
  for (const Json& request : rows) {
    INFO(request["id"]);
    const Json report = fixtures::answer(request);
    REQUIRE_FALSE(report.contains("error"));
    CHECK_FALSE(report["verdict"]["serves"].get<bool>());
    const Json answer = advised(request);
    REQUIRE(answer["kind"] == "advise");
    CHECK(answer["id"] == request["id"]);
    CHECK(answer["verdict"] == report["verdict"]);
    REQUIRE_FALSE(answer["changes"].empty());
    CHECK(serves(answer["changes"][0]["request"]));
    CHECK(broken_promise(answer, 1) == "");
    CHECK(answer["waste"].empty());
    const auto problem = answer["problem"].get<std::string>();
    CHECK(problem.find(report["verdict"]["text"].get<std::string>()) != std::string::npos);
    CHECK(problem.find(" GiB") != std::string::npos);
  }
}

TEST_CASE("the longest length that is offered is the one that the engine named", "[advise]") {
  // vLLM printed how many tokens its cache held: 23,648 and 81,536 (the rows' sources).
  for (const auto& [id, tokens] : {std::pair("llama-3.1-8b-29k-on-rtx-3090", 23648.0),
                                   std::pair("r1-distill-14b-128k-on-two-rtx-4090", 81536.0)}) {
    INFO(id);
    const Json change = entry_with(advised(refused_start(id)), "--max-model-len");
    REQUIRE_FALSE(change.is_null());
    const auto length = static_cast<double>(number_in(change, "max-model-len"));
    CHECK(length > 0.93 * tokens);
    CHECK(length < 1.07 * tokens);
  }
}

TEST_CASE("a number is changed no further than is needed", "[advise]") {
  const Json request = refused_start("llama-3.1-8b-29k-on-rtx-3090");
  const Json answer = advised(request);
  const Json share = entry_with(answer, "--gpu-memory-utilization");
  const Json length = entry_with(answer, "--max-model-len");
  REQUIRE_FALSE(share.is_null());
  REQUIRE_FALSE(length.is_null());
  Json less = share["request"];
  less["engine"]["args"]["gpu-memory-utilization"] =
      share["edit"]["set"]["gpu-memory-utilization"].get<double>() - 0.01;
  CHECK_FALSE(serves(less));
  Json longer = length["request"];
  longer["engine"]["args"]["max-model-len"] = number_in(length, "max-model-len") + 16;
  CHECK_FALSE(serves(longer));
}

TEST_CASE("a hybrid with too few states gets the most sequences that have one", "[advise]") {
  // Full CUDA graphs want a state for every sequence, as starts of such models were refused for
  // (https://github.com/vllm-project/recipes/pull/831).
  Json request = request_of("Qwen--Qwen3-Next-80B-A3B-Instruct", "vllm", {{"id", "b200"}});
  request["engine"]["version"] = "0.28.0";
  request["engine"]["args"] = {{"max-num-seqs", 1024}};
  const Json report = fixtures::answer(request);
  REQUIRE(report["verdict"]["text"].get<std::string>().find("Mamba cache blocks") !=
          std::string::npos);
  const Json change = entry_with(advised(request), "--max-num-seqs");
  REQUIRE_FALSE(change.is_null());
  Json more = change["request"];
  more["engine"]["args"]["max-num-seqs"] = number_in(change, "max-num-seqs") + 1;
  CHECK_FALSE(serves(more));
}

TEST_CASE("less is claimed, or the card is freed, where other programs hold it", "[advise]") {
  const Json request = refused_start("codellama-34b-on-two-h100-one-in-use");
  const Json answer = advised(request);
  REQUIRE(answer["verdict"]["limit"] == "free_memory");
  // 60.87 of 79.19 GiB are 0.768; the CUDA context and communicators come off as well.
  const Json& share = answer["changes"][0];
  REQUIRE(share["level"] == "share");
  const double claimed = share["edit"]["set"]["gpu-memory-utilization"];
  CHECK(claimed < 0.769);
  CHECK(claimed > 0.70);
  const Json freed = entry_with(answer, "other programs");
  REQUIRE_FALSE(freed.is_null());
  CHECK(freed["edit"]["gpu"]["free_bytes"].is_null());
  CHECK_FALSE(freed["request"]["gpu"].contains("free_bytes"));
  CHECK(entry_with(answer, "--gpu ").is_null());
}

TEST_CASE("a length above the maximum raises it, or asks for less", "[advise]") {
  Json request = fixtures::request();
  request["engine"]["args"] = {{"max-model-len", 4096}};
  request["workload"] = {{"context", 8192}, {"prompt", 8000}, {"output", 192}};
  const Json answer = advised(request);
  REQUIRE(answer["changes"].size() == 3);
  CHECK(answer["changes"][0]["change"] == "--max-model-len 8192");
  CHECK(answer["changes"][1]["change"] == "without --max-model-len");
  CHECK(answer["changes"][2]["edit"] == Json::parse(R"({"workload":{"context":4096}})"));
  CHECK(broken_promise(answer, 1) == "");
}

TEST_CASE("a release that does not run a model gives way to the first that does", "[advise]") {
  Json request = request_of("openai--gpt-oss-20b", "vllm", {{"id", "h100-sxm-80gb"}});
  request["engine"]["version"] = "0.9.2";
  REQUIRE(fixtures::answer(request)["verdict"]["limit"] == "architecture");
  const Json answer = advised(request);
  REQUIRE(answer["changes"].size() == 1);
  // gpt-oss came with vLLM 0.10.1 (release notes of v0.10.1).
  CHECK(answer["changes"][0]["edit"] == Json::parse(R"({"engine":{"version":"0.10.1"}})"));
  CHECK(broken_promise(answer, 1) == "");
}

TEST_CASE("more requests than are held: every change serves all of them", "[advise]") {
  Json request = fixtures::request();
  request["workload"] = {{"context", 4096}, {"concurrency", 200}};
  const std::uint64_t before =
      fixtures::answer(request)["capacity"]["max_requests"]["best"].get<std::uint64_t>();
  REQUIRE(before < 200);
  const Json answer = advised(request);
  REQUIRE(answer["changes"].size() > 2);
  CHECK(broken_promise(answer, 200) == "");
  CHECK(answer["problem"].get<std::string>().find("of the 200 requests") != std::string::npos);

  // The limit of sequences is what holds it back: it alone is raised.
  request["engine"]["args"] = {{"max-num-seqs", 16}};
  request["workload"]["concurrency"] = 24;
  const Json capped = advised(request);
  REQUIRE_FALSE(capped["changes"].empty());
  CHECK(capped["changes"][0]["change"] == "--max-num-seqs 24");
  CHECK(broken_promise(capped, 24) == "");
}

TEST_CASE("replicas of a mixture divide its experts by number", "[advise]") {
  // 2,048 wide experts in blocks of 128 do not divide over 32 ranks; 256 experts do.
  Json request = request_of("deepseek-ai--DeepSeek-V3", "vllm", {{"id", "h200"}, {"count", 8}});
  request["engine"]["version"] = "0.28.0";
  request["workload"] = {{"context", 32768}, {"concurrency", 100}};
  const Json answer = advised(request);
  const Json change = entry_with(answer, "--data-parallel-size");
  REQUIRE_FALSE(change.is_null());
  CHECK(change["level"] == "replicas");
  CHECK(change["edit"]["set"]["enable-expert-parallel"] == true);
  CHECK(broken_promise(answer, 100) == "");
}

TEST_CASE("two changes are tried where no single one helps", "[advise]") {
  // 1 T parameters in FP8 on cards of 24 GB: neither sixteen of them nor one of 288 GB hold it.
  Json request = request_of("moonshotai--Kimi-K2-Instruct", "trtllm", {{"id", "rtx-4090"}});
  request["workload"] = {{"context", 4096}};
  const Json answer = advised(request);
  REQUIRE_FALSE(answer["changes"].empty());
  CHECK(broken_promise(answer, 1) == "");
  for (const Json& change : answer["changes"]) {
    CHECK(change["change"].get<std::string>().find(" and ") != std::string::npos);
  }
}

TEST_CASE("where nothing helps the problem says so", "[advise]") {
  Json request = request_of("moonshotai--Kimi-K2-Instruct", "trtllm", {{"id", "rtx-4090"}});
  request["workload"] = {{"context", 4096}, {"concurrency", 4000000000ULL}};
  Json answer = advised(request);
  // It can be made to start; all those requests cannot be served.
  CHECK(answer["problem"].get<std::string>().find("serves some") != std::string::npos);
  CHECK(broken_promise(answer, 4000000000ULL) == "");

  Json small = fixtures::request();
  small["workload"] = {{"context", 4096}, {"concurrency", 4000000000ULL}};
  answer = advised(small);
  CHECK(answer["changes"].empty());
  CHECK(answer["problem"].get<std::string>().find("None of the changes") != std::string::npos);
}

TEST_CASE("what was measured of the old setup is not held against the new one", "[advise]") {
  // The pool of 1.71 GiB was read from a log: a changed share makes another.
  const Json answer = advised(refused_start("gpt-oss-120b-small-steps-on-one-h100"));
  for (const Json& change : answer["changes"]) {
    const bool same_pool = change["level"] == "length" || change["level"] == "asked_length" ||
                           change["level"] == "slots";
    INFO(change["change"]);
    const bool kept = change["request"].value("measured", Json::object()).contains("kv_pool_bytes");
    CHECK(kept == same_pool);
  }
}

TEST_CASE("a changed pool is as far from the rule as the measured one", "[advise]") {
  // The log's 1.71 GiB are less than the rule says; weights kept elsewhere are added to them.
  const Json request = refused_start("gpt-oss-120b-small-steps-on-one-h100");
  const Json offload = entry_with(advised(request), "--cpu-offload-gb");
  REQUIRE_FALSE(offload.is_null());
  const double gib = offload["edit"]["set"]["cpu-offload-gb"].get<double>();
  CHECK(offload["kv_pool"]["best"].get<double>() ==
        Approx(1836098519.0 + gib * 1073741824.0).epsilon(0.001));
  CHECK(offload["request"]["measured"].contains("non_torch_bytes"));
}

TEST_CASE("a draft and adapters are dropped with their flags", "[advise]") {
  Json request = request_of("meta-llama--Meta-Llama-3-8B", "vllm", {{"id", "rtx-4090"}});
  request["engine"]["version"] = "0.28.0";
  request["engine"]["args"] = {{"enable-lora", true}, {"max-loras", 48}, {"max-lora-rank", 64}};
  request["model"]["adapters"] = Json::array({{{"name", "a"}, {"rank", 64}}});
  REQUIRE_FALSE(serves(request));
  const Json change = entry_with(advised(request), "without LoRA");
  REQUIRE_FALSE(change.is_null());
  CHECK(change["edit"]["model"]["adapters"].is_null());
  CHECK_FALSE(change["request"]["model"].contains("adapters"));
  CHECK(change["request"]["engine"]["args"].empty());
}

TEST_CASE("llama.cpp's smaller cache brings the flash attention that it wants", "[advise]") {
  // b6000 leaves flash attention off, and a quantised V cache needs it.
  Json request = request_of("meta-llama--Meta-Llama-3-8B", "llamacpp", {{"id", "rtx-4090"}});
  request["engine"]["version"] = "b6000";
  request["engine"]["args"] = {{"ctx-size", 131072}, {"parallel", 16}, {"n-gpu-layers", "99"}};
  request["workload"] = {{"context", 8192}};
  REQUIRE_FALSE(serves(request));
  const Json answer = advised(request);
  const Json change = entry_with(answer, "--cache-type-k");
  REQUIRE_FALSE(change.is_null());
  CHECK(change["edit"]["set"]["flash-attn"] == "on");
  CHECK(broken_promise(answer, 1) == "");
}

TEST_CASE("a report has the first single changes of the same list", "[advise]") {
  for (const Json& request : refused_starts()) {
    INFO(request["id"]);
    const Json report = fixtures::answer(request);
    const Json answer = advised(request);
    REQUIRE_FALSE(report["advice"].empty());
    std::vector<Json> singles;
    for (const Json& change : answer["changes"]) {
      if (change["change"].get<std::string>().find(" and ") == std::string::npos) {
        singles.push_back(change);
      }
    }
    REQUIRE(report["advice"].size() <= singles.size());
    for (std::size_t i = 0; i < report["advice"].size(); ++i) {
      CHECK(report["advice"][i]["change"] == singles[i]["change"]);
      CHECK(report["advice"][i]["effect"] == singles[i]["effect"]);
    }
  }
}

namespace {

std::size_t plans = 0;

ridgepoint::Result<ridgepoint::engine::MemoryPlan> counted_plan(
    const ridgepoint::engine::Inputs& inputs) {
  ++plans;
  return ridgepoint::engine::find_engine("vllm")->plan(inputs);
}

}  // namespace

TEST_CASE("the engine is asked a bounded number of times", "[advise]") {
  ridgepoint::engine::Engine counting = *ridgepoint::engine::find_engine("vllm");
  counting.rules.plan = counted_plan;
  std::size_t refused = 0;
  const auto& names = fixtures::models();
  for (std::size_t i = 0; i < names.size(); i += tests::sampled(4) * 4) {
    const std::string& name = names[i];
    for (const std::uint64_t concurrency : {1ULL, 100000ULL}) {
      Json json = request_of(name, "vllm", {{"id", "rtx-4090"}});
      json["workload"] = {{"concurrency", concurrency}};
      auto request = ridgepoint::api::read_request(fixtures::parsed(json));
      REQUIRE(request);
      request.value().engine = &counting;
      INFO(name);
      plans = 0;
      const auto report = ridgepoint::plan::fit(request.value());
      CHECK(plans <= 1 + ridgepoint::plan::kReportPlans);
      if (!report) {
        continue;
      }
      plans = 0;
      const auto proposals = ridgepoint::plan::propose(request.value(), report->memory,
                                                       ridgepoint::plan::kAdvicePlans);
      CHECK(plans <= ridgepoint::plan::kAdvicePlans);
      CHECK(proposals.asked == plans);
      plans = 0;
      (void)ridgepoint::plan::waste(request.value(), report->memory);
      CHECK(plans <= ridgepoint::plan::kWastePlans);
      refused += proposals.trouble == ridgepoint::plan::Trouble::none ? 0 : 1;
    }
  }
  CHECK(refused > 25 / tests::sampled(4));
}

TEST_CASE("every fixture is advised soundly on every engine", "[advise]") {
  const char* const cards[] = {"rtx-4090", "h100-sxm-80gb", "l4", "mi300x"};
  const auto& names = fixtures::models();
  constexpr std::size_t kStride = tests::sampled(11);
  std::size_t mended = 0;
  for (std::size_t i = 0; i < names.size(); i += kStride) {
    std::size_t turn = i;
    for (const char* engine : {"vllm", "sglang", "trtllm", "llamacpp"}) {
      ++turn;
      // llama.cpp's plan costs fifty times the others'.
      if (std::string(engine) == "llamacpp" && i % 8 != 0) {
        continue;
      }
      Json request = request_of(names[i], engine, {{"id", cards[turn % 4]}});
      const std::uint64_t wanted = turn % 3 == 0 ? 300 : 1;
      request["workload"] = {{"concurrency", wanted}};
      if (turn % 2 == 0) {
        request["workload"]["context"] = 6000;
      }
      INFO(names[i] << " on " << engine << ", " << cards[turn % 4]);
      const Json answer = advised(request);
      if (answer.contains("error")) {
        CHECK(soundness::unsound_error(answer["error"]) == "");
        continue;
      }
      for (Json change : answer["changes"]) {
        change.erase("request");
        CHECK(soundness::nonsense(change, "change") == "");
      }
      CHECK(broken_promise(answer, wanted) == "");
      const bool fine = serves(request);
      CHECK(answer["problem"].get<std::string>().empty() == fine);
      if (fine) {
        CHECK(answer["changes"].empty());
      } else if (answer["changes"].empty()) {
        CHECK(answer["problem"].get<std::string>().find("None of the changes") !=
              std::string::npos);
      }
      mended += answer["changes"].empty() ? 0 : 1;
    }
  }
  CHECK(mended > names.size() / kStride);
}

TEST_CASE("a request of many megabytes is not repeated with every change", "[advise]") {
  Json request = refused_start("llama-3.1-8b-29k-on-rtx-3090");
  request["model"]["config"]["padding"] = std::string(3U << 20U, 'x');
  const std::string text = ridgepoint::api::advise(request.dump());
  CHECK(text.size() < 100000);
  const Json answer = Json::parse(text);
  REQUIRE_FALSE(answer["changes"].empty());
  CHECK(answer["changes"][0]["request"].is_null());
  CHECK(answer["changes"][0]["edit"].contains("set"));
}

TEST_CASE("levels are in order and give their reason", "[advise]") {
  std::size_t count = 0;
  for (const ridgepoint::plan::LevelFacts& facts : ridgepoint::plan::kLevels) {
    CHECK(static_cast<std::size_t>(facts.level) == count++);
    CHECK(facts.why.size() > 10);
  }
}

TEST_CASE("bad requests are errors of the request", "[advise]") {
  CHECK(Json::parse(ridgepoint::api::advise("{"))["error"]["code"] == "not_json");
  const Json answer = advised(Json{{"id", "a"}, {"gpu", {{"id", "no-such-card"}}}});
  CHECK(answer.contains("error"));
  CHECK(answer["id"] == "a");
}

TEST_CASE("a share that could be larger is waste to the byte", "[advise][waste]") {
  Json request = fixtures::request();
  request["engine"]["args"] = {{"gpu-memory-utilization", 0.8}};
  const Json answer = advised(request);
  CHECK(answer["problem"] == "");
  CHECK(answer["changes"].empty());
  bool found = false;
  for (const Json& waste : answer["waste"]) {
    if (waste["what"] != "memory_share") {
      continue;
    }
    found = true;
    const auto pool = [](const Json& of) {
      return fixtures::answer(of)["memory"]["per_gpu"]["kv_pool"]["best"].get<std::uint64_t>();
    };
    CHECK(waste["bytes"] == pool(waste["request"]) - pool(request));
    // 0.15 of 79.25 GiB, which all goes to the cache.
    CHECK(waste["bytes"].get<double>() / 1073741824.0 == Approx(0.15 * 79.25).epsilon(0.01));
  }
  CHECK(found);
}

TEST_CASE("cards that are not needed, an idle cache and copies are told", "[advise][waste]") {
  const auto waste_of = [](const Json& answer, const std::string& what) {
    for (const Json& waste : answer["waste"]) {
      if (waste["what"] == what) {
        return waste;
      }
    }
    return Json();
  };
  Json request =
      request_of("meta-llama--Meta-Llama-3-8B", "vllm", {{"id", "h100-sxm-80gb"}, {"count", 4}});
  request["workload"] = {{"context", 2048}, {"concurrency", 20}};
  const Json four = advised(request);
  const Json cards = waste_of(four, "cards");
  REQUIRE_FALSE(cards.is_null());
  // Twenty requests of 256 MiB fit beside 15 GiB of weights on one card.
  CHECK(cards["edit"]["gpu"]["count"] == 1);
  CHECK(broken_promise(four, 20) == "");

  Json idle = fixtures::request();
  idle["engine"]["args"] = {{"max-num-seqs", 4}};
  idle["workload"] = {{"context", 4096}};
  const Json capped = waste_of(advised(idle), "idle_cache");
  REQUIRE_FALSE(capped.is_null());
  CHECK(fixtures::answer(capped["request"])["capacity"]["max_requests"]["best"] > 50);

  Json latent = request_of("deepseek-ai--DeepSeek-V3", "sglang", {{"id", "h200"}, {"count", 8}});
  const Json copies = waste_of(advised(latent), "copies");
  REQUIRE_FALSE(copies.is_null());
  // Seven of the eight copies of every latent row.
  const auto pool = fixtures::answer(latent)["memory"]["per_gpu"]["kv_pool"]["best"];
  CHECK(copies["bytes"].get<std::uint64_t>() == pool.get<std::uint64_t>() * 7);
  CHECK(copies["edit"]["set"]["enable-dp-attention"] == true);
}
