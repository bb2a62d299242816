// Bytes a token, pools and requests of TensorRT-LLM, worked by hand.
#include "evaluated.hpp"

namespace {

using tests::Json;

constexpr std::uint64_t kPool = 64ULL << 30U;

/// A pool of 64 GiB a GPU, so that only the cache's own rules count.
Json cache_of(Json config, Json args, const std::string& version = "1.2.0") {
  args["backend"] = "pytorch";
  return tests::evaluate(
      {{"model", {{"config", std::move(config)}}},
       {"gpu", {{"id", "b200"}}},
       {"engine", {{"name", "tensorrt-llm"}, {"version", version}, {"args", std::move(args)}}},
       {"measured",
        {{"kv_pool_bytes", kPool}, {"activation_bytes", 0}, {"cuda_graphs_bytes", 0}}}});
}

Json cache_of(const char* fixture, Json args, const std::string& version = "1.2.0") {
  return cache_of(tests::config_fixture(fixture), std::move(args), version);
}

std::uint64_t tokens_of(const Json& report) {
  INFO(report.dump().substr(0, 400));
  REQUIRE(report.contains("cache"));
  return report["cache"]["tokens"]["best"];
}

std::uint64_t whole_blocks(double tokens, std::uint64_t block) {
  return static_cast<std::uint64_t>((tokens + static_cast<double>(block) - 1) /
                                    static_cast<double>(block)) *
         block;
}

}  // namespace

TEST_CASE("TensorRT-LLM: latent rows are whole on every GPU, heads are divided") {
  // 61 x 576 x 2 bytes, whatever the GPUs; 8 heads of Llama-3-8B: 32 x 2 x 8 x 128 x 2 / GPUs.
  CHECK(tokens_of(cache_of("deepseek-ai--DeepSeek-V3", {{"tp_size", 8}})) ==
        whole_blocks(static_cast<double>(kPool / 70272), 32));
  CHECK(tokens_of(cache_of("meta-llama--Meta-Llama-3-8B", {{"tp_size", 4}})) ==
        whole_blocks(static_cast<double>(kPool / 32768), 32));
  CHECK(tokens_of(cache_of("meta-llama--Meta-Llama-3-8B", {{"tp_size", 1}})) ==
        whole_blocks(static_cast<double>(kPool / 131072), 32));
}

TEST_CASE("TensorRT-LLM: copied heads are laid out, though the estimate divides them") {
  // 8 heads on 16 GPUs: one whole head each, 16,384 bytes a token in 32 layers.
  const Json report = cache_of("meta-llama--Meta-Llama-3-8B", {{"tp_size", 16}});
  CHECK(tokens_of(report) == whole_blocks(static_cast<double>(kPool / 16384), 32));
}

TEST_CASE("TensorRT-LLM: under attention data parallelism each GPU has whole heads of its own") {
  const Json report = cache_of("meta-llama--Meta-Llama-3-8B", {{"tp_size", 4},
                                                               {"enable_attention_dp", true},
                                                               {"max_seq_len", 8192},
                                                               {"max_batch_size", 32}});
  CHECK(tokens_of(report) == whole_blocks(static_cast<double>(kPool / 131072), 32));
  // 524,288 tokens a GPU hold 64 requests, the batch takes 32, and there are four of them.
  CHECK(report["capacity"]["max_requests"]["best"] == 4 * 32);
}

TEST_CASE("TensorRT-LLM: number formats of the cache") {
  const auto bytes = [](const char* fixture, const char* format) {
    return cache_of(fixture, {{"kv_cache_config.dtype", format}})["cache"]["bytes_per_token"]
        .get<std::uint64_t>();
  };
  CHECK(bytes("meta-llama--Meta-Llama-3-8B", "auto") == 131072);
  CHECK(bytes("meta-llama--Meta-Llama-3-8B", "fp8") == 65536);
  // ceil(2,048 / 2) + ceil(2,048 / 16) = 1,152 a layer.
  CHECK(bytes("meta-llama--Meta-Llama-3-8B", "nvfp4") == 32 * 1152);
  CHECK(bytes("deepseek-ai--DeepSeek-V3", "fp8") == 35136);
  // The indexer adds 128 + 4 bytes a layer: 61 x 708.
  CHECK(bytes("deepseek-ai--DeepSeek-V3.2", "fp8") == 43188);
}

