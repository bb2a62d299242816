// The derivation of an answer: whole, in order, and adding up to what the report says.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "api/api.hpp"
#include "fixtures.hpp"
#include "plan/step_rules.hpp"
#include "sampling.hpp"

using fixtures::Json;

namespace {

Json explained(const Json& request) {
  return Json::parse(ridgepoint::api::explain(request.dump()));
}

Json request_of(const std::string& model, const std::string& engine, Json gpu) {
  return Json{{"model", {{"config", fixtures::config(model)}}},
              {"gpu", std::move(gpu)},
              {"engine", {{"name", engine}, {"args", Json::object()}}},
              {"workload", {{"context", 2048}}}};
}

/// The steps by their term; a term is there once.
std::map<std::string, Json> by_term(const Json& answer) {
  std::map<std::string, Json> steps;
  for (const Json& step : answer["steps"]) {
    CHECK(steps.emplace(step["term"].get<std::string>(), step).second);
  }
  return steps;
}

double value(const std::map<std::string, Json>& steps, const std::string& term) {
  const auto found = steps.find(term);
  if (found == steps.end()) {
    FAIL("no step " << term);
  }
  return found->second["value"].get<double>();
}

/// All terms that begin so, added up.
double sum_of(const std::map<std::string, Json>& steps, const std::string& start) {
  double sum = 0;
  for (const auto& [term, step] : steps) {
    sum += term.rfind(start, 0) == 0 ? step["value"].get<double>() : 0.0;
  }
  return sum;
}

std::string incomplete(const Json& answer) {
  const std::set<std::string> groups = {"model", "weights",  "claim",   "terms", "pool",
                                        "cache", "capacity", "verdict", "speed"};
  std::uint64_t number = 0;
  std::set<std::string> seen;
  std::string last;
  for (const Json& step : answer["steps"]) {
    const std::string term = step["term"];
    if (step["number"].get<std::uint64_t>() != ++number) {
      return term + " has another number";
    }
    for (const char* key : {"formula", "with_numbers", "unit", "rule", "source"}) {
      if (step[key].get<std::string>().empty()) {
        return term + " has no " + key;
      }
    }
    const std::string group = step["group"];
    if (groups.count(group) == 0) {
      return term + " is in no group";
    }
    if (group != last && !seen.insert(group).second) {
      return "the group " + group + " is torn apart at " + term;
    }
    last = group;
  }
  return {};
}

/// The first sum of the chain that does not hold, whatever the engine.
std::string wrong_sum(const std::map<std::string, Json>& steps, const Json& report) {
  const auto differs = [](double a, double b) { return std::fabs(a - b) > 0.5; };
  if (differs(sum_of(steps, "model.parameters."), value(steps, "model.parameters"))) {
    return "parameters by part";
  }
  if (steps.count("weights.parts") != 0) {
    if (differs(sum_of(steps, "weights.part."), value(steps, "weights.parts"))) {
      return "weights by part";
    }
    const double added = steps.count("weights.added") != 0 ? value(steps, "weights.added")
                                                           : -value(steps, "weights.kept_out");
    if (differs(value(steps, "weights.parts") + added, value(steps, "weights"))) {
      return "weights of a GPU";
    }
  }
  double kinds = 0;
  for (const auto& [term, step] : steps) {
    kinds += term.rfind("cache.", 0) == 0 ? step["value"].get<double>() : 0.0;
  }
  if (kinds != 0 && differs(kinds, value(steps, "bytes_per_token"))) {
    return "bytes a token by kind of layer";
  }
  const bool spare = steps.count("verdict.spare") != 0;
  const double rest = spare ? value(steps, "verdict.spare") : -value(steps, "verdict.missing");
  if (differs(value(steps, "verdict.needed") + rest, value(steps, "verdict.available"))) {
    return "verdict";
  }
  const bool serves = report["verdict"]["serves"];
  if (serves && steps.count("requests_of_replicas") != 0 &&
      differs(value(steps, "requests_of_replicas"), value(steps, "max_requests"))) {
    return "requests of replicas";
  }
  return {};
}

/// The sums of one engine, of a start that serves.
std::string wrong_engine_sum(const std::string& engine, const std::map<std::string, Json>& steps) {
  const auto differs = [](double a, double b, double by) { return std::fabs(a - b) > by; };
  if (engine == "vllm") {
    const double left = value(steps, "requested") - value(steps, "weights") -
                        value(steps, "activation") - value(steps, "non_torch") -
                        value(steps, "cuda_graphs_charged");
    if (differs(left, value(steps, "kv_pool"), 0.5)) {
      return "kv_pool";
    }
    if (steps.count("bytes_per_block") != 0) {
      const double whole = std::floor(value(steps, "kv_pool") / value(steps, "bytes_per_block"));
      if (differs(whole, value(steps, "blocks"), 0.5)) {
        return "blocks";
      }
      const double requests =
          std::floor(value(steps, "blocks") / value(steps, "blocks_per_request"));
      if (value(steps, "max_requests") > requests + 0.5) {
        return "max_requests";
      }
    }
  } else if (engine == "sglang") {
    const double loss = steps.count("sizing_loss") != 0 ? value(steps, "sizing_loss") : 0.0;
    if (differs(value(steps, "requested") - value(steps, "weights") - loss, value(steps, "rest"),
                2.5)) {
      return "rest";
    }
    if (differs(value(steps, "pre_model_load_memory") * value(steps, "mem_fraction_static"),
                value(steps, "requested"), 1.5)) {
      return "requested";
    }
  } else if (engine == "trtllm") {
    const double peak = value(steps, "weights") + value(steps, "activation") +
                        value(steps, "non_torch") + value(steps, "cuda_graphs_charged");
    if (differs(peak, value(steps, "peak"), 0.5)) {
      return "peak";
    }
  } else {
    const double total = value(steps, "weights") + value(steps, "kv_pool") +
                         value(steps, "activation") + value(steps, "non_torch");
    if (differs(total, value(steps, "total"), 0.5)) {
      return "total";
    }
    if (steps.count("kv_pool.full") != 0 &&
        differs(sum_of(steps, "kv_pool."), value(steps, "kv_pool"), 0.5)) {
      return "kv_pool by kind";
    }
  }
  return {};
}

std::string other_than_reported(const std::map<std::string, Json>& steps, const Json& report) {
  const Json& gpu = report["memory"]["per_gpu"];
  const Json& cache = report["cache"];
  const Json& capacity = report["capacity"];
  const std::vector<std::pair<std::string, Json>> fields = {
      {"model.parameters", report["model"]["parameters"]},
      {"model.checkpoint_bytes", report["model"]["checkpoint_bytes"]},
      {"card.total", gpu["total"]},
      {"requested", gpu["requested"]},
      {"weights", gpu["weights"]["best"]},
      {"activation", gpu["activation"]["best"]},
      {"non_torch", gpu["non_torch"]["best"]},
      {"cuda_graphs", gpu["cuda_graphs"]["best"]},
      {"cuda_graphs_charged", gpu["cuda_graphs_charged"]["best"]},
      {"kv_pool", gpu["kv_pool"]["best"]},
      {"bytes_per_token", cache["bytes_per_token"]},
      {"bytes_per_request", cache["bytes_per_request"]},
      {"state_bytes_per_request", cache["state_bytes_per_request"]},
      {"block_tokens", cache["block_tokens"]},
      {"blocks", cache["blocks"]["best"]},
      {"tokens", cache["tokens"]["best"]},
      {"max_concurrency", capacity["max_concurrency"]["best"]},
      {"max_requests", capacity["max_requests"]["best"]},
      {"max_context", capacity["max_context"]},
      {"verdict.needed", report["verdict"]["needed_bytes"]},
      {"verdict.available", report["verdict"]["available_bytes"]},
      {"naive.bytes_per_token", report["naive"]["bytes_per_token"]}};
  for (const auto& [term, field] : fields) {
    const auto found = steps.find(term);
    if (found == steps.end() || field.is_null()) {
      continue;
    }
    const double shown = found->second["value"].get<double>();
    if (std::fabs(shown - field.get<double>()) > 1e-9 * std::fabs(shown) + 1e-9) {
      return term + ": " + found->second["value"].dump() + " and not " + field.dump();
    }
  }
  return {};
}

}  // namespace

