// A start held against its prediction: what is inside, what is not, and the cause that a rule
// knows. The logs here are written from the prediction itself, with one thing changed.

#include "start_logs.hpp"

namespace {

using start_logs::compared;
using start_logs::gib;
using start_logs::Json;
using start_logs::mentions;
using start_logs::named;
using start_logs::read;

constexpr double kGiB = tests::kGiB;

Json request_of(const std::string& version = "0.11.0") {
  return {{"model", {{"config", tests::config_fixture("Qwen--Qwen3-8B")}}},
          {"gpu", {{"id", "h100-sxm-80gb"}, {"count", 1}}},
          {"engine",
           {{"name", "vllm"},
            {"version", version},
            {"args", {{"max-model-len", 16384}, {"max-num-seqs", 256}}}}}};
}

std::string two(double bytes) {
  const long long hundredths = std::llround(bytes / kGiB * 100);
  const long long size = hundredths < 0 ? -hundredths : hundredths;
  const std::string digits = std::to_string(size % 100);
  return (hundredths < 0 ? "-" : "") + std::to_string(size / 100) + "." +
         (digits.size() < 2 ? "0" + digits : digits);
}

/// Figures of a start, at first the predicted ones.
struct Start {
  double weights = 0;
  double activation = 0;
  double non_torch = 0;
  double graphs = 0;
  double total = 0;
  double requested = 0;
  double free = 0;
  double tokens = 0;
  std::string more;

  explicit Start(const Json& request) {
    const Json report = tests::evaluate(request);
    REQUIRE(report.contains("memory"));
    const Json& m = report["memory"]["per_gpu"];
    weights = m["weights"]["best"];
    activation = m["activation"]["best"];
    non_torch = m["non_torch"]["best"];
    graphs = m["cuda_graphs"]["best"];
    total = m["total"];
    requested = m["requested"];
    free = total - 0.51 * kGiB;
    tokens = report["cache"]["tokens"]["best"];
    (void)total;
  }

  [[nodiscard]] double pool() const { return requested - weights - activation - non_torch; }

