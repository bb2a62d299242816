#include "plan/compare.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "api/api.hpp"
#include "fixtures.hpp"
#include "sampling.hpp"
#include "setup_set.hpp"

using fixtures::Json;
namespace plan = ridgepoint::plan;
namespace engine = ridgepoint::engine;

namespace {

plan::Setup setup_of(const setups::Computed& computed) {
  return {computed.request, computed.report.memory};
}

std::int64_t pool_of(const setups::Computed& computed) {
  return static_cast<std::int64_t>(computed.report.memory.kv_pool.best);
}

std::int64_t requests_of(const setups::Computed& computed) {
  return static_cast<std::int64_t>(computed.report.memory.max_requests.best);
}

std::int64_t sum_of(const std::vector<plan::TermDifference>& terms) {
  std::int64_t sum = 0;
  for (const plan::TermDifference& term : terms) {
    sum += term.difference;
  }
  return sum;
}

std::string told(const setups::Computed& computed) {
  Json short_form = computed.json;
  short_form["model"].erase("config");
  return short_form.dump();
}

Json compare(const Json& a, const Json& b) {
  const Json query{{"setups", {{{"request", a}}, {{"request", b}}}}};
  const Json answer = Json::parse(ridgepoint::api::compare(query.dump()));
  INFO(answer.dump().substr(0, 400));
  REQUIRE_FALSE(answer.contains("error"));
  return answer;
}

/// The term of a list by its name; null when it is not there.
Json term(const Json& list, const std::string& name) {
  for (const Json& entry : list.at("terms")) {
    if (entry.at("term") == name) {
      return entry;
    }
  }
  return nullptr;
}

Json with(Json request, const char* flag, const Json& value) {
  request["engine"]["args"][flag] = value;
  return request;
}

}  // namespace

TEST_CASE("the set that comparisons are tried on is as mixed as it should be", "[compare]") {
  const auto& all = setups::all();
  REQUIRE(all.size() == 100);
  std::map<std::string, int> engines;
  std::set<engine::Limit> limits;
  int refused = 0;
  int several_pools = 0;
  for (const auto& one : all) {
    ++engines[std::string(one.request.engine->name)];
    limits.insert(one.report.memory.limit);
    refused += one.report.memory.limit == engine::Limit::none ? 0 : 1;
    several_pools += one.report.memory.pools.size() > 1 ? 1 : 0;
  }
  CHECK(engines.size() == 4);
  CHECK(refused >= 20);
  CHECK(refused <= 60);
  CHECK(limits.size() >= 4);
  CHECK(several_pools >= 5);
}

TEST_CASE("a card's memory is its pool and named terms, to the byte", "[compare]") {
  for (const auto& one : setups::all()) {
    INFO(told(one));
    const engine::MemoryPlan& memory = one.report.memory;
    auto sum = static_cast<std::int64_t>(memory.kv_pool.best);
    for (const engine::Charge& charge : plan::pool_terms(memory)) {
      INFO(charge.term);
      CHECK_FALSE(charge.what.empty());
      CHECK(charge.term != "unattributed");
      sum += charge.bytes;
    }
    CHECK(sum == static_cast<std::int64_t>(memory.total_bytes));
  }
}

TEST_CASE("the rules of an engine end at the requests it serves", "[compare]") {
  for (const auto& one : setups::all()) {
    INFO(told(one));
    const engine::MemoryPlan& memory = one.report.memory;
    REQUIRE_FALSE(memory.holding.rules.empty());
    if (memory.limit == engine::Limit::none) {
      CHECK(memory.holding.rules.back().requests * memory.holding.replicas ==
            memory.max_requests.best);
    }
  }
}

