// Starts that TensorRT-LLM's logs print, worked by hand: (total - peak + temporary) x fraction, and
// what follows from it.
#include "evaluated.hpp"

namespace {

using tests::Json;
using tests::kGiB;

std::uint64_t gib(double value) { return static_cast<std::uint64_t>(value * kGiB); }

Json request(const std::string& fixture, const std::string& card, Json args,
             const std::string& version = "1.3.0rc10") {
  return {{"model", {{"id", fixture}, {"config", tests::config_fixture(fixture)}}},
          {"gpu", {{"id", card}}},
          {"engine", {{"name", "trtllm"}, {"version", version}, {"args", std::move(args)}}}};
}

/// The figures of a log in place of the predicted ones.
Json with_log(Json request, double total, double weights, double activation, double outside) {
  request["gpu"]["total_bytes"] = gib(total);
  request["measured"] = {{"weights_bytes", gib(weights)},
                         {"activation_bytes", gib(activation)},
                         {"non_torch_bytes", gib(outside)}};
  return request;
}

double pool_gib(const Json& report) {
  return report["memory"]["per_gpu"]["kv_pool"]["best"].get<double>() / kGiB;
}

Json step(const Json& report, const std::string& term) {
  for (const Json& each : report["explain"]) {
    if (each["term"] == term) {
      return each;
    }
  }
  return nullptr;
}

/// DeepSeek-V3 has the shape of R1: 61 latent layers of 576 values, one prediction layer.
const char* const kDeepSeek = "deepseek-ai--DeepSeek-V3";
const char* const kGptOss = "openai--gpt-oss-120b";

Json options(std::initializer_list<Json::object_t::value_type> more) {
  Json args = {{"backend", "pytorch"}, {"kv_cache_config.dtype", "fp8"}};
  for (const auto& [name, value] : more) {
    args[name] = value;
  }
  return args;
}

}  // namespace

TEST_CASE("TensorRT-LLM: a unified-memory log gives 5.95 GiB, 86,720 tokens and a shorter length") {
  // (119.70 - 63.52 - 0.85 - 49.28 + 0.5647) x 0.9 = 5.953; 73,728 bytes a token: 36 x 8 x 64 x 4.
  // The printed figures are rounded: 86,711 tokens became 2,710 blocks of 32.
  const Json report = tests::evaluate(with_log(
      request(kGptOss, "gb10", {{"backend", "pytorch"}}, "1.2.0rc6"), 119.70, 63.52, 0.85, 49.28));
  REQUIRE(report.contains("cache"));
  CHECK(report["cache"]["bytes_per_token"] == 73728);
  CHECK(pool_gib(report) == Approx(5.95).margin(0.01));
  CHECK(report["cache"]["blocks"]["best"].get<double>() == Approx(2710).epsilon(0.002));
  const std::uint64_t tokens = report["cache"]["tokens"]["best"];
  CHECK(tokens % 32 == 0);
  CHECK(tokens == 32 * report["cache"]["blocks"]["best"].get<std::uint64_t>());
  CHECK(report["verdict"]["serves"] == true);
  CHECK(report["capacity"]["max_context"] == tokens);
  // 8,192 tokens, one made, two more with overlap: 257 blocks.
  CHECK(step(report, "non_torch.temporary_kv")["value"] == 8224.0 * 73728);
}

TEST_CASE("TensorRT-LLM: before 0.19 nothing is added back: (139.81 - 91.46) x 0.85 = 41.11") {
  const Json report = tests::evaluate(
      with_log(request("meta-llama--Meta-Llama-3-8B", "h200",
                       {{"backend", "pytorch"}, {"free_gpu_memory_fraction", 0.85}}, "0.18.0"),
               139.81, 80.0, 6.46, 5.0));
  CHECK(pool_gib(report) == Approx(41.0975).margin(0.001));
  const Json later = tests::evaluate(
      with_log(request("meta-llama--Meta-Llama-3-8B", "h200",
                       {{"backend", "pytorch"}, {"free_gpu_memory_fraction", 0.85}}, "0.20.0"),
               139.81, 80.0, 6.46, 5.0));
  // Requests of 8,191 and of 1 token: 257 + 1 blocks of 32 x 131,072 bytes = 1.00781 GiB are added.
  CHECK(pool_gib(later) == Approx(41.0975 + 0.85 * 1.00781).margin(0.001));
}

