#pragma once

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/api.hpp"
#include "engine/engine.hpp"
#include "hardware/device.hpp"
#include "json/fields.hpp"
#include "model/read.hpp"
#include "model/tensors.hpp"
#include "result.hpp"

/// What several tests share: the fixtures, and short ways to a model, a card and a report.
namespace fixtures {

using Json = nlohmann::json;

/// The text of tests/fixtures/configs/<name>.json; empty when there is no such file.
inline std::string text(std::string_view name) {
  std::ifstream file(std::string(RIDGEPOINT_FIXTURES) + "/configs/" + std::string(name) + ".json",
                     std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Read as the library reads it: some configs hold Infinity.
inline Json config(std::string_view name) {
  const auto parsed = ridgepoint::json::parse(text(name), std::string(name));
  if (!parsed) {
    FAIL(name << ": " << parsed.error().message);
  }
  return *parsed;
}

/// The tables of tests/fixtures/families: what is published of each fixture, with its source.
inline const std::vector<Json>& families() {
  static const std::vector<Json> rows = [] {
    std::vector<Json> all;
    for (const char* table : {"first", "dense", "moe", "hybrid", "towers"}) {
      std::ifstream file(std::string(RIDGEPOINT_FIXTURES) + "/families/" + table + ".json",
                         std::ios::binary);
      const std::string content{std::istreambuf_iterator<char>(file),
                                std::istreambuf_iterator<char>()};
      for (const Json& row : Json::parse(content)) {
        all.push_back(row);
      }
    }
    return all;
  }();
  return rows;
}

/// Every fixture that is a model's config.
inline const std::vector<std::string>& models() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Json& row : families()) {
      all.push_back(row["fixture"].get<std::string>());
    }
    return all;
  }();
  return names;
}

/// As the library gets it: numbers that came out of text and not from C++ literals.
inline Json parsed(const Json& value) { return Json::parse(value.dump()); }

inline ridgepoint::Result<ridgepoint::model::ModelSpec> try_model(const Json& config) {
  const Json text = parsed(config);
  ridgepoint::model::ModelRequest request;
  request.config = &text;
  return ridgepoint::model::read_model(request);
}

/// A config that must read; when it does not, the test that asked fails with the reader's words.
inline ridgepoint::model::ModelSpec model_of(const Json& config) {
  auto spec = try_model(config);
  if (!spec) {
    FAIL(spec.error().path << ": " << spec.error().message);
  }
  return spec.value();
}

inline ridgepoint::model::ModelSpec model(std::string_view fixture) {
  INFO("fixture " << fixture);
  return model_of(config(fixture));
}

inline ridgepoint::model::ParameterCounts parameters(const ridgepoint::model::ModelSpec& spec) {
  return ridgepoint::model::count_parameters(ridgepoint::model::tensors(spec));
}

inline ridgepoint::hardware::Device card(std::string_view id) {
  ridgepoint::hardware::DeviceRequest request;
  request.id = id;
  auto device = ridgepoint::hardware::make_device(request);
  if (!device) {
    FAIL(device.error().message);
  }
  return device.value();
}

/// A request for Meta-Llama-3-8B on one A100, to be changed in one place by a test.
inline Json request() {
  return Json{{"model", {{"config", config("meta-llama--Meta-Llama-3-8B")}}},
              {"gpu", {{"id", "a100-sxm-80gb"}}},
              {"engine", {{"name", "vllm"}, {"version", "0.28.0"}}}};
}

inline Json answer_to_text(std::string_view text) {
  const std::string answer = ridgepoint::api::evaluate(text);
  Json parsed = Json::parse(answer, nullptr, false);
  if (parsed.is_discarded()) {
    FAIL("the answer is not JSON: " << answer.substr(0, 400));
  }
  return parsed;
}

inline Json answer(const Json& request) { return answer_to_text(request.dump()); }

}  // namespace fixtures
