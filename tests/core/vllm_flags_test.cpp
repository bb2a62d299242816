#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <string_view>

#include "engine/vllm/flags.hpp"

namespace vllm = ridgepoint::engine::vllm;
using ridgepoint::engine::FlagEffect;
using ridgepoint::engine::FlagFacts;
using ridgepoint::engine::FlagType;

TEST_CASE("a vLLM flag is found by its own name") {
  const FlagFacts* flag = find_flag(vllm::flags(), "gpu-memory-utilization");
  REQUIRE(flag != nullptr);
  CHECK(flag->name == "gpu-memory-utilization");
  CHECK(flag->type == FlagType::number);
  CHECK(flag->effect == FlagEffect::used);
}

TEST_CASE("a vLLM flag may be spelled with underscores") {
  CHECK(find_flag(vllm::flags(), "tensor_parallel_size") ==
        find_flag(vllm::flags(), "tensor-parallel-size"));
  CHECK(find_flag(vllm::flags(), "max_model-len") == find_flag(vllm::flags(), "max-model-len"));
}

TEST_CASE("a vLLM flag is found by its short form") {
  const auto name = [](std::string_view alias) {
    const FlagFacts* flag = find_flag(vllm::flags(), alias);
    return flag == nullptr ? std::string_view() : flag->name;
  };
  CHECK(name("tp") == "tensor-parallel-size");
  CHECK(name("pp") == "pipeline-parallel-size");
  CHECK(name("dp") == "data-parallel-size");
  CHECK(name("dpp") == "data-parallel-rpc-port");
  CHECK(name("ep") == "enable-expert-parallel");
  CHECK(name("q") == "quantization");
  CHECK(name("dcp") == "decode-context-parallel-size");
}

TEST_CASE("a name that is not exactly a vLLM flag is not found") {
  CHECK(find_flag(vllm::flags(), "") == nullptr);
  CHECK(find_flag(vllm::flags(), "--max-model-len") == nullptr);
  CHECK(find_flag(vllm::flags(), "max-model-le") == nullptr);
  CHECK(find_flag(vllm::flags(), "max-model-length") == nullptr);
  CHECK(find_flag(vllm::flags(), "Max-Model-Len") == nullptr);
  CHECK(find_flag(vllm::flags(), "t") == nullptr);
  CHECK(find_flag(vllm::flags(), "tp pp") == nullptr);
  CHECK(find_flag(vllm::flags(), " tp") == nullptr);
}

TEST_CASE("a vLLM flag that changes memory is never called harmless") {
  for (const std::string_view name :
       {"enable-lora", "max-loras", "max-lora-rank",

        "speculative-config", "cpu-offload-gb", "offload-group-size", "enable-eplb",
        "num-redundant-experts", "decode-context-parallel-size", "prefill-context-parallel-size",
        "kv-transfer-config", "mm-encoder-tp-mode", "limit-mm-per-prompt", "compilation-config",
        "hf-overrides",

        "mm-ipc-gpu-memory-gb", "attention-backend", "config"}) {
    CAPTURE(name);
    const FlagFacts* flag = find_flag(vllm::flags(), name);
    REQUIRE(flag != nullptr);
    CHECK(flag->effect != FlagEffect::no_effect);
  }
}

TEST_CASE("a vLLM flag about serving only is known to have no effect") {
  for (const std::string_view name :
       {"host", "port", "api-key", "chat-template", "tool-call-parser", "trust-remote-code",
        "served-model-name", "enable-prefix-caching", "swap-space", "load-format", "seed",
        "scheduling-policy", "disable-log-requests"}) {
    CAPTURE(name);
    const FlagFacts* flag = find_flag(vllm::flags(), name);
    REQUIRE(flag != nullptr);
    CHECK(flag->effect == FlagEffect::no_effect);
  }
}

