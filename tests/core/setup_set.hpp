#pragma once

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "api/request.hpp"
#include "fixtures.hpp"
#include "plan/fit.hpp"

/// A hundred setups of every engine that are as unlike each other as can be: models of all designs,
/// cards of all sizes, old and new versions, flags of all kinds, starts that fail.
namespace setups {

using Json = nlohmann::json;

struct Computed {
  Json json;
  ridgepoint::plan::Request request;
  ridgepoint::plan::Report report;
};

struct Way {
  const char* version;
  Json args;
};

inline const std::vector<std::string>& models() {
  static const std::vector<std::string> names{
      "meta-llama--Meta-Llama-3-8B",
      "Qwen--Qwen3-32B",
      "google--gemma-3-27b-it",
      "deepseek-ai--DeepSeek-V2-Lite",
      "openai--gpt-oss-20b",
      "Qwen--Qwen3-30B-A3B",
      "nvidia--NVIDIA-Nemotron-Nano-9B-v2",
      "Qwen--Qwen2.5-7B-Instruct-GPTQ-Int4",
      "meta-llama--Meta-Llama-3-70B",
      "Qwen--Qwen3-Next-80B-A3B-Instruct",
      "mistralai--Mistral-7B-v0.1",
      "Qwen--Qwen2.5-0.5B",
      "google--gemma-2-9b",
      "Qwen--Qwen3-8B-FP8",
      "mistralai--Mixtral-8x7B-v0.1",
      "microsoft--Phi-3-mini-128k-instruct",
      "Qwen--Qwen2.5-VL-7B-Instruct",
  };
  return names;
}

inline Json card(std::size_t number) {
  static const std::array<Json, 9> cards{Json{{"id", "a100-sxm-80gb"}},
                                         Json{{"id", "h100-sxm-80gb"}},
                                         Json{{"id", "rtx-4090"}},
                                         Json{{"id", "b200"}},
                                         Json{{"id", "l4"}},
                                         Json{{"id", "h200-sxm"}},
                                         Json{{"id", "a10"}},
                                         Json{{"id", "a100-sxm-40gb"}},
                                         Json{{"id", "l40s"}}};
  Json chosen = cards[number % cards.size()];
  chosen["count"] = std::array<int, 5>{1, 2, 1, 4, 1}[number % 5];
  return chosen;
}

inline const std::vector<Way>& ways(const std::string& engine) {
  static const std::vector<Way> vllm{
      {"0.28.0", {{"gpu-memory-utilization", 0.9}}},
      {"0.11.0", {{"max-num-seqs", 16}, {"kv-cache-dtype", "fp8"}}},
      {"0.21.0", {{"enforce-eager", true}, {"max-num-batched-tokens", 32768}}},
      {"0.8.5", {{"gpu-memory-utilization", 0.95}}},
      {"0.24.0", {{"num-gpu-blocks-override", 700}}},
      {"0.28.0", {{"kv-cache-memory-bytes", 4294967296}, {"block-size", 32}}},
      {"0.18.0", {{"cpu-offload-gb", 4}, {"gpu-memory-utilization", 0.8}}}};
  static const std::vector<Way> sglang{
      {"0.5.17", Json::object()},
      {"0.4.6", {{"mem-fraction-static", 0.85}}},
      {"0.5.10", {{"max-running-requests", 24}, {"page-size", 64}}},
      {"0.5.17", {{"max-total-tokens", 50000}}},
      {"0.5.5", {{"disable-radix-cache", true}, {"chunked-prefill-size", 2048}}},
      {"0.5.13", {{"mem-fraction-static", 0.6}, {"kv-cache-dtype", "fp8_e4m3"}}}};
  static const std::vector<Way> trtllm{
      {"1.2.0", Json::object()},
      {"0.20.0", {{"free-gpu-memory-fraction", 0.7}}},
      {"1.2.0", {{"max-batch-size", 32}, {"max-num-tokens", 2048}}},
      {"1.1.0", {{"kv-cache-config.max-tokens", 40000}}},
      {"1.3.0", {{"free-gpu-memory-fraction", 0.95}, {"max-num-tokens", 32768}}}};
  static const std::vector<Way> llamacpp{
      {"", Json::object()},
      {"", {{"ctx-size", 32768}, {"parallel", 4}}},
      {"", {{"model", "model-Q4_K_M.gguf"}}},
      {"", {{"model", "model-Q8_0.gguf"}, {"ctx-size", 16384}, {"ubatch-size", 2048}}},
      {"", {{"fit", "off"}, {"n-gpu-layers", 12}}},
      {"b4500", {{"ctx-size", 8192}}}};
  return engine == "vllm"     ? vllm
         : engine == "sglang" ? sglang
         : engine == "trtllm" ? trtllm
                              : llamacpp;
}

inline Json request(const std::string& engine, std::size_t number) {
  const auto& names = models();
  const Way& way = ways(engine)[number % ways(engine).size()];
  Json made{{"model",
             {{"config", fixtures::config(names[number % names.size()])},
              {"id", names[number % names.size()]}}},
            {"gpu", card(number)},
            {"engine", {{"name", engine}, {"args", way.args}}}};
  if (*way.version != 0) {
    made["engine"]["version"] = way.version;
  }
  if (number % 4 != 3) {
    made["workload"]["context"] = std::array<int, 5>{8192, 2048, 4096, 1000, 16384}[number % 5];
  }
  if (number % 11 == 5) {
    made["measured"]["activation_bytes"] = 1500000000;
  }
  if (number % 13 == 7) {
    made["gpu"]["free_bytes"] = 18000000000;
  }
  return made;
}

inline std::optional<Computed> compute(const Json& json) {
  auto request = ridgepoint::api::read_request(fixtures::parsed(json));
  if (!request) {
    return std::nullopt;
  }
  auto report = ridgepoint::plan::fit(request.value());
  if (!report) {
    return std::nullopt;
  }
  return Computed{json, std::move(request.value()), std::move(report.value())};
}

/// Setups that an engine refuses to compute are passed over.
inline const std::vector<Computed>& all() {
  static const std::vector<Computed> set = [] {
    std::vector<Computed> made;
    for (const char* engine : {"vllm", "sglang", "trtllm", "llamacpp"}) {
      std::size_t of_engine = 0;
      for (std::size_t number = 0; number < 300 && of_engine < 25; ++number) {
        if (auto computed = compute(request(engine, number))) {
          made.push_back(std::move(*computed));
          ++of_engine;
        }
      }
    }
    return made;
  }();
  return set;
}

}  // namespace setups
