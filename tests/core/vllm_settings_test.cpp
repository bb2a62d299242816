#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/flag_reader.hpp"
#include "engine/vllm/budget.hpp"
#include "engine/vllm/settings.hpp"
#include "engine/vllm/version.hpp"
#include "fixtures.hpp"

namespace vllm = ridgepoint::engine::vllm;
using fixtures::Json;
using ridgepoint::Result;
using ridgepoint::engine::FlagValue;
using ridgepoint::engine::Inputs;
using ridgepoint::engine::parse_human_size;
using vllm::parse_version;
using vllm::Settings;

namespace {

/// What a start is asked for; Llama-3-8B on one A100 80GB unless said.
struct Start {
  std::string card = "a100-sxm-80gb";
  std::string version = "0.28.0";
  std::vector<FlagValue> args = {};
  Json config = fixtures::config("meta-llama--Meta-Llama-3-8B");
  std::optional<std::uint64_t> gpus = std::nullopt;
  std::optional<std::uint64_t> context = std::nullopt;
  std::vector<std::pair<std::string, std::string>> env = {};
};

Result<Settings> try_settings(const Start& start) {
  const auto spec = fixtures::model_of(start.config);
  const auto tensors = ridgepoint::model::tensors(spec);
  const auto card = fixtures::card(start.card);
  Inputs inputs{spec,          tensors,    nullptr,   {}, card, start.gpus,
                start.version, start.args, start.env, {}, {}};
  inputs.workload.context = start.context;
  return vllm::read_settings(inputs);
}

Settings settings(const Start& start) {
  auto result = try_settings(start);
  if (!result) {
    FAIL(result.error().path << ": " << result.error().message);
  }
  return result.value();
}

std::string refusal(const Start& start) {
  const auto result = try_settings(start);
  return result ? "" : result.error().code + " at " + result.error().path;
}

FlagValue whole(std::string name, std::int64_t value) { return {std::move(name), value}; }
FlagValue text(std::string name, std::string value) { return {std::move(name), std::move(value)}; }
FlagValue on(std::string name) { return {std::move(name), true}; }

using Batch = std::pair<std::uint64_t, std::uint64_t>;

/// Tokens a batch and sequences.
Batch batch(const Start& start) {
  const Settings s = settings(start);
  return {s.max_num_batched_tokens, s.max_num_seqs};
}

std::uint64_t graphs(const Start& start) { return settings(start).piecewise_graphs; }

std::uint64_t derived(const Json& config) {
  return vllm::derive_max_model_len(fixtures::model_of(config));
}

Json with_rope(const Json& rope, std::uint64_t positions) {
  Json config = fixtures::config("meta-llama--Meta-Llama-3-8B");
  config["rope_scaling"] = rope;
  config["max_position_embeddings"] = positions;
  return config;
}

using Split = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Split split(std::uint64_t layers, std::uint64_t pipeline) {
  Split out;
  vllm::Settings settings;
  settings.parallelism.pipeline = pipeline;
  for (const vllm::Stage& stage : vllm::pipeline_stages(layers, settings)) {
    out.emplace_back(stage.first_layer, stage.end_layer);
  }
  return out;
}

std::string version_error(std::string_view text) {
  const auto version = parse_version(text);
  if (version) {
    return "";
  }
  CHECK(version.error().path == "engine.version");
  CHECK_FALSE(version.error().message.empty());
  return version.error().code;
}

}  // namespace

TEST_CASE("batch defaults of a large card hold from 70 GiB up but not on an A100") {
  for (const char* version : {"0.9.1", "0.11.0", "0.20.0", "0.27.0", "0.28.0"}) {
    INFO(version);
    CHECK(batch({.card = "h100-sxm-80gb", .version = version}) == Batch(8192, 1024));
    CHECK(batch({.card = "h200-sxm-141gb", .version = version}) == Batch(8192, 1024));
    CHECK(batch({.card = "a100-sxm-80gb", .version = version}) == Batch(2048, 256));
    CHECK(batch({.card = "a100-pcie-80gb", .version = version}) == Batch(2048, 256));
    CHECK(batch({.card = "l4", .version = version}) == Batch(2048, 256));
  }
  CHECK(batch({.card = "rtx-pro-6000-blackwell"}) == Batch(8192, 1024));
}

