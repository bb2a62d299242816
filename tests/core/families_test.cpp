#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
#include <string>

#include "cache/geometry.hpp"
#include "fixtures.hpp"
#include "weights/weights.hpp"

using fixtures::Json;

namespace model = ridgepoint::model;
namespace precision = ridgepoint::precision;

TEST_CASE("each family's fixture is counted and its cache laid out as published") {
  // Every figure in the tables has its source beside it.
  for (const Json& row : fixtures::families()) {
    const auto name = row["fixture"].get<std::string>();
    INFO(name << ": " << row["parameters_source"] << "; " << row["cache_source"]);
    const model::ModelSpec spec = fixtures::model(name);
    const model::ParameterCounts counts = fixtures::parameters(spec);
    CHECK(counts.total == row["parameters"]);
    CHECK(counts.mtp == row["mtp_parameters"]);
    const auto geometry = ridgepoint::cache::geometry(spec, precision::KvFormat::model_dtype,
                                                      precision::Dtype::bfloat16);
    CHECK(geometry.bytes_per_token == row["bytes_per_token"]);
    CHECK(geometry.growing_bytes_per_token == row["growing_bytes_per_token"]);
    CHECK(geometry.state_bytes == row["state_bytes"]);
    if (row.contains("checkpoint_bytes")) {
      CHECK(ridgepoint::weights::checkpoint_bytes(spec, model::tensors(spec)) ==
            row["checkpoint_bytes"]);
    }
  }
}

TEST_CASE("the tables of families are whole") {
  std::set<std::string> seen;
  for (const Json& row : fixtures::families()) {
    const auto name = row["fixture"].get<std::string>();
    INFO(name);
    CHECK(seen.insert(name).second);
    for (const char* key : {"family", "parameters_source", "cache_source"}) {
      CHECK(!row[key].get<std::string>().empty());
    }
  }
  CHECK(seen.size() >= 60);
}

TEST_CASE("the parts of a model add up to it") {
  for (const std::string& name : fixtures::models()) {
    INFO(name);
    const model::ParameterCounts counts = fixtures::parameters(fixtures::model(name));
    std::uint64_t total = 0;
    std::uint64_t active = 0;
    for (std::size_t part = 0; part < model::kParts; ++part) {
      total += counts.by_part[part];
      active += counts.active_by_part[part];
      CHECK(counts.active_by_part[part] <= counts.by_part[part]);
    }
    CHECK(total == counts.total + counts.mtp);
    CHECK(active == counts.active);
  }
}

TEST_CASE("a fixture that fits is served, and one that does not is told why") {
  for (const std::string& name : fixtures::models()) {
    INFO(name);
    Json request = fixtures::request();
    request["model"]["config"] = fixtures::config(name);
    request["gpu"] = {{"id", "b200"}, {"total_bytes", 1ULL << 46U}};
    request["workload"] = {{"context", 64}};
    const Json said = fixtures::answer(request);
    REQUIRE(!said.contains("error"));
    CHECK(said["model"]["layers"] > 0);
    CHECK(said["memory"]["per_gpu"]["weights"]["best"] > 0);
    if (said["verdict"]["limit"] == "architecture") {
      CHECK(said["verdict"]["text"].get<std::string>().find("vLLM") != std::string::npos);
      continue;
    }
    CHECK(said["verdict"]["serves"] == true);
    CHECK(said["capacity"]["max_requests"]["best"] > 0);
  }
}