TEST_CASE("the derivation of Llama-3-8B on an A100 adds up by hand", "[explain]") {
  // 2 x 8 heads x 128 x 2 bytes x 32 layers = 131,072 bytes a token; 16 tokens a block; parameters
  // as published (tests/fixtures/README.md).
  Json request = fixtures::request();
  request["workload"] = {{"context", 8192}};
  const auto steps = by_term(explained(request));
  CHECK(value(steps, "model.parameters") == 8030261248.0);
  CHECK(value(steps, "model.parameters.embedding") == 128256.0 * 4096.0);
  CHECK(value(steps, "cache.full") == 131072.0);
  CHECK(value(steps, "bytes_per_token") == 131072.0);
  CHECK(value(steps, "bytes_per_block") == 16.0 * 131072.0);
  CHECK(value(steps, "blocks_per_request") == 512.0);
  CHECK(value(steps, "bytes_per_request") == 8192.0 * 131072.0);
}

TEST_CASE("every derivation is whole, adds up and says what the report says", "[explain]") {
  const char* const cards[] = {"h100-sxm-80gb", "rtx-4090", "b200"};
  const auto& names = fixtures::models();
  std::map<std::string, std::size_t> sized;
  constexpr std::size_t kStride = tests::sampled(11);
  for (std::size_t i = 0; i < names.size(); i += kStride) {
    for (const char* engine : {"vllm", "sglang", "trtllm", "llamacpp"}) {
      Json request = request_of(names[i], engine, {{"id", cards[i % 3]}, {"count", 1 + i % 2}});
      INFO(names[i] << " on " << engine);
      const Json report = fixtures::answer(request);
      const Json answer = explained(request);
      if (report.contains("error")) {
        CHECK(answer["error"] == report["error"]);
        continue;
      }
      CHECK(answer["verdict"] == report["verdict"]);
      CHECK(answer["assumptions"] == report["assumptions"]);
      CHECK(incomplete(answer) == "");
      const auto steps = by_term(answer);
      CHECK(wrong_sum(steps, report) == "");
      if (report["verdict"]["serves"].get<bool>()) {
        CHECK(wrong_engine_sum(engine, steps) == "");
      }
      CHECK(other_than_reported(steps, report) == "");
      for (const char* term :
           {"model.parameters", "model.checkpoint_bytes", "ranks", "card.total", "weights",
            "activation", "non_torch", "kv_pool", "bytes_per_token", "blocks", "tokens",
            "max_concurrency", "max_context", "max_requests", "verdict.needed"}) {
        CHECK(steps.count(term) == 1);
      }
      ++sized[engine];
    }
  }
  for (const char* engine : {"vllm", "sglang", "trtllm", "llamacpp"}) {
    CHECK(sized[engine] > names.size() / kStride / 2);
  }
}