TEST_CASE("0.28 has a row of its own for cards of 160 GiB and more") {
  CHECK(batch({.card = "b200", .version = "0.28.0"}) == Batch(16384, 1024));
  CHECK(batch({.card = "mi300x", .version = "0.28.0"}) == Batch(16384, 1024));
  CHECK(batch({.card = "b200", .version = "0.27.0"}) == Batch(8192, 1024));
  CHECK(batch({.card = "mi300x", .version = "0.27.0"}) == Batch(8192, 1024));
}

TEST_CASE("batch flags replace the defaults and lengths bound them") {
  CHECK(batch({.args = {whole("max-num-batched-tokens", 4096)}}) == Batch(4096, 256));
  CHECK(batch({.args = {whole("max-num-seqs", 64)}}) == Batch(2048, 64));
  // T is at most n x L, n at most T.
  CHECK(batch({.args = {whole("max-num-seqs", 1), whole("max-model-len", 512)}}) == Batch(512, 1));
  CHECK(batch({.args = {whole("max-num-batched-tokens", 100), whole("max-model-len", 50)}}) ==
        Batch(100, 100));
  // Throughput mode doubles both.
  CHECK(batch({.args = {text("performance-mode", "throughput")}}) == Batch(4096, 512));
}

TEST_CASE("without chunked prefill a batch holds the longest request") {
  CHECK(batch({.args = {FlagValue{"enable-chunked-prefill", false}}}) == Batch(8192, 256));
  CHECK(batch({.args = {on("no-enable-chunked-prefill")}}) == Batch(8192, 256));
  CHECK(refusal({.args = {FlagValue{"enable-chunked-prefill", false},
                          whole("max-num-batched-tokens", 4096)}}) ==
        "bad_flag at engine.args.max-num-batched-tokens");
}

TEST_CASE("fewer tokens a batch than sequences is refused as vLLM does") {
  CHECK(refusal({.args = {whole("max-num-batched-tokens", 64), whole("max-num-seqs", 128)}}) ==
        "bad_flag at engine.args.max-num-batched-tokens");
}

TEST_CASE("more sequences than the default batch has tokens are refused as vLLM does") {
  // config/scheduler.py: max_num_batched_tokens (2048) must be at least max_num_seqs (4096).
  CHECK(refusal({.args = {whole("max-num-seqs", 4096)}}) != "");
}

TEST_CASE("the share of memory is 0.90 and since 0.21 0.92") {
  CHECK(settings({.version = "0.9.1"}).gpu_memory_utilization == 0.90);
  CHECK(settings({.version = "0.20.0"}).gpu_memory_utilization == 0.90);
  CHECK(settings({.version = "0.21.0"}).gpu_memory_utilization == 0.92);
  CHECK(settings({.version = "0.28.0"}).gpu_memory_utilization == 0.92);
  CHECK(settings({.args = {FlagValue{"gpu-memory-utilization", 0.5}}}).gpu_memory_utilization ==
        0.5);
  CHECK(settings({.args = {text("gpu-memory-utilization", "0.85")}}).gpu_memory_utilization ==
        0.85);
  for (const double bad : {0.0, -0.5, 1.5, 90.0}) {
    INFO(bad);
    CHECK(refusal({.args = {FlagValue{"gpu-memory-utilization", bad}}}) ==
          "bad_flag at engine.args.gpu-memory-utilization");
  }
}