TEST_CASE("TensorRT-LLM: the temporary cache of 1.3 goes by the length and the batch") {
  const auto temporary = [](const Json& report) {
    return step(report, "non_torch.temporary_kv")["value"].get<double>() / kGiB;
  };
  SECTION("gpt-oss on two GPUs, 8 requests: 4,097 + 7 blocks of 32 x 18,432 bytes") {
    const Json report =
        tests::evaluate(request(kGptOss, "gb200",
                                options({{"tp_size", 2},
                                         {"max_batch_size", 8},
                                         {"max_num_tokens", 20000},
                                         {"cuda_graph_config.max_batch_size", 8}})));
    CHECK(temporary(report) * kGiB == 4104.0 * 32 * 18432);
    CHECK(temporary(report) == Approx(2.25).margin(0.005));
  }
  SECTION("R1 with three predictions, 128 requests: 5,121 + 127 blocks x 64 layers") {
    const Json report =
        tests::evaluate(request(kDeepSeek, "gb200",
                                options({{"tp_size", 8},
                                         {"max_batch_size", 128},
                                         {"max_num_tokens", 512},
                                         {"cuda_graph_config.max_batch_size", 128},
                                         {"speculative_config.decoding_type", "MTP"},
                                         {"speculative_config.num_nextn_predict_layers", 3}})));
    CHECK(temporary(report) * kGiB == 5248.0 * 32 * 36864);
    CHECK(temporary(report) == Approx(5.77).margin(0.005));
  }
  SECTION("without graphs one request of the whole length: 4,096 blocks x 36,864 bytes") {
    const Json report = tests::evaluate(request(
        kGptOss, "gb200",
        options(
            {{"max_batch_size", 32}, {"max_num_tokens", 20000}, {"cuda_graph_config", "null"}})));
    CHECK(temporary(report) == 4.5);
  }
  SECTION("the default batch of 2,048 alone is 65,536 tokens") {
    const Json report = tests::evaluate(request(kGptOss, "b300", options({{"max_seq_len", 8192}})));
    CHECK(temporary(report) == 2.25);
  }
  SECTION("1.2 has room for the dry run's requests alone: 257 and 129 blocks") {
    const Json wide = tests::evaluate(request(
        kDeepSeek, "b200", options({{"tp_size", 8}, {"max_seq_len", 10240}}), "1.2.0rc6.post3"));
    CHECK(temporary(wide) * kGiB == 257.0 * 32 * 35136);
    const Json narrow = tests::evaluate(
        request(kDeepSeek, "b200",
                options({{"tp_size", 8}, {"max_seq_len", 10240}, {"max_num_tokens", 4096}}),
                "1.2.0rc6.post3"));
    CHECK(temporary(narrow) * kGiB == 129.0 * 32 * 35136);
  }
}

TEST_CASE("TensorRT-LLM: a GB200 log with three predictions gives 58.90 GiB") {
  // (184.31 - 100.86 - 2.96 - 12.52 + 5.66) x 0.8 = 58.90
  const Json report = tests::evaluate(
      with_log(request(kDeepSeek, "gb200",
                       options({{"tp_size", 4},
                                {"ep_size", 4},
                                {"max_batch_size", 32},
                                {"max_num_tokens", 8192},
                                {"free_gpu_memory_fraction", 0.8},
                                {"cuda_graph_config.max_batch_size", 32},
                                {"speculative_config.decoding_type", "MTP"},
                                {"speculative_config.num_nextn_predict_layers", 3}})),
               184.31, 100.86, 2.96, 12.52));
  CHECK(pool_gib(report) == Approx(58.90).margin(0.01));
  CHECK(report["memory"]["per_gpu"]["cuda_graphs_charged"]["best"] == 0);
  CHECK(report["memory"]["per_gpu"]["requested"].is_null());
}