TEST_CASE("every term of a report has a rule of its own", "[explain]") {
  for (const char* engine : {"vllm", "sglang", "trtllm", "llamacpp"}) {
    for (const char* model :
         {"meta-llama--Meta-Llama-3-8B", "deepseek-ai--DeepSeek-V3", "openai--gpt-oss-20b",
          "Qwen--Qwen3-Next-80B-A3B-Instruct", "google--gemma-3-27b-it"}) {
      const Json report =
          fixtures::answer(request_of(model, engine, {{"id", "b200"}, {"count", 8}}));
      INFO(model << " on " << engine);
      REQUIRE_FALSE(report.contains("error"));
      for (const Json& step : report["explain"]) {
        const std::string term = step["term"];
        INFO(term);
        CHECK(ridgepoint::plan::find_step_rule(engine, term) != nullptr);
      }
    }
  }
}

TEST_CASE("a measured term says so and the chain goes on from it", "[explain]") {
  Json request = fixtures::request();
  request["measured"] = {{"weights_bytes", 16000000000ULL}};
  const auto steps = by_term(explained(request));
  CHECK(value(steps, "weights") == 16000000000.0);
  CHECK(steps.at("weights")["formula"].get<std::string>().find("measured") != std::string::npos);
  CHECK(wrong_engine_sum("vllm", steps) == "");
}

TEST_CASE("an error is the error of the estimate", "[explain]") {
  const Json answer = explained(Json{{"id", "a"}, {"gpu", {{"id", "no-such-card"}}}});
  CHECK(answer.contains("error"));
  CHECK(answer["id"] == "a");
}