TEST_CASE("capture sizes are as many as vLLM's list") {
  CHECK(graphs({.args = {whole("max-num-seqs", 128)}}) == 35);  // up to 256
  CHECK(graphs({}) == 51);                                      // up to 512
  CHECK(graphs({.card = "h100-sxm-80gb"}) == 51);
  CHECK(graphs({.card = "b200"}) == 83);  // up to 1,024 on Blackwell since 0.28
  CHECK(graphs({.card = "b200", .version = "0.27.0"}) == 51);
  CHECK(graphs({.config = fixtures::config("openai--gpt-oss-20b")}) == 83);
  CHECK(graphs({.version = "0.9.1"}) == 67);
  CHECK(graphs({.version = "0.9.2"}) == 67);
  CHECK(settings({}).max_capture_size == 512);
}

TEST_CASE("no graphs are captured when the engine runs eagerly") {
  CHECK(graphs({.args = {on("enforce-eager")}}) == 0);
  CHECK(settings({.args = {on("enforce-eager")}}).max_capture_size == 0);
}

// The cases of vLLM's tests/compile/test_config.py: 128 sequences, 2,048 tokens unless said.

TEST_CASE("capture sizes follow the flags") {
  const auto most = [](std::vector<FlagValue> args, std::int64_t tokens) {
    args.push_back(whole("max-num-seqs", std::min<std::int64_t>(tokens, 128)));
    args.push_back(whole("max-num-batched-tokens", tokens));
    return settings({.args = std::move(args)}).max_capture_size;
  };
  CHECK(most({}, 2048) == 256);
  CHECK(most({text("cudagraph-capture-sizes", "1 2 4"), whole("max-cudagraph-capture-size", 4)},
             2048) == 4);
  CHECK(most({text("cudagraph-capture-sizes", "1 256")}, 2048) == 256);
  CHECK(most({whole("max-cudagraph-capture-size", 257)}, 2048) == 256);
  CHECK(most({text("cudagraph-capture-sizes", "[1,2,4,15]")}, 2048) == 15);
  CHECK(most({text("cudagraph-capture-sizes", "[1,2,4,15]")}, 8) == 4);
}

TEST_CASE("a largest capture size that is not in the list of sizes is refused") {
  CHECK(refusal({.args = {text("cudagraph-capture-sizes", "1 2 4"),
                          whole("max-cudagraph-capture-size", 8)}}) != "");
}

TEST_CASE("the whole batch is captured too when the largest size allows it") {
  CHECK(settings({.args = {whole("max-num-seqs", 128), whole("max-num-batched-tokens", 257),
                           whole("max-cudagraph-capture-size", 2048)}})
            .max_capture_size == 257);
}

TEST_CASE("a list of one capture size is that size alone") {
  CHECK(graphs({.args = {text("cudagraph-capture-sizes", "[4]")}}) == 1);
}