  [[nodiscard]] std::string log(const std::string& version = "0.11.0") const {
    return "(APIServer pid=1) INFO 10-12 14:00:05 [api_server.py:1] vLLM API server version " +
           version + "\n(EngineCore_DP0 pid=3) INFO 10-12 14:00:25 [x.py:1] Model loading took " +
           two(weights) + " GiB and 3.2 seconds\n" + more +
           "(EngineCore_DP0 pid=3) INFO 10-12 14:00:45 [x.py:1] Available KV cache memory: " +
           two(pool()) + " GiB\n(EngineCore_DP0 pid=3) INFO [x.py:1] GPU KV cache size: " +
           std::to_string(static_cast<long long>(tokens)) +
           " tokens\n(EngineCore_DP0 pid=3) INFO 10-12 14:00:55 [x.py:1] Free memory on device (" +
           two(free) + "/" + two(total) +
           " GiB) on startup. Desired GPU memory utilization is (0.9, " + two(requested) +
           " GiB). Actual usage is " + two(weights) + " GiB for weight, " + two(activation) +
           " GiB for peak activation, " + two(non_torch) + " GiB for non-torch memory, and " +
           two(graphs) + " GiB for CUDAGraph memory.\n" +
           "(EngineCore_DP0 pid=3) INFO 10-12 14:00:56 [core.py:1] init engine (profile, create kv "
           "cache, warmup model) took 30.2 seconds\n";
  }
};

std::string cause(const Json& answer, std::string_view term) {
  const Json entry = compared(answer, term);
  REQUIRE(entry.is_object());
  CHECK_FALSE(entry["inside"].get<bool>());
  REQUIRE(entry["cause"].is_string());
  return entry["cause"];
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST_CASE("A start as predicted is inside throughout", "[read_log]") {
  const Json request = request_of();
  const Start start(request);
  const Json answer = read(start.log(), request);
  REQUIRE(answer["comparison"].size() >= 6);
  for (const Json& term : answer["comparison"]) {
    INFO(term.dump());
    CHECK(term["inside"] == true);
    CHECK(term["cause"].is_null());
    CHECK(term["predicted"]["best"].get<double>() + term["difference"].get<double>() ==
          Approx(term["measured"].get<double>()));
  }
  CHECK(answer["causes"].empty());
  // Going on from it gives the same pool again.
  REQUIRE(answer["calibrated"].is_object());
  const Json again = tests::evaluate(answer["calibrated"]);
  CHECK(again["memory"]["per_gpu"]["weights"]["best"] == answer["measured"]["weights_bytes"]);
  CHECK(again["memory"]["per_gpu"]["weights"]["basis"] == "measured");
  CHECK(again["memory"]["per_gpu"]["kv_pool"]["best"].get<double>() ==
        Approx(start.pool()).margin(0.02 * kGiB));
  CHECK_FALSE(answer["calibrated"]["measured"].contains("kv_pool_bytes"));
  CHECK(mentions(answer["notes"], "measured.weights_bytes holds for this checkpoint"));
}

TEST_CASE("The calibrated request follows a change that the fixed pool would not", "[read_log]") {
  const Json request = request_of();
  const Json answer = read(Start(request).log(), request);
  Json changed = answer["calibrated"];
  changed["engine"]["args"]["gpu-memory-utilization"] = 0.8;
  const Json before = tests::evaluate(answer["calibrated"]);
  const Json after = tests::evaluate(changed);
  // A tenth of the card less: 0.1 x total.
  const double total = before["memory"]["per_gpu"]["total"];
  CHECK(before["memory"]["per_gpu"]["kv_pool"]["best"].get<double>() -
            after["memory"]["per_gpu"]["kv_pool"]["best"].get<double>() ==
        Approx(0.1 * total).margin(4));
}

TEST_CASE("Weights of another checkpoint", "[read_log]") {
  const Json request = request_of();
  Start start(request);
  start.weights *= 0.55;
  CHECK(has(cause(read(start.log(), request), "weights"), "half the bits"));
  start.weights *= 0.6;
  CHECK(has(cause(read(start.log(), request), "weights"), "about 4 bits"));
  start = Start(request);
  start.weights *= 2;
  CHECK(has(cause(read(start.log(), request), "weights"), "more bits than the config says"));
  start = Start(request);
  start.weights *= 1.2;
  const Json unknown = read(start.log(), request);
  CHECK(cause(unknown, "weights") == "cause unknown");
  CHECK(has(cause(unknown, "kv_pool"), "follows from the other terms: weights +"));
}

TEST_CASE("LoRA in the weights", "[read_log]") {
  const Json request = request_of();
  Start start(request);
  start.weights += 0.8 * kGiB;
  start.more =
      "(APIServer pid=1) INFO [utils.py:233] non-default args: {'enable_lora': True, "
      "'max_loras': 4}\n";
  CHECK(has(cause(read(start.log(), request), "weights"), "LoRA"));
}

TEST_CASE("Activation: media, and a warm compile cache", "[read_log]") {
  const Json request = request_of();
  Start start(request);
  start.activation += 6 * kGiB;
  start.more =
      "(EngineCore_DP0 pid=3) INFO Encoder cache will be initialized with a budget of "
      "16384 tokens, and profiled with 1 image items of the maximum feature size.\n";
  const std::string media = cause(read(start.log(), request), "activation");
  CHECK(has(media, "16,384 tokens"));
  CHECK(has(media, "--limit-mm-per-prompt"));
  start.more.clear();
  CHECK(cause(read(start.log(), request), "activation") == "cause unknown");

  start = Start(request);
  start.activation = 0.2 * kGiB;
  start.more =
      "(EngineCore_DP0 pid=3) INFO Directly load the compiled graph(s) for dynamic shape "
      "from the cache, took 1.0 s\n";
  // The table is 151,936 x 4,096 x 2 bytes.
  const std::string warm = cause(read(start.log(), request), "activation");
  CHECK(has(warm, "torch.compile"));
  CHECK(has(warm, "1.159 GiB"));
}

TEST_CASE("Other processes on the card", "[read_log]") {
  const Json request = request_of();
  Start start(request);
  start.free -= 9 * kGiB;
  const Json answer = read(start.log(), request);
  CHECK(mentions(answer["causes"], "9.510 GiB of the card's"));
  CHECK(mentions(answer["causes"], "or lower --gpu-memory-utilization to"));
  start.non_torch += 9 * kGiB;
  CHECK(has(cause(read(start.log(), request), "non_torch"), "another process"));
}

TEST_CASE("The same pool, another number format of the cache", "[read_log]") {
  const Json request = request_of();
  Start start(request);
  start.tokens *= 2;
  CHECK(has(cause(read(start.log(), request), "tokens"), "8 bits where 16"));
  Json eight = request;
  eight["engine"]["args"]["kv-cache-dtype"] = "fp8";
  start = Start(eight);
  start.tokens /= 2;
  CHECK(has(cause(read(start.log(), eight), "tokens"), "16 bits where 8"));
}

TEST_CASE("A log and a request of different setups say so", "[read_log]") {
  const Json request = request_of();
  Start start(request);
  start.more =
      "(APIServer pid=1) INFO [utils.py:233] non-default args: {'max_num_seqs': 64, "
      "'tensor_parallel_size': 2}\n";
  start.activation /= 4;
  start.weights /= 2;
  const Json answer = read(start.log("0.19.0"), request);
  CHECK(mentions(answer["causes"], "the log is of version 0.19.0, the request of 0.11.0"));
  CHECK(mentions(answer["causes"], "the log ran with max-num-seqs 64, the request has 256"));
  CHECK(mentions(answer["causes"], "the log ran on 2 GPUs, the request is for 1"));
  CHECK(has(cause(answer, "weights"), "GPUs"));
  CHECK(has(cause(answer, "activation"), "another setup"));
}

TEST_CASE("A version beyond those whose rules are known", "[read_log]") {
  const Json request = request_of("0.99.0");
  Start start(request);
  start.weights *= 1.2;
  CHECK(has(cause(read(start.log("0.99.0"), request), "weights"), "the nearest rules were used"));
}

TEST_CASE("What the log ran with and the request lacks", "[read_log]") {
  const Json request = request_of();
  Start start(request);
  start.more =
      "(APIServer pid=1) INFO [utils.py:233] non-default args: {'enforce_eager': True, "
      "'kv_cache_dtype': 'fp8', 'max_num_batched_tokens': 2048}\n";
  const Json answer = read(start.log(), request);
  CHECK(mentions(answer["causes"], "enforce-eager on, which the request lacks"));
  CHECK(mentions(answer["causes"], "kv-cache-dtype fp8, which the request lacks"));
  // 8,192 is the server's default on a card of 80 GB.
  CHECK(mentions(answer["causes"], "max-num-batched-tokens 2048, the request comes to 8192"));
}

TEST_CASE("Graphs that the version does not take off its claim", "[read_log]") {
  Json request = request_of();
  request["engine"]["args"]["gpu-memory-utilization"] = 0.99;
  const Json answer = read(Start(request).log(), request);
  CHECK(mentions(answer["causes"], "this version does not take them off the claim"));
}

TEST_CASE("Graphs that the engine's estimate misses", "[read_log]") {
  Json request = request_of("0.21.0");
  request["model"] = {{"config", tests::config_fixture("Qwen--Qwen3-30B-A3B")}};
  const Json report = tests::evaluate(request);
  REQUIRE(report["memory"]["per_gpu"]["cuda_graphs_charged"]["best"].get<double>() > 0);
  Start start(request);
  start.more = "(EngineCore pid=3) INFO Estimated CUDA graph memory: 18.65 GiB total\n";
  CHECK(has(cause(read(start.log("0.21.0"), request), "cuda_graphs_charged"),
            "VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS=0"));
}

TEST_CASE("A refusal names the term that is off", "[read_log]") {
  const Json request = request_of();
  Start start(request);
  start.weights += 40 * kGiB;
  const std::string log =
      "INFO Model loading took " + two(start.weights) +
      " GiB and 1 seconds\nValueError: To serve at least one request with the models's max seq len "
      "(16384), (2.25 GiB KV cache is needed, which is larger than the available KV cache memory "
      "(1.00 GiB). Based on the available memory, the estimated maximum model length is 7280.\n";
  const Json answer = read(log, request);
  CHECK(answer["outcome"] == "refused");
  CHECK(mentions(answer["causes"], "1.250 GiB too few"));
  CHECK(mentions(answer["causes"], "The term that is off is weights"));
  CHECK(mentions(answer["causes"], "+40.00"));
  // What was too little stays, so that the calibrated estimate refuses where the engine did.
  CHECK(answer["calibrated"]["measured"]["kv_pool_bytes"] == answer["measured"]["kv_pool_bytes"]);
}

TEST_CASE("Memory that others share", "[read_log]") {
  Json request = request_of("0.11.0");
  request["gpu"] = {{"id", "gb10"}, {"count", 1}};
  const Json report = tests::evaluate(request);
  if (report.contains("error")) {
    FAIL(report.dump());
  }
  Start start(request);
  start.graphs = -0.9 * kGiB;
  const Json answer = read(start.log(), request);
  CHECK(mentions(answer["causes"], "shares its memory with the machine"));
  CHECK(answer["measured"]["cuda_graphs_bytes"].is_null());
  CHECK(mentions(answer["notes"], "negative size of CUDA graphs"));
}

TEST_CASE("SGLang's pool that is far below its claim", "[read_log]") {
  Json request = request_of();
  request["engine"] = {{"name", "sglang"}, {"version", "0.5.17"}};
  const std::string log =
      "[2026-08-27 TP0] server_args=ServerArgs(model_path='Qwen/Qwen3-8B', "
      "mem_fraction_static=0.8, "
      "tp_size=1)\n[2026-08-27 TP0] Load weight begin. avail mem=78.50 GB\n[2026-08-27 TP0] Load "
      "weight end. elapsed=3 s, type=Qwen3ForCausalLM, avail mem=63.20 GB, mem usage=15.30 "
      "GB.\n[2026-08-27 TP0] KV Cache is allocated. #tokens: 1741, K size: 0.12 GB, V size: 0.12 "
      "GB\n[2026-08-27 TP0] Memory pool end. avail mem=62.90 GB\n";
  CHECK(has(cause(read(log, request), "kv_pool"), "the loader still held temporary copies"));
}

TEST_CASE("A request of another engine is refused, and a part of one is enough", "[read_log]") {
  Json wrong = request_of();
  wrong["engine"] = {{"name", "sglang"}};
  const Json refused = read(named("vllm 0.11"), wrong);
  CHECK(refused["error"]["code"] == "wrong_engine");
  CHECK(refused["error"]["path"] == "request.engine.name");
  CHECK(refused["id"] == "q");

  // The card and the model from the asker, the rest from the log.
  const Json part = {{"model", {{"config", tests::config_fixture("Qwen--Qwen3-8B")}}},
                     {"gpu", {{"id", "h100-sxm-80gb"}}}};
  const Json a = read(named("vllm 0.27"), part);
  CHECK(a["request"]["engine"]["version"] == "0.27.1");
  CHECK(a["request"]["engine"]["args"]["max-model-len"] == 32768);
  CHECK_FALSE(a["comparison"].empty());
  Json no_card = part;
  no_card["gpu"]["id"] = "no such card";
  const Json bad = read(named("vllm 0.27"), no_card);
  CHECK(bad["error"]["code"] == "unknown_gpu");
  CHECK(bad["error"]["path"] == "request.gpu.id");

  const Json none = read(named("vllm 0.27"));
  CHECK(none["request"].is_null());
  CHECK(none["calibrated"].is_null());
  CHECK(none["comparison"].empty());
  CHECK(mentions(none["notes"], "not enough for a prediction"));

  const Json unknown = Json::parse(ridgepoint::api::read_log("x", R"({"id":"i","nonsense":1})"));
  CHECK(unknown["error"]["code"] == "unknown_field");
  const Json no_object =
      Json::parse(ridgepoint::api::read_log(named("vllm 0.27"), R"({"id":"i","request":[1]})"));
  CHECK(no_object["error"]["path"] == "request");
}

TEST_CASE("A model of the catalogue needs no more than the log and its card", "[read_log]") {
  const std::string log =
      "INFO Initializing a V1 LLM engine (v0.11.0) with config: model='Qwen/Qwen3-8B', "
      "max_seq_len=16384, tensor_parallel_size=1, pipeline_parallel_size=1\nGPU 0: NVIDIA H100 "
      "80GB "
      "HBM3 (UUID: GPU-1)\nINFO Model loading took 15.2683 GiB and 3 seconds\n";
  const Json answer = read(log);
  INFO(answer["notes"].dump());
  CHECK(answer["request"]["gpu"]["id"] == "h100-sxm-80gb");
  CHECK(compared(answer, "weights")["inside"] == true);
}

TEST_CASE("Flags of the log that the rules refuse are left out and told", "[read_log]") {
  const Json part = {{"model", {{"config", tests::config_fixture("Qwen--Qwen3-8B")}}},
                     {"gpu", {{"id", "h100-sxm-80gb"}}}};
  const std::string log =
      "INFO Initializing a V1 LLM engine (v0.11.0) with config: model='x', max_seq_len=16384, "
      "tensor_parallel_size=1\nINFO non-default args: {'max_num_seqs': 'lots', 'rope_theta': 5.0, "
      "'hf_overrides': {'a': 1}, 'block_size': 16}\nINFO Model loading took 15.26 GiB and 3 "
      "seconds\n";
  const Json a = read(log, part);
  REQUIRE(a["request"].is_object());
  CHECK(mentions(a["notes"], "--max-num-seqs of the log is left out"));
  CHECK(mentions(a["notes"], "--hf-overrides"));
  CHECK(a["request"]["engine"]["args"]["block-size"] == 16);
}

}  // namespace