TEST_CASE("TensorRT-LLM: a checkpoint that asks for an FP8 cache gets it with auto") {
  Json request = {{"model",
                   {{"config", tests::config_fixture("meta-llama--Meta-Llama-3-8B")},
                    {"quant_config",
                     {{"producer", {{"name", "modelopt"}}},
                      {"quantization", {{"quant_algo", "FP8"}, {"kv_cache_quant_algo", "FP8"}}}}}}},
                  {"gpu", {{"id", "h100"}}},
                  {"engine", {{"name", "trtllm"}, {"version", "1.2.0"}}}};
  CHECK(tests::evaluate(request)["cache"]["bytes_per_token"] == 65536);
}

TEST_CASE("TensorRT-LLM: windows of a model save nothing unless max_attention_window is set") {
  const char* model = "openai--gpt-oss-120b";
  CHECK(tokens_of(cache_of(model, {{"max_seq_len", 131072}})) ==
        whole_blocks(static_cast<double>(kPool / 73728), 32));
  // Two windows take half of the bytes each; 18 layers a window x 2,048 bytes; blocks rounded down.
  const Json windowed = cache_of(
      model, {{"max_seq_len", 131072}, {"kv_cache_config.max_attention_window", {128, 131072}}});
  CHECK(tokens_of(windowed) == kPool / 2 / 36864 / 32 * 32);
  const std::uint64_t blocks = windowed["cache"]["blocks"]["best"];
  CHECK(windowed["capacity"]["max_requests"]["best"] == blocks / 4096);
}

TEST_CASE("TensorRT-LLM: shares of windows may be set") {
  Json request = {
      {"model", {{"config", tests::config_fixture("openai--gpt-oss-120b")}}},
      {"gpu", {{"id", "b200"}}},
      {"engine",
       {{"name", "trtllm"},
        {"version", "1.2.0"},
        {"env", {{"TRTLLM_WINDOW_SIZE_SHARES", "0.25,0.75"}}},
        {"args", {{"kv_cache_config.max_attention_window", "[128, 131072]"}}}}},
      {"measured", {{"kv_pool_bytes", kPool}, {"activation_bytes", 0}, {"cuda_graphs_bytes", 0}}}};
  CHECK(tokens_of(tests::evaluate(request)) == kPool / 4 * 3 / 36864 / 32 * 32);
  request["engine"]["env"]["TRTLLM_WINDOW_SIZE_SHARES"] = "0.25,0.25";
  const Json refused = tests::evaluate(request);
  CHECK(refused["error"]["path"] == "engine.env.TRTLLM_WINDOW_SIZE_SHARES");
}

TEST_CASE("TensorRT-LLM: the batch limit eats memory where layers keep states") {
  // Qwen3-Next: 36 layers of state. Convolution 3 x (2 x 16 x 128 + 32 x 128) x 2 bytes, recurrent
  // 32 x 128 x 128 x 2 or 4 bytes; 12 layers cache 2 x 2 x 256 x 2 bytes a token.
  const auto report = [](std::uint64_t batch) {
    return cache_of("Qwen--Qwen3-Next-80B-A3B-Instruct",
                    {{"max_batch_size", batch},
                     {"max_seq_len", 4096},
                     {"kv_cache_config.mamba_ssm_cache_dtype", "float32"}});
  };
  const std::uint64_t state = 36ULL * (3 * 8192 * 2 + 32 * 128 * 128 * 4);
  const std::uint64_t per_token = 12ULL * 2 * 2 * 256 * 2;
  CHECK(report(16)["cache"]["state_bytes_per_request"] == state);
  CHECK(tokens_of(report(16)) ==
        whole_blocks(static_cast<double>((kPool - 16 * state) / per_token), 32));
  CHECK(tokens_of(report(256)) ==
        whole_blocks(static_cast<double>((kPool - 256 * state) / per_token), 32));
  // 2,048 states are 147 GiB: more than there is.
  const Json refused = report(2048);
  CHECK(refused["verdict"]["limit"] == "kv_pool");
  CHECK(refused["verdict"]["text"].get<std::string>().find("max_batch_size") != std::string::npos);
}