TEST_CASE("TensorRT-LLM: prediction layers count from 1.3 on") {
  const auto tokens = [](const char* version) {
    Json wanted =
        with_log(request(kDeepSeek, "b200",
                         options({{"tp_size", 8},
                                  {"max_seq_len", 8192},
                                  {"free_gpu_memory_fraction", 0.8},
                                  {"torch_compile_config.enable_piecewise_cuda_graph", true},
                                  {"speculative_config.decoding_type", "MTP"},
                                  {"speculative_config.num_nextn_predict_layers", 3}}),
                         version),
                 178.35, 83.36, 2.12, 10.7);
    return tests::evaluate(wanted);
  };
  const Json before = tokens("1.2.0rc6.post3");
  const Json after = tokens("1.3.0rc10");
  // Both lay out 61 + 3 layers; only the later estimate divides by them.
  CHECK(step(before, "bytes_per_token")["with_numbers"].get<std::string>().find("35,136") !=
        std::string::npos);
  CHECK(step(after, "bytes_per_token")["with_numbers"].get<std::string>().find("35,136") ==
        std::string::npos);
  CHECK(after["cache"]["bytes_per_token"] == 36864);
  CHECK(pool_gib(before) == Approx(65.96).margin(0.02));
  // What the dry run and its piecewise graphs free again makes room for the three layers: 2,015,725
  // tokens, as printed.
  CHECK(before["cache"]["tokens"]["best"].get<double>() == Approx(2015725).epsilon(0.001));
}

TEST_CASE("TensorRT-LLM: an engine's cache is the fraction of what is left, in whole blocks up") {
  // 1.42 GiB x 0.9 / 16 MiB = 81.8: 82 blocks of 64 tokens at 256 KiB; 5,185 tokens are served.
  // Qwen2.5-7B has 57,344 bytes a token; the card is cut so that 81.8 blocks of 64 are left.
  const double block = 64.0 * 57344;
  const double left = 81.8 * block / 0.9;
  const auto total = static_cast<std::uint64_t>(20.0 * kGiB);
  Json wanted = request("Qwen--Qwen2.5-7B", "a10",
                        {{"backend", "tensorrt"}, {"tokens_per_block", 64}}, "0.17.0");
  wanted["gpu"]["total_bytes"] = total;
  wanted["measured"] = {{"weights_bytes", total - static_cast<std::uint64_t>(left)},
                        {"activation_bytes", 0},
                        {"non_torch_bytes", 0}};
  const Json report = tests::evaluate(wanted);
  CHECK(report["cache"]["blocks"]["best"] == 82);
  CHECK(report["cache"]["tokens"]["best"] == 5248);
  CHECK(report["capacity"]["max_context"] == 5185);
}

TEST_CASE("TensorRT-LLM: figures of R1 from the config alone are near the measured ones") {
  // B200, FP8 blocks, 8 GPUs, no predictions: weights 81.86, outside torch 7.53, pool 69.40 GiB.
  Json wanted = request(kDeepSeek, "b200",
                        options({{"tp_size", 8},
                                 {"max_seq_len", 10240},
                                 {"max_num_tokens", 8320},
                                 {"free_gpu_memory_fraction", 0.8},
                                 {"moe_config.backend", "TRTLLM"},
                                 {"cuda_graph_config.max_batch_size", 16},
                                 {"cuda_graph_config.enable_padding", true}}),
                        "1.2.0rc6");
  wanted["gpu"]["total_bytes"] = gib(178.35);
  const Json report = tests::evaluate(wanted);
  const Json& gpu = report["memory"]["per_gpu"];
  CHECK(gpu["weights"]["best"].get<double>() / kGiB == Approx(81.86).epsilon(0.02));
  CHECK(pool_gib(report) == Approx(69.40).epsilon(0.03));
  CHECK(gpu["kv_pool"]["low"].get<double>() / kGiB <= 69.40);
  CHECK(gpu["kv_pool"]["high"].get<double>() / kGiB >= 69.40);
  CHECK(gpu["kv_pool"]["basis"] == "measured");
  // A range that holds everything says nothing.
  CHECK((gpu["kv_pool"]["high"].get<double>() - gpu["kv_pool"]["low"].get<double>()) / kGiB < 7.0);
}