TEST_CASE("rounding takes less than the pool is short of one request", "[compare]") {
  // Before any rule the count is the pool over a request's bytes. Where blocks are all that stands
  // between, whole blocks make a request larger by less than one block a group.
  for (const auto& one : setups::all()) {
    const engine::Holding& holding = one.report.memory.holding;
    if (holding.request_bytes == 0 || holding.rules.front().term != "whole_blocks" ||
        holding.pool_bytes == 0) {
      continue;
    }
    INFO(told(one));
    const double smooth = static_cast<double>(holding.pool_bytes) / holding.request_bytes;
    const auto whole = static_cast<double>(holding.rules.front().requests);
    // llama.cpp's slots that share cells share a window too.
    const bool shares = one.request.engine->name == "llamacpp";
    CHECK((shares || whole <= smooth * 1.02 + 1));
    // Windows are kept in whole groups, and further slots make compute buffers larger.
    CHECK(whole >= smooth * 0.5 - 1);
  }
}

TEST_CASE("pool and request terms add up on every pair of setups", "[compare]") {
  const auto& all = setups::all();
  for (const auto& a : all) {
    for (const auto& b : all) {
      const plan::Setup from = setup_of(a);
      const plan::Setup to = setup_of(b);
      const auto pool = plan::pool_differences(from, to);
      const auto requests = plan::request_differences(from, to, pool);
      const std::int64_t pool_gap = pool_of(b) - pool_of(a);
      const std::int64_t requests_gap = requests_of(b) - requests_of(a);
      if (sum_of(pool) != pool_gap || sum_of(requests) != requests_gap) {
        INFO(told(a) << " to " << told(b));
        CHECK(sum_of(pool) == pool_gap);
        CHECK(sum_of(requests) == requests_gap);
      }
      for (const auto* list : {&pool, &requests}) {
        for (const plan::TermDifference& entry : *list) {
          const std::int64_t moved = entry.to - entry.from;
          const bool of_pool = list == &pool && entry.term != "card";
          if (entry.difference != (of_pool ? -moved : moved) || entry.what.empty()) {
            FAIL(told(a) << " to " << told(b) << ": " << entry.term);
          }
        }
      }
    }
  }
  SUCCEED();
}

TEST_CASE("changes one after the other add up on every pair of setups", "[compare]") {
  const auto& all = setups::all();
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); j += tests::sampled(83)) {
      const auto path = plan::change_path(setup_of(all[i]), setup_of(all[j]));
      std::int64_t pool = 0;
      std::int64_t requests = 0;
      for (const plan::PathStep& step : path) {
        pool += step.pool_difference;
        requests += step.requests_difference;
        if (step.what == "other settings" || step.what.empty()) {
          INFO(told(all[i]) << " to " << told(all[j]));
          CHECK(step.what == "a named edit");
        }
      }
      if (pool != pool_of(all[j]) - pool_of(all[i]) ||
          requests != requests_of(all[j]) - requests_of(all[i])) {
        INFO(told(all[i]) << " to " << told(all[j]));
        CHECK(pool == pool_of(all[j]) - pool_of(all[i]));
        CHECK(requests == requests_of(all[j]) - requests_of(all[i]));
      }
    }
  }
  SUCCEED();
}

TEST_CASE("a comparison in JSON adds up as its typed one does", "[compare]") {
  const auto& all = setups::all();
  Json query{{"id", "six"}, {"setups", Json::array()}};
  for (const std::size_t i : {0U, 7U, 30U, 55U, 80U, 99U}) {
    query["setups"].push_back({{"label", "setup " + std::to_string(i)}, {"request", all[i].json}});
  }
  const Json answer = Json::parse(ridgepoint::api::compare(query.dump()));
  REQUIRE_FALSE(answer.contains("error"));
  CHECK(answer.at("id") == "six");
  CHECK(answer.at("kind") == "compare");
  REQUIRE(answer.at("setups").size() == 6);
  REQUIRE(answer.at("differences").size() == 5);
  for (std::size_t i = 0; i < 6; ++i) {
    const Json& setup = answer.at("setups").at(i);
    CHECK(setup.at("label") == query["setups"][i]["label"].get<std::string>());
    CHECK(setup.at("report").dump() == fixtures::answer(query["setups"][i]["request"]).dump());
    std::int64_t sum = setup.at("split").at("kv_pool");
    for (const Json& entry : setup.at("split").at("terms")) {
      sum += entry.at("bytes").get<std::int64_t>();
    }
    CHECK(sum == setup.at("split").at("total").get<std::int64_t>());
  }
  for (const Json& difference : answer.at("differences")) {
    for (const char* what : {"pool", "requests"}) {
      const Json& part = difference.at(what);
      std::int64_t sum = 0;
      for (const Json& entry : part.at("terms")) {
        sum += entry.at("difference").get<std::int64_t>();
      }
      CHECK(sum == part.at("difference").get<std::int64_t>());
      CHECK(part.at("from").get<std::int64_t>() + sum == part.at("to").get<std::int64_t>());
    }
    CHECK(difference.at("text").size() >= 2);
    CHECK(difference.at("text").size() <= 5);
  }
}