TEST_CASE("TensorRT-LLM: stages are longer at the front, and the least of all holds") {
  // 61 layers on 8 stages: five of 8 layers and three of 7.
  const Json report = cache_of("deepseek-ai--DeepSeek-V3", {{"pp_size", 8}, {"tp_size", 1}});
  CHECK(tokens_of(report) == whole_blocks(static_cast<double>(kPool / (8 * 1152)), 32));
}

TEST_CASE("TensorRT-LLM: max_tokens and max_gpu_total_bytes cap the cache") {
  const auto report = [](Json args) {
    return tests::evaluate(
        {{"model", {{"config", tests::config_fixture("meta-llama--Meta-Llama-3-8B")}}},
         {"gpu", {{"id", "h100"}}},
         {"engine", {{"name", "trtllm"}, {"version", "1.2.0"}, {"args", std::move(args)}}},
         {"workload", {{"context", 4096}}}});
  };
  const Json tokens = report({{"kv_cache_config", {{"max_tokens", 100000}}}});
  CHECK(tokens["memory"]["per_gpu"]["kv_pool"]["best"] == 100000ULL * 131072);
  CHECK(tokens["memory"]["per_gpu"]["kv_pool"]["basis"] == "exact");
  CHECK(tokens["cache"]["tokens"]["best"] == 100000);
  const Json engine = report({{"backend", "tensorrt"}, {"max_tokens_in_paged_kv_cache", 100000}});
  CHECK(engine["memory"]["per_gpu"]["kv_pool"]["best"] == 100000ULL * 131072);
  CHECK(engine["cache"]["tokens"]["best"] == 100000);
  const Json bytes = report({{"kv_cache_config.max_gpu_total_bytes", 8ULL << 30U}});
  CHECK(bytes["memory"]["per_gpu"]["kv_pool"]["best"] == 8ULL << 30U);
  CHECK(bytes["cache"]["tokens"]["best"] == 65536);
  CHECK(bytes["capacity"]["max_requests"]["best"] == 16);
}

TEST_CASE("TensorRT-LLM: a beam takes cache of its own") {
  const auto requests = [](std::uint64_t beams) {
    return cache_of("meta-llama--Meta-Llama-3-8B",
                    {{"max_beam_width", beams},
                     {"max_seq_len", 8192}})["capacity"]["max_requests"]["best"]
        .get<std::uint64_t>();
  };
  CHECK(requests(1) == 64);
  CHECK(requests(4) == 16);
}

TEST_CASE("TensorRT-LLM: a pool too small shortens the length, or stops when told to") {
  const auto report = [](Json args, Json workload) {
    args["kv_cache_config.max_tokens"] = 4096;
    args["max_seq_len"] = 8192;
    return tests::evaluate(
        {{"model", {{"config", tests::config_fixture("meta-llama--Meta-Llama-3-8B")}}},
         {"gpu", {{"id", "h100"}}},
         {"engine", {{"name", "trtllm"}, {"version", "1.2.0"}, {"args", std::move(args)}}},
         {"workload", std::move(workload)}});
  };
  CHECK(report(Json::object(), Json::object())["verdict"]["serves"] == true);
  const Json asked = report(Json::object(), {{"context", 6000}});
  CHECK(asked["verdict"]["serves"] == false);
  CHECK(asked["verdict"]["limit"] == "kv_pool");
  CHECK(asked["capacity"]["max_context"] == 4096);
  const Json stopped = report({{"fail_fast_on_attention_window_too_large", true}}, Json::object());
  CHECK(stopped["verdict"]["serves"] == false);
  const Json beyond = report(Json::object(), {{"context", 9000}});
  CHECK(beyond["verdict"]["limit"] == "context");
}