TEST_CASE("TensorRT-LLM: transfer buffers are two, of tokens x bytes per token") {
  const auto outside = [](std::uint64_t tokens) {
    Json args = options({{"tp_size", 8},
                         {"ep_size", 8},
                         {"max_batch_size", 16},
                         {"enable_attention_dp", true},
                         {"speculative_config.decoding_type", "MTP"},
                         {"speculative_config.num_nextn_predict_layers", 3}});
    if (tokens != 0) {
      args["cache_transceiver_config"] = {{"backend", "UCX"}, {"max_tokens_in_buffer", tokens}};
    }
    const Json report = tests::evaluate(request(kDeepSeek, "gb200", args));
    return report["memory"]["per_gpu"]["non_torch"]["best"].get<std::uint64_t>();
  };
  // Measured: 12.48 - 11.35 = 1.13 GiB; 2 x 16,384 x 36,864 = 1.125 GiB.
  CHECK(outside(16384) - outside(0) == 2ULL * 16384 * 36864);
}

TEST_CASE("TensorRT-LLM: a model that does not fit says so in numbers") {
  const Json report = tests::evaluate(
      request("meta-llama--Meta-Llama-3-70B", "a100-sxm-80gb", {{"backend", "pytorch"}}, "1.2.0"));
  CHECK(report["verdict"]["serves"] == false);
  CHECK(report["verdict"]["limit"] == "weights");
  CHECK(report["verdict"]["needed_bytes"].get<double>() / kGiB > 131.0);
  CHECK(report["memory"]["per_gpu"]["kv_pool"]["best"] == 0);
  CHECK(report["capacity"]["max_requests"]["best"] == 0);
  CHECK(tests::advises(report, "--tensor-parallel-size"));
}

TEST_CASE("TensorRT-LLM: memory that others use shrinks the cache by the fraction of it") {
  Json wanted = request("meta-llama--Meta-Llama-3-8B", "h100", {{"backend", "pytorch"}}, "1.2.0");
  const std::uint64_t total = 80ULL << 30U;
  wanted["gpu"]["total_bytes"] = total;
  const double alone = pool_gib(tests::evaluate(wanted));
  wanted["gpu"]["free_bytes"] = total - (10ULL << 30U);
  CHECK(pool_gib(tests::evaluate(wanted)) == Approx(alone - 9.0).margin(1e-6));
}

TEST_CASE("TensorRT-LLM: every number of the answer is explained") {
  const Json report = tests::evaluate(request(kDeepSeek, "b200", options({{"tp_size", 8}})));
  std::string terms;
  for (const Json& each : report["explain"]) {
    CAPTURE(each.dump());
    CHECK_FALSE(each["formula"].get<std::string>().empty());
    CHECK_FALSE(each["with_numbers"].get<std::string>().empty());
    CHECK_FALSE(each["source"].get<std::string>().empty());
    terms += " " + each["term"].get<std::string>() + " ";
  }
  for (const char* term :
       {"weights", "activation", "non_torch", "cuda_graphs", "peak", "kv_pool", "bytes_per_token",
        "blocks", "tokens", "max_concurrency", "max_requests"}) {
    CAPTURE(term);
    CHECK(terms.find(std::string(" ") + term + " ") != std::string::npos);
  }
}