TEST_CASE("a larger share is one term of the pool and nothing else", "[compare]") {
  // The A100's 85,094,039,552 bytes: ceil(x 0.95) - ceil(x 0.90) = 80,839,337,575 - 76,584,635,597.
  const Json base = fixtures::request();
  const Json answer = compare(with(base, "gpu-memory-utilization", 0.90),
                              with(base, "gpu-memory-utilization", 0.95));
  const Json& difference = answer.at("differences").at(0);
  REQUIRE(answer.at("setups").at(0).at("split").at("total") == 85094039552);
  CHECK(difference.at("pool").at("difference") == 4254701978);
  CHECK(term(difference.at("pool"), "not_claimed").at("difference") == 4254701978);
  CHECK(term(difference.at("pool"), "weights").at("difference") == 0);
  // 3.96 GiB more at 1 GiB a request of 8,192 tokens (131,072 bytes a token).
  CHECK(difference.at("requests").at("difference") == 4);
  REQUIRE(difference.at("requests").at("terms").size() == 1);
  CHECK(difference.at("requests").at("terms").at(0).at("term") == "not_claimed");
  REQUIRE(difference.at("changes").size() == 1);
  CHECK(difference.at("changes").at(0).at("what") == "--gpu-memory-utilization");
  CHECK(difference.at("changes").at(0).at("from") == "0.9");
  CHECK(difference.at("changes").at(0).at("pool_difference") == 4254701978);
}

TEST_CASE("two GPUs halve the weights and what a request takes of each", "[compare]") {
  const Json base = fixtures::request();
  Json two = base;
  two["gpu"]["count"] = 2;
  const Json answer = compare(base, two);
  const Json& difference = answer.at("differences").at(0);
  const Json weights = term(difference.at("pool"), "weights");
  const auto from = weights.at("from").get<double>();
  // Llama-3-8B's 16,060,522,496 bytes less half, and the table of positions, which is whole.
  CHECK(weights.at("difference").get<double>() == Approx(from / 2).epsilon(0.002));
  CHECK(weights.at("why").get<std::string>().find("TP 2 instead of 1 GPU") != std::string::npos);
  const Json geometry = term(difference.at("requests"), "geometry");
  CHECK(geometry.at("to").get<double>() == Approx(geometry.at("from").get<double>() * 2).margin(1));
  CHECK(geometry.at("why").get<std::string>().find("0.50 GiB") != std::string::npos);
  CHECK(difference.at("changes").at(0).at("what") == "parallelism");
}

TEST_CASE("a sequence cap is a term of its own", "[compare]") {
  // 55 requests fit and 16 may run: the cap takes 39.
  const Json base = fixtures::request();
  const Json answer = compare(base, with(base, "max-num-seqs", 16));
  const Json& difference = answer.at("differences").at(0);
  const Json cap = term(difference.at("requests"), "sequence_cap");
  CHECK(difference.at("requests").at("to") == 16);
  CHECK(cap.at("from") == 0);
  CHECK(cap.at("to").get<int>() <= -39);
  CHECK(cap.at("why").get<std::string>().find("at most 16") != std::string::npos);
}

