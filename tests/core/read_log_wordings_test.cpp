// Every wording of every engine is in a log of the tests, and what it says is read with its unit.

#include "engine/log_scanner.hpp"
#include "engine/start_log.hpp"
#include "log/wording.hpp"
#include "start_logs.hpp"

namespace {

using namespace ridgepoint;
using start_logs::Json;

bool found_in_a_log(std::string_view pattern) {
  const log::Wordings one({pattern});
  for (const auto& log : start_logs::all()) {
    bool found = false;
    one.search(log.text, 0, log.text.size(), [&](const log::Match&) { found = true; });
    if (found) {
      return true;
    }
  }
  return false;
}

TEST_CASE("Every wording is in a log of the tests", "[read_log]") {
  std::size_t count = 0;
  const auto check = [&](std::span<const engine::Wording> wordings) {
    for (const engine::Wording& wording : wordings) {
      INFO(wording.pattern);
      CHECK(found_in_a_log(wording.pattern));
      CHECK_FALSE(wording.versions.empty());
      CHECK_FALSE(wording.source.empty());
      ++count;
    }
  };
  check(engine::shared_log_wordings());
  for (const engine::StartLogRules& rules : engine::start_log_rules()) {
    check(rules.wordings);
  }
  CHECK(count > 150);
}

struct Line {
  const char* text;
  const char* term;
  double value;
};

// The wordings that the rules of the engines and the notes of measured starts tell, one line each.
const Line kLines[] = {
    {"INFO Loading model weights took 7.9692 GB", "weights", 7.9692 * 1073741824.0},
    {"INFO Model loading took 0.4678 GB and 114.953146 seconds", "weights", 0.4678 * 1073741824.0},
    {"INFO Model loading took 14.9889 GiB and 3.65 seconds", "weights", 14.9889 * 1073741824.0},
    {"INFO Model loading took 12.66 GiB memory and 31.6 seconds", "weights", 12.66 * 1073741824.0},
    {"INFO # GPU blocks: 3852, # CPU blocks: 4096", "blocks", 3852},
    {"INFO # cuda blocks: 7191, # CPU blocks: 512", "blocks", 7191},
    {"INFO # CUDA blocks: 6001, # CPU blocks: 1638", "blocks", 6001},
    {"INFO # rocm blocks: 6001, # CPU blocks: 1638", "host_blocks", 1638},
    {"INFO Maximum concurrency for 131,072 tokens per request: 3.03x", "max_concurrency", 3.03},
    {"INFO Maximum concurrency for 40000 tokens per request: 1.54x", "max_model_len", 40000},
    {"INFO GPU KV cache size: 1,048,576 tokens", "tokens", 1048576},
    {"INFO XPU KV cache size: 4,096 tokens", "tokens", 4096},
    {"INFO Estimated CUDA graph memory: 118.65 GiB total", "cuda_graphs_estimated",
     118.65 * 1073741824.0},
    {"INFO Graph capturing finished in 2 secs, took -0.19 GiB", "cuda_graphs",
     -0.19 * 1073741824.0},
    {"INFO Available KV cache memory: -0.19 GiB", "kv_pool", -0.19 * 1073741824.0},
    {"ValueError: To serve at least one request with the model's max seq len (917504), 23.38 GiB "
     "KV cache is needed, which is larger than the available KV cache memory (22.61 GiB). "
     "Estimated maximum model length is 886912.",
     "needed_kv", 23.38 * 1073741824.0},
    {"ValueError: To serve at least one request with the models's max seq len (1048576), (4.5 GiB "
     "KV cache is needed, which is larger than the available KV cache memory (2.25 GiB).",
     "available_kv", 2.25 * 1073741824.0},
    {"ValueError: Free memory on device (3.27/15.98 GiB) on startup is less than desired GPU "
     "memory utilization (0.9, 14.39 GiB).",
     "free_at_start", 3.27 * 1073741824.0},
    {"[2025-07-14 05:48:43] KV Cache is allocated. #tokens: 38141, K size: 2.33 GB, V size: 2.33 "
     "GB",
     "k_cache", 2.33 * 1073741824.0},
    {"[2025-07-14 TP0] Load weight end. elapsed=3.0 s, type=DSparkDraftModel, avail mem=30.67 GB, "
     "mem usage=-1.86 GB.",
     "weights", -1.86 * 1073741824.0},
    {"[2026-01-31 13:50:39 TP2] Use sliding window memory pool. full_layer_tokens=375360, "
     "swa_layer_tokens=300288",
     "window_tokens", 300288},
    {"Mamba Cache is allocated. max_mamba_cache_size: 85292, conv_state size: 4.88GB, ssm_state "
     "size: 0.00GB",
     "conv_state", 4.88 * 1073741824.0},
    {"[TRT-LLM] [I] Memory used after loading model weights (inside torch) in memory usage "
     "profiling: 104.18 GiB",
     "weights", 104.18 * 1073741824.0},
    {"[TensorRT-LLM][INFO] [MemUsageChange] Allocated 26.91 GiB for max tokens in paged KV cache "
     "(220480).",
     "kv_allocated", 26.91 * 1073741824.0},
    {"llama_kv_cache:    Vulkan1 KV buffer size =   160.00 MiB", "kv_buffer", 160.0 * 1048576.0},
    {"init:      CUDA0 KV buffer size =   640.00 MiB", "kv_buffer", 640.0 * 1048576.0},
    {"llama_memory_recurrent:      CUDA0 RS buffer size =   251.25 MiB", "kv_buffer",
     251.25 * 1048576.0},
    {"reserve:      CUDA0 compute buffer size =   162.00 MiB", "compute_buffer", 162.0 * 1048576.0},
    {"load_tensors: offloaded 0/49 layers to GPU", "gpu_layers", 0},
    {"print_info: n_ctx_train      = 131072", "trained_length", 131072},
};

TEST_CASE("A line of each wording is read to its figure", "[read_log]") {
  for (const Line& line : kLines) {
    INFO(line.text);
    const Json answer = start_logs::read(line.text);
    REQUIRE_FALSE(answer.contains("error"));
    const Json value = start_logs::fact(answer, line.term);
    REQUIRE(value.is_number());
    CHECK(value.get<double>() == Approx(line.value).epsilon(1e-8));
  }
}

TEST_CASE("A wording holds no line that only resembles it", "[read_log]") {
  for (const char* text :
       {"GPU KV cache size: many tokens", "Model loading took ages", "Model loading took 12.66",
        "Available KV cache memory: GiB", "Model loading took 12.66 parsecs", "n_ctxx = 8192",
        "Load weight begun. avail mem=1 GB", "a line of some program", ""}) {
    INFO(text);
    CHECK(start_logs::read(text)["error"]["code"] == "not_a_log");
  }
}

TEST_CASE("Each log of the tests is read as its engine's", "[read_log]") {
  for (const auto& log : start_logs::all()) {
    INFO(log.name);
    const Json answer = start_logs::read(log.text);
    REQUIRE_FALSE(answer.contains("error"));
    CHECK(answer["kind"] == "log");
    CHECK(answer["id"] == "q");
    const std::string engine = log.name.substr(0, log.name.find(' '));
    if (engine != "old" && engine != "typo") {
      CHECK(answer["engine"] == engine);
    }
    CHECK_FALSE(answer["facts"].empty());
  }
}

}  // namespace
