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

inline Json config(std::string_view name) { return Json::parse(text(name)); }

/// Every fixture that is a model's config.
inline const std::vector<std::string>& models() {
  static const std::vector<std::string> names = {
      "meta-llama--Meta-Llama-3-8B",
      "meta-llama--Meta-Llama-3-70B",
      "casperhansen--llama-3-70b-instruct-awq",
      "meta-llama--Llama-2-7b-hf",
      "mistralai--Mistral-7B-v0.1",
      "mistralai--Mistral-7B-v0.3",
      "Qwen--Qwen2.5-7B",
      "Qwen--Qwen2.5-0.5B",
      "Qwen--Qwen3-8B",
      "Qwen--Qwen3-8B-FP8",
      "Qwen--Qwen3-30B-A3B",
      "Qwen--Qwen1.5-MoE-A2.7B",
      "mistralai--Mixtral-8x7B-v0.1",
      "microsoft--Phi-3-mini-128k-instruct",
      "google--gemma-7b",
      "01-ai--Yi-6B",
      "ibm-granite--granite-3.1-8b-instruct",
      "deepseek-ai--DeepSeek-V2-Lite",
      "deepseek-ai--DeepSeek-V2",
      "deepseek-ai--DeepSeek-V3",
      "deepseek-ai--DeepSeek-R1-Distill-Qwen-14B",
      "moonshotai--Kimi-K2-Instruct",
      "openai--gpt-oss-20b",
      "Qwen--Qwen2.5-7B-Instruct-GPTQ-Int4",
      "unsloth--Meta-Llama-3.1-8B-bnb-4bit",
      "RedHatAI--Meta-Llama-3.1-8B-Instruct-quantized.w4a16",
      "RedHatAI--Meta-Llama-3.1-8B-Instruct-FP8-dynamic",
      "nvidia--Qwen3-8B-NVFP4",
  };
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