TEST_CASE("blocks of 128 tokens round a request of 1,000 up to 1,024", "[compare]") {
  Json base = fixtures::request();
  base["workload"]["context"] = 1000;
  base = with(base, "max-num-seqs", 2048);
  const Json answer = compare(with(base, "block-size", 16), with(base, "block-size", 128));
  const Json& requests = answer.at("differences").at(0).at("requests");
  const Json rounding = term(requests, "whole_blocks");
  REQUIRE(rounding.is_object());
  // 1,008 tokens in blocks of 16, and 1,024 in those of 128: 8 parts of 1,000 and 24.
  const double smooth = requests.at("from").get<double>() * 1.008;
  CHECK(rounding.at("from").get<double>() == Approx(-smooth * (1 - 1 / 1.008)).margin(1.5));
  CHECK(rounding.at("to").get<double>() == Approx(-smooth * (1 - 1 / 1.024)).margin(1.5));
  CHECK(rounding.at("why") == "blocks of 128 instead of 16");
}

TEST_CASE("a start that fails has no pool, and the shortfall is a term", "[compare]") {
  const Json base = fixtures::request();
  Json small = base;
  small["gpu"]["id"] = "rtx-4090";
  Json large = small;
  large["model"] = {{"config", fixtures::config("Qwen--Qwen3-32B")}};
  const Json answer = compare(base, large);
  const Json& difference = answer.at("differences").at(0);
  CHECK(answer.at("setups").at(1).at("report").at("verdict").at("serves") == false);
  CHECK(difference.at("pool").at("to") == 0);
  CHECK(term(difference.at("pool"), "shortfall").at("to").get<std::int64_t>() < 0);
  std::string text;
  for (const Json& sentence : difference.at("text")) {
    text += sentence.get<std::string>() + " ";
  }
  INFO(text);
  CHECK(text.find("B does not serve, for weights") != std::string::npos);
  CHECK(text.find("are missing") != std::string::npos);
}

TEST_CASE("another engine's terms are told apart", "[compare]") {
  const Json base = fixtures::request();
  Json other = base;
  other["engine"] = {{"name", "sglang"}};
  const Json answer = compare(base, other);
  const Json& difference = answer.at("differences").at(0);
  // SGLang charges no activations: they live in what its fraction leaves.
  CHECK(term(difference.at("pool"), "activation").at("from").get<std::int64_t>() > 0);
  CHECK(term(difference.at("pool"), "activation").at("to") == 0);
  CHECK(difference.at("changes").at(0).at("what") == "engine");
}

TEST_CASE("an edit that no state holds alone is named with the next", "[compare]") {
  // vLLM finds the longest length that fits from 0.14 on: with 0.11 the flag has to go too.
  Json base = fixtures::request();
  base["engine"]["version"] = "0.11.0";
  const Json other = with(fixtures::request(), "max-model-len", "auto");
  const Json answer = compare(other, base);
  const Json& changes = answer.at("differences").at(0).at("changes");
  bool merged = false;
  for (const Json& change : changes) {
    merged = merged || change.at("what") == "version, --max-model-len";
  }
  INFO(changes.dump());
  CHECK(merged);
}

TEST_CASE("what is wrong with a comparison is told by its path", "[compare]") {
  const Json good{{"request", fixtures::request()}};
  Json bad = good;
  bad["request"]["engine"]["args"]["max-num-seqz"] = 3;
  struct Case {
    Json query;
    const char* path;
  };
  Json unknown = good;
  unknown["name"] = "x";
  const std::vector<Case> cases{
      {{{"setups", Json::array({good, bad})}}, "setups[1].request.engine.args.max-num-seqz"},
      {{{"setups", Json::array({good})}}, "setups"},
      {{{"setups", Json(17, good)}}, "setups"},
      {{{"setups", 3}}, "setups"},
      {Json::object(), "setups"},
      {{{"setups", Json::array({good, 5})}}, "setups[1]"},
      {{{"setups", Json::array({Json::object(), good})}}, "setups[0].request"},
      {{{"setups", Json::array({unknown, good})}}, "setups[0].name"},
      {{{"setups", Json::array({{{"request", 7}}, good})}}, "setups[0].request"},
      {{{"setups", Json::array({good, good})}, {"label", 1}}, "label"},
  };
  for (const Case& one : cases) {
    const Json answer = Json::parse(ridgepoint::api::compare(one.query.dump()));
    INFO(one.path);
    REQUIRE(answer.contains("error"));
    CHECK(answer.at("error").at("path") == one.path);
    CHECK(answer.at("error").at("message").get<std::string>().size() > 20);
  }
}