TEST_CASE("TensorRT-LLM: the FP8 context MLA workspace is reserved from 1.4 on") {
  const auto pool = [](const char* version, Json more) {
    more["backend"] = "pytorch";
    more["tp_size"] = 8;
    more["kv_cache_config.dtype"] = "fp8";
    const Json report = tests::evaluate(
        {{"model", {{"config", tests::config_fixture("deepseek-ai--DeepSeek-V3")}}},
         {"gpu", {{"id", "b200"}}},
         {"engine", {{"name", "trtllm"}, {"version", version}, {"args", std::move(more)}}}});
    return report["memory"]["per_gpu"]["kv_pool"]["best"].get<double>();
  };
  // w = 16 heads x (64 + 128 + 128) = 5,120 bytes a token beside k = 35,136: 12.72 percent.
  const double kept = pool("1.4.0rc4", {{"enable_chunked_prefill", true}});
  CHECK(pool("1.4.0rc4", Json::object()) / kept == Approx(35136.0 / 40256.0).epsilon(1e-6));
  CHECK(pool("1.4.0rc4", {{"kv_cache_config.enable_block_reuse", false}}) == kept);
  CHECK(pool("1.3.0rc10", Json::object()) == kept);
}

TEST_CASE("TensorRT-LLM: blocks of 64 up to 0.17 and for FlashMLA on Hopper") {
  const auto block = [](const char* card, const char* model, const char* version) {
    const Json report = tests::evaluate(
        {{"model", {{"config", tests::config_fixture(model)}}},
         {"gpu", {{"id", card}, {"count", 8}}},
         {"engine",
          {{"name", "trtllm"}, {"version", version}, {"args", {{"backend", "pytorch"}}}}}});
    return report["cache"]["block_tokens"].get<std::uint64_t>();
  };
  CHECK(block("h100", "meta-llama--Meta-Llama-3-8B", "0.17.0") == 64);
  CHECK(block("h100", "meta-llama--Meta-Llama-3-8B", "0.18.0") == 32);
  CHECK(block("h200", "deepseek-ai--DeepSeek-V3", "1.2.0") == 64);
  CHECK(block("b200", "deepseek-ai--DeepSeek-V3", "1.2.0") == 32);
}

TEST_CASE("TensorRT-LLM: a draft model is loaded and cached beside the first") {
  Json request = {
      {"model", {{"config", tests::config_fixture("meta-llama--Meta-Llama-3-70B")}}},
      {"gpu", {{"id", "b200"}, {"count", 4}}},
      {"engine",
       {{"name", "trtllm"},
        {"version", "1.2.0"},
        {"args", {{"speculative_config", {{"decoding_type", "Eagle3"}, {"max_draft_len", 4}}}}}}}};
  const Json alone = tests::evaluate(request);
  request["model"]["draft"] = {{"config", tests::config_fixture("meta-llama--Meta-Llama-3-8B")}};
  const Json drafted = tests::evaluate(request);
  REQUIRE(drafted.contains("cache"));
  // 80 x 4,096 and 32 x 4,096 bytes a token.
  CHECK(alone["cache"]["bytes_per_token"] == 327680);
  CHECK(drafted["cache"]["bytes_per_token"] == 327680 + 131072);
  // 8,030,261,248 parameters x 2 bytes over 4 GPUs are 3.74 GiB.
  const double more = drafted["memory"]["per_gpu"]["weights"]["best"].get<double>() -
                      alone["memory"]["per_gpu"]["weights"]["best"].get<double>();
  CHECK(more / tests::kGiB == Approx(3.74).epsilon(0.01));
}