TEST_CASE("exactly the vLLM flags the estimate follows are marked as used") {
  const std::set<std::string_view> expected = {"gpu-memory-utilization",
                                               "kv-cache-memory-bytes",
                                               "num-gpu-blocks-override",
                                               "max-model-len",
                                               "max-num-batched-tokens",
                                               "max-num-seqs",
                                               "performance-mode",
                                               "tensor-parallel-size",
                                               "pipeline-parallel-size",
                                               "data-parallel-size",
                                               "enable-expert-parallel",
                                               "model",
                                               "dtype",
                                               "quantization",
                                               "enforce-eager",
                                               "disable-sliding-window",
                                               "kv-cache-dtype",
                                               "block-size",
                                               "enable-chunked-prefill",
                                               "disable-hybrid-kv-cache-manager",
                                               "async-scheduling",
                                               "cudagraph-capture-sizes",
                                               "max-cudagraph-capture-size",
                                               "cuda-graph-sizes",
                                               "enable-prompt-embeds",
                                               "enable-multimodal-encoder-data-parallel",
                                               "cpu-offload-gb",
                                               "limit-mm-per-prompt",
                                               "enable-lora",
                                               "max-loras",
                                               "max-lora-rank",
                                               "fully-sharded-loras",
                                               "speculative-config",
                                               "kv-transfer-config",
                                               "kv-events-config",
                                               "compilation-config",
                                               "decode-context-parallel-size",
                                               "eplb-config",
                                               "enable-eplb",
                                               "num-redundant-experts",
                                               "mm-encoder-tp-mode",
                                               "skip-mm-profiling",
                                               "mamba-cache-dtype",
                                               "mamba-ssm-cache-dtype",
                                               "mamba-block-size",
                                               "logits-processors",
                                               "language-model-only",
                                               "attention-backend",
                                               "kv-cache-dtype-skip-layers",
                                               "mamba-cache-mode",
                                               "optimization-level",
                                               "mm-ipc-gpu-memory-gb",
                                               "spec-method",
                                               "speculative-model",
                                               "num-speculative-tokens",
                                               "speculative-draft-tensor-parallel-size",
                                               "spec-model",
                                               "spec-tokens"};
  std::set<std::string_view> used;
  for (const FlagFacts& flag : vllm::flags().flags) {
    if (flag.effect == FlagEffect::used) used.insert(flag.name);
  }
  CHECK(used == expected);
}

TEST_CASE("every vLLM flag answers to its own name and says what it does in one sentence") {
  for (const FlagFacts& flag : vllm::flags().flags) {
    CAPTURE(flag.name);
    CHECK(find_flag(vllm::flags(), flag.name) == &flag);
    CHECK(flag.name.find('_') == std::string_view::npos);
    REQUIRE_FALSE(flag.help.empty());
    CHECK(flag.help.back() == '.');
    CHECK((flag.until == 0 || flag.since <= flag.until));
  }
}

TEST_CASE("the vLLM flags that take a word from a list say which") {
  CHECK(find_flag(vllm::flags(), "dtype")->choices == "auto|half|float16|bfloat16|float|float32");
  CHECK(find_flag(vllm::flags(), "performance-mode")->choices ==
        "balanced|interactivity|throughput");
  const std::string_view cache = find_flag(vllm::flags(), "kv-cache-dtype")->choices;
  CHECK(cache.find("|fp8_e4m3|") != std::string_view::npos);
  CHECK(cache.find("|turboquant_k8v4|") != std::string_view::npos);
  const std::string_view methods = find_flag(vllm::flags(), "quantization")->choices;
  CHECK(methods.find("|compressed-tensors|") != std::string_view::npos);
}

TEST_CASE("a misspelled vLLM flag gets the names it may stand for") {
  const auto first = [](std::string_view name) {
    const std::string names = nearest_flags(vllm::flags(), name);
    return names.substr(0, names.find(','));
  };
  CHECK(first("max-model-length") == "max-model-len");
  CHECK(first("gpu_memory_utilisation") == "gpu-memory-utilization");
  CHECK(first("--tensor-paralell-size") == "tensor-parallel-size");
  CHECK(first("max-batched-tokens") == "max-num-batched-tokens");
  CHECK(first("kv-cache-type") == "kv-cache-dtype");
}

TEST_CASE("no more than three vLLM flags are suggested and none for what is like none") {
  const std::string names = nearest_flags(vllm::flags(), "data-parallel");
  CHECK(std::count(names.begin(), names.end(), ',') == 2);
  CHECK(nearest_flags(vllm::flags(), "").empty());
  CHECK(nearest_flags(vllm::flags(), "---").empty());
  CHECK(nearest_flags(vllm::flags(), "zzzzzzzzzzzzqqqqqqqq").empty());
  CHECK(nearest_flags(vllm::flags(), std::string(100000, 'a')).empty());
}