TEST_CASE("the longest length follows the rope") {
  CHECK(derived(fixtures::config("meta-llama--Meta-Llama-3-8B")) == 8192);
  // vLLM's tests/test_config.py: dynamic factor 2 on Llama-3-8B; longchat-13b-16k.
  CHECK(derived(with_rope({{"rope_type", "dynamic"}, {"factor", 2.0}}, 8192)) == 16384);
  CHECK(derived(with_rope({{"type", "linear"}, {"factor", 8}}, 2048)) == 16384);
  CHECK(derived(with_rope({{"rope_type", "dynamic"}, {"factor", 2.0}}, 2048)) == 4096);
  // YaRN counts from the original length, whatever the config's own.
  CHECK(derived(with_rope(
            {{"rope_type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 32768}},
            32768)) == 131072);
  CHECK(derived(fixtures::config("deepseek-ai--DeepSeek-V2-Lite")) == 163840);
  CHECK(derived(fixtures::config("openai--gpt-oss-20b")) == 131072);
  // Llama 3.1's and longrope's lengths are in the config already.
  CHECK(derived(fixtures::config("unsloth--Meta-Llama-3.1-8B-bnb-4bit")) == 131072);
  CHECK(derived(fixtures::config("microsoft--Phi-3-mini-128k-instruct")) == 131072);
  CHECK(derived(with_rope({{"rope_type", "su"}, {"factor", 4.0}}, 8192)) == 8192);
}

TEST_CASE("a factor counts beside the default rope too as vLLM multiplies") {
  CHECK(derived(with_rope({{"rope_type", "default"}, {"factor", 4.0}}, 8192)) == 32768);
}

TEST_CASE("a model that names no length has 2048 tokens") {
  Json config = fixtures::config("meta-llama--Meta-Llama-3-8B");
  config.erase("max_position_embeddings");
  CHECK(derived(config) == 2048);
}

TEST_CASE("the least of several lengths counts and model_max_length replaces it") {
  Json config = fixtures::config("meta-llama--Meta-Llama-3-8B");
  config["seq_length"] = 4096;
  CHECK(derived(config) == 4096);
  config["model_max_length"] = 16384;
  CHECK(derived(config) == 16384);
}

TEST_CASE("the engine's length is the flag's, else the workload's, else the model's") {
  CHECK(settings({}).max_model_len == 8192);
  CHECK(settings({.context = 4096}).max_model_len == 4096);
  CHECK(settings({.args = {whole("max-model-len", 2048)}, .context = 1024}).max_model_len == 2048);
  CHECK(settings({.args = {whole("max-model-len", 2048)}, .context = 1024}).context == 1024);
  CHECK(settings({.args = {text("max-model-len", "4k")}}).max_model_len == 4000);
  CHECK(settings({.args = {text("max-model-len", "4K")}}).max_model_len == 4096);
  CHECK(settings({.context = 1024}).assumptions != std::vector<std::string>{});
}

TEST_CASE("a longrope model is served at its original length unless asked") {
  const Json phi = fixtures::config("microsoft--Phi-3-mini-128k-instruct");
  CHECK(settings({.config = phi}).max_model_len == 4096);
  CHECK(settings({.version = "0.10.0", .config = phi}).max_model_len == 131072);
  CHECK(settings({.args = {whole("max-model-len", 65536)}, .config = phi}).max_model_len == 65536);
}

TEST_CASE("a length beyond the model's is refused unless the variable allows it") {
  CHECK(settings({.args = {whole("max-model-len", 8192)}}).length_refusal.empty());
  CHECK_FALSE(settings({.args = {whole("max-model-len", 8193)}}).length_refusal.empty());
  CHECK(settings({.args = {whole("max-model-len", 8193)},
                  .env = {{"VLLM_ALLOW_LONG_MAX_MODEL_LEN", "1"}}})
            .length_refusal.empty());
  CHECK_FALSE(settings({.args = {whole("max-model-len", 8193)},
                        .env = {{"VLLM_ALLOW_LONG_MAX_MODEL_LEN", "0"}}})
                  .length_refusal.empty());
}

TEST_CASE("switching the window off cuts the length to the window") {
  const Json mistral = fixtures::config("mistralai--Mistral-7B-v0.1");
  CHECK(settings({.config = mistral}).max_model_len == 32768);
  CHECK(settings({.args = {on("disable-sliding-window")}, .config = mistral}).max_model_len ==
        4096);
}

TEST_CASE("an automatic length is taken from 0.14 on") {
  CHECK(settings({.args = {text("max-model-len", "auto")}}).auto_length);
  CHECK(settings({.args = {whole("max-model-len", -1)}}).auto_length);
  CHECK(refusal({.version = "0.13.0", .args = {text("max-model-len", "auto")}}) ==
        "bad_flag at engine.args.max-model-len");
}

TEST_CASE("asynchronous scheduling is on from 0.14 on") {
  CHECK_FALSE(settings({.version = "0.13.0"}).async_scheduling);
  CHECK(settings({.version = "0.14.0"}).async_scheduling);
  CHECK_FALSE(settings({.args = {on("no-async-scheduling")}}).async_scheduling);
}

TEST_CASE("layers are split over pipeline stages as vLLM splits them") {
  CHECK(split(2, 2) == Split{{0, 1}, {1, 2}});
  CHECK(split(3, 2) == Split{{0, 2}, {2, 3}});
  CHECK(split(3, 3) == Split{{0, 1}, {1, 2}, {2, 3}});
  CHECK(split(4, 3) == Split{{0, 1}, {1, 3}, {3, 4}});
  CHECK(split(5, 3) == Split{{0, 2}, {2, 4}, {4, 5}});
  CHECK(split(32, 1) == Split{{0, 32}});
  CHECK(split(61, 4) == Split{{0, 15}, {15, 30}, {30, 46}, {46, 61}});
  vllm::Settings settings;
  settings.parallelism.pipeline = 3;
  const auto stages = vllm::pipeline_stages(5, settings);
  CHECK(stages.front().first);
  CHECK_FALSE(stages.front().last);
  CHECK(stages.back().last);
  CHECK_FALSE(stages.back().first);
}

TEST_CASE("a version is read in the forms vLLM prints and people write") {
  const auto minor = [](std::string_view text) { return parse_version(text).value().minor; };
  CHECK(minor("0.28.0") == 28);
  CHECK(minor("v0.28.0") == 28);
  CHECK(minor("0.28") == 28);
  CHECK(minor("v0.9.1") == 9);
  CHECK(parse_version("0.10.2").value().patch == 2);
  CHECK(parse_version("0.28").value().text == "0.28.0");
  CHECK(parse_version("v0.11.0").value().text == "0.11.0");
  CHECK_FALSE(parse_version("0.28.0").value().nearest_rules);
  CHECK_FALSE(parse_version("0.11.0.post1").value().nearest_rules);
  CHECK_FALSE(parse_version("0.28.0+cu129").value().nearest_rules);
}

TEST_CASE("a development build and a newer version get the nearest rules") {
  for (const char* text : {"0.28.0rc1", "0.28.1rc1.dev16+g0123abc", "0.28.1.dev3",
                           "0.28.0rc2.dev5+gabc.d20260801", "0.28.0a1", "0.28.0b2"}) {
    INFO(text);
    const auto version = parse_version(text);
    REQUIRE(version.ok());
    CHECK(version->minor == 28);
    CHECK(version->nearest_rules);
  }
  for (const char* text : {"0.99.0", "1.0.0", "v2.3.4", "0.999999.0", "0.1.dev14+g0123abc"}) {
    INFO(text);
    const auto version = parse_version(text);
    REQUIRE(version.ok());
    CHECK(version->nearest_rules);
    CHECK(version->minor >= 28);
  }
}

TEST_CASE("no version means the newest covered") {
  const auto version = parse_version("");
  REQUIRE(version.ok());
  CHECK(version->text == vllm::covered_versions().back());
  CHECK_FALSE(version->nearest_rules);
}

TEST_CASE("every covered version reads as itself") {
  for (const std::string_view text : vllm::covered_versions()) {
    INFO(text);
    const auto version = parse_version(text);
    REQUIRE(version.ok());
    CHECK(version->text == text);
    CHECK_FALSE(version->nearest_rules);
  }
}

TEST_CASE("an older version is refused as too old") {
  for (const char* text : {"0.5.5", "v0.5.3.post1", "0.1.0", "0.0.0", "0.5.0rc1"}) {
    INFO(text);
    CHECK(version_error(text) == "version_too_old");
  }
}

TEST_CASE("a malformed version is refused") {
  const std::string with_null("0.28.0\0", 7);
  for (const std::string& text : {std::string("latest"),
                                  std::string("v"),
                                  std::string("0"),
                                  std::string("0."),
                                  std::string(".28.0"),
                                  std::string("0.28."),
                                  std::string("0.28.0."),
                                  std::string("0.28.x"),
                                  std::string("0.28.0 "),
                                  std::string(" 0.28.0"),
                                  std::string("0.28.0-foo"),
                                  std::string("0.28.0+"),
                                  std::string("0.28.0+a b"),
                                  std::string("0.28.0.1"),
                                  std::string("0,28"),
                                  std::string("-1.2.3"),
                                  std::string("0.-1.0"),
                                  std::string("vv0.28.0"),
                                  std::string("0.28.0.post"),
                                  std::string("0.99999999999999999999.0"),
                                  std::string("0.28.99999999999"),
                                  std::string("1e3.2"),
                                  std::string("٠.28.0"),
                                  with_null,
                                  std::string(1000000, '1'),
                                  "0.28.0+" + std::string(1000, 'a')}) {
    INFO(text.substr(0, 60));
    CHECK(version_error(text) == "bad_version");
  }
}

TEST_CASE("sizes are read as vLLM reads them") {
  CHECK(parse_human_size("8k") == 8000U);
  CHECK(parse_human_size("8K") == 8192U);
  CHECK(parse_human_size("8192") == 8192U);
  CHECK(parse_human_size("1m") == 1000000U);
  CHECK(parse_human_size("1M") == 1048576U);
  CHECK(parse_human_size("2g") == 2000000000U);
  CHECK(parse_human_size("2G") == 2147483648U);
  CHECK(parse_human_size("25.6k") == 25600U);
  CHECK(parse_human_size("0") == 0U);
  for (const char* bad : {"", "k", ".", "8kk", "8 k", "-8", "8.5", "1e3", "0x10", "8q", "nan",
                          "inf", "8k ", " 8", "1.2.3", "99999999999999999999", "999999999999T"}) {
    INFO(bad);
    CHECK_FALSE(parse_human_size(bad).has_value());
  }
}

TEST_CASE("a decimal fraction of a thousand is cut as vLLM cuts it") {
  // int(float(number) x 1000) in Python: 1.001 x 1000 is a little under 1,001.
  CHECK(parse_human_size("32.768k") == 32768U);
  CHECK(parse_human_size("131.072k") == 131072U);
  CHECK(parse_human_size("4.1k") == 4100U);
  CHECK(parse_human_size("2.003m") == 2003000U);
  CHECK(parse_human_size("1.001k") == 1000U);
  CHECK(parse_human_size("1.0005k") == 1000U);
}

TEST_CASE("a fraction of a binary unit is refused as vLLM refuses it") {
  CHECK_FALSE(parse_human_size("1.5K").has_value());
  CHECK_FALSE(parse_human_size("25.6K").has_value());
  CHECK_FALSE(parse_human_size("0.5M").has_value());
}

TEST_CASE("without a parallel flag the cards are one tensor-parallel group") {
  const Settings two = settings({.gpus = 2});
  CHECK(two.parallelism.tensor == 2);
  CHECK(two.parallelism.pipeline == 1);
  CHECK(two.parallelism.data == 1);
  CHECK_FALSE(two.assumptions.empty());
  CHECK(settings({}).parallelism.tensor == 1);
}

TEST_CASE("parallel flags must multiply to the number of cards") {
  const Settings s = settings(
      {.args = {whole("tp", 2), whole("pipeline-parallel-size", 2), whole("dp", 2)}, .gpus = 8});
  CHECK(s.parallelism.tensor == 2);
  CHECK(s.parallelism.pipeline == 2);
  CHECK(s.parallelism.data == 2);
  CHECK(refusal({.args = {whole("tp", 2)}, .gpus = 8}) == "bad_parallelism at gpu.count");
  CHECK(refusal({.args = {whole("tp", 2)}, .gpus = 1}) == "bad_parallelism at gpu.count");
  CHECK(refusal({.args = {whole("dp", 3)}, .gpus = 4}) == "bad_parallelism at gpu.count");
}

TEST_CASE("parallel sizes that do not divide the model are refused") {
  CHECK(refusal({.gpus = 3}) == "bad_parallelism at gpu.count");
  CHECK(refusal({.args = {whole("tensor-parallel-size", 3)}}) ==
        "bad_parallelism at engine.args.tensor-parallel-size");
  CHECK(refusal({.args = {whole("pipeline-parallel-size", 33)}}) ==
        "bad_parallelism at engine.args.pipeline-parallel-size");
  CHECK(refusal({.args = {whole("tp", 0)}}) != "");
  CHECK(refusal({.args = {whole("tp", -1)}}) != "");
  // Sixteen ranks over eight key heads replicate them.
  CHECK(settings({.gpus = 16}).parallelism.tensor == 16);
}

TEST_CASE("dtype follows the flag, the config and the card") {
  using ridgepoint::precision::Dtype;
  CHECK(settings({}).dtype == Dtype::bfloat16);
  CHECK(settings({.args = {text("dtype", "half")}}).dtype == Dtype::float16);
  CHECK(settings({.args = {text("dtype", "float32")}}).dtype == Dtype::float32);
  Json config = fixtures::config("meta-llama--Meta-Llama-3-8B");
  config["torch_dtype"] = "float32";
  CHECK(settings({.config = config}).dtype != Dtype::float32);
  CHECK(settings({.card = "t4"}).dtype == Dtype::float16);
  CHECK(refusal({.card = "t4", .args = {text("dtype", "bfloat16")}}) ==
        "bad_flag at engine.args.dtype");
}

TEST_CASE("the cache format follows the flag, else the checkpoint") {
  using ridgepoint::precision::KvFormat;
  CHECK(settings({}).kv_format == KvFormat::model_dtype);
  CHECK(settings({.args = {text("kv-cache-dtype", "fp8")}}).kv_format == KvFormat::fp8);
  Json config = fixtures::config("nvidia--Qwen3-8B-NVFP4");
  config["quantization_config"]["kv_cache_scheme"] = {{"num_bits", 8}, {"type", "float"}};
  CHECK(settings({.config = config}).kv_format == KvFormat::fp8);
  CHECK(settings({.args = {text("kv-cache-dtype", "bfloat16")}, .config = config}).kv_format ==
        KvFormat::model_dtype);
  CHECK(refusal({.args = {text("kv-cache-dtype", "fp8_ds_mla")}}) ==
        "bad_flag at engine.args.kv-cache-dtype");
  CHECK(refusal({.args = {text("kv-cache-dtype", "nvfp4")},
                 .config = fixtures::config("deepseek-ai--DeepSeek-V2-Lite")}) ==
        "bad_flag at engine.args.kv-cache-dtype");
}

TEST_CASE("a quantisation flag must agree with the checkpoint") {
  const Json awq = fixtures::config("casperhansen--llama-3-70b-instruct-awq");
  CHECK(refusal({.args = {text("quantization", "awq")}, .config = awq}) == "");
  CHECK(refusal({.args = {text("quantization", "awq_marlin")}, .config = awq}) == "");
  CHECK(refusal({.args = {text("quantization", "gptq")}, .config = awq}) ==
        "bad_flag at engine.args.quantization");
  CHECK(refusal({.args = {text("quantization", "awq")}}) == "bad_flag at engine.args.quantization");
  CHECK(refusal({.args = {text("quantization", "fp8")}}) == "");
}

TEST_CASE("the second model runner runs dense models without states, and some by name") {
  const auto second = [](const char* fixture, const char* version,
                         std::vector<FlagValue> args = {}) {
    Start start;
    start.config = fixtures::config(fixture);
    start.version = version;
    start.args = std::move(args);
    start.card = "b300";
    return settings(start).model_runner_v2;
  };
  CHECK_FALSE(second("meta-llama--Meta-Llama-3-8B", "0.24.0"));
  CHECK(second("meta-llama--Meta-Llama-3-8B", "0.25.0"));
  CHECK(second("Qwen--Qwen3-8B", "0.22.0"));
  CHECK_FALSE(second("Qwen--Qwen3-8B-FP8", "0.22.0"));
  CHECK_FALSE(second("Qwen--Qwen3.5-27B--text", "0.28.0"));
  CHECK_FALSE(second("Qwen--Qwen3-30B-A3B", "0.28.0"));
  CHECK(second("deepseek-ai--DeepSeek-V2-Lite", "0.28.0"));
  CHECK_FALSE(second("google-bert--bert-base-uncased", "0.28.0"));
  const FlagValue ngram{"speculative-config",
                        std::string(R"({"method":"ngram","num_speculative_tokens":3})")};
  CHECK_FALSE(second("meta-llama--Meta-Llama-3-8B", "0.28.0", {ngram}));
}
