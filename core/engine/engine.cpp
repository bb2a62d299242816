#include "engine/engine.hpp"

#include <algorithm>

#include "engine/linked.hpp"
#include "engine/llamacpp/version.hpp"
#include "engine/sglang/version.hpp"
#include "engine/trtllm/version.hpp"
#include "engine/vllm/version.hpp"
#include "wording.hpp"

namespace ridgepoint::engine {

namespace {

/// Whether a space-separated list holds `word`.
bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == word) {
      return true;
    }
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

}  // namespace

std::string_view limit_name(Limit limit) {
  switch (limit) {
    case Limit::none:
      return "none";
    case Limit::weights:
      return "weights";
    case Limit::kv_pool:
      return "kv_pool";
    case Limit::context:
      return "context";
    case Limit::free_memory:
      return "free_memory";
    case Limit::architecture:
      return "architecture";
  }
  return "";
}

std::span<const Engine> engines() {
  static const Engine kEngines[] = {
      {"vllm",
       "vLLM",
       "",
       "nvidia amd intel",
       vllm::covered_versions(),
       {"max-model-len", "kv-cache-dtype", "fp8", "gpu-memory-utilization", "enforce-eager",
        "max-num-batched-tokens", "max-num-seqs", "quantization", "fp8", "tensor-parallel-size",
        "pipeline-parallel-size", "data-parallel-size", "", "enable-expert-parallel",
        "api-server-count"},
       linked("vllm")},
      {"sglang",
       "SGLang",
       "",
       "nvidia amd intel",
       sglang::covered_versions(),
       {"context-length", "kv-cache-dtype", "fp8_e4m3", "mem-fraction-static", "disable-cuda-graph",
        "chunked-prefill-size", "max-running-requests", "quantization", "fp8",
        "tensor-parallel-size", "pipeline-parallel-size", "data-parallel-size",
        "enable-dp-attention", "expert-parallel-size", "tokenizer-worker-num"},
       linked("sglang")},
      {"trtllm",
       "TensorRT-LLM",
       "tensorrt-llm",
       "nvidia",
       trtllm::covered_versions(),
       {"max-seq-len", "kv-cache-config.dtype", "fp8", "free-gpu-memory-fraction", "",
        "max-num-tokens", "max-batch-size", "", "", "tensor-parallel-size",
        "pipeline-parallel-size", "", "enable-attention-dp", "moe-expert-parallel-size", ""},
       linked("trtllm")},
      {"llamacpp",
       "llama.cpp",
       "llama.cpp",
       "nvidia amd intel apple",
       llamacpp::covered_versions(),
       {"ctx-size", "cache-type-k", "q8_0", "", "", "ubatch-size", "parallel", "", "", "", "", "",
        "", "", ""},
       linked("llamacpp")},
  };
  return kEngines;
}

const Engine* find_engine(std::string_view name) {
  for (const Engine& engine : engines()) {
    if (engine.name == name || has_word(engine.aliases, name)) {
      return &engine;
    }
  }
  return nullptr;
}

Check check_vendor(const Engine& engine, const hardware::Device& device) {
  const bool hpu = device.architecture.starts_with("gaudi");
  if (device.vendor.empty() || (has_word(engine.vendors, device.vendor) && !hpu)) {
    return std::nullopt;
  }
  return Error{
      "not_supported",
      worded({engine.title, "'s memory on ", device.name,
              " is not computed by this version. Choose another card, or another engine."}),
      "gpu.id"};
}

}  // namespace ridgepoint::engine
