// Verdicts, cards, --fit, versions and flags of llama.cpp.
#include "engine/llamacpp/flags.hpp"
#include "engine/llamacpp/version.hpp"
#include "llamacpp_requests.hpp"

using llamacpp_requests::kMiB;
using llamacpp_requests::mib;
using llamacpp_requests::pool;
using llamacpp_requests::refusal;
using llamacpp_requests::request;
using llamacpp_requests::roomy;
using llamacpp_requests::says;
using llamacpp_requests::start;
using tests::Json;

namespace {

const std::string kLlama = "meta-llama--Meta-Llama-3-8B";

/// A decoder of the sizes of granite-4.1-8b.
Json granite_sizes() {
  return {{"architectures", {"LlamaForCausalLM"}},
          {"model_type", "llama"},
          {"hidden_size", 4096},
          {"intermediate_size", 12800},
          {"num_hidden_layers", 40},
          {"num_attention_heads", 32},
          {"num_key_value_heads", 8},
          {"vocab_size", 100352},
          {"max_position_embeddings", 131072},
          {"tie_word_embeddings", false},
          {"torch_dtype", "bfloat16"}};
}

std::uint64_t in_bytes(double mebibytes) { return static_cast<std::uint64_t>(mebibytes * kMiB); }

}  // namespace

TEST_CASE("--fit shortens the context as the start of granite-4.1-8b on an RX 9070 XT did") {
  // 16,140 MiB free; 30,834 needed at 131,072 tokens and 10,782 at 4,096: 31,488 tokens.
  Json asked = request(granite_sizes(), "b9106", {{"ngl", 99}},
                       {{"total_bytes", in_bytes(16304)}, {"free_bytes", in_bytes(16140)}});
  asked["measured"] = {{"weights_bytes", in_bytes(9938)}, {"non_torch_bytes", 0}};
  const Json report = tests::evaluate(asked);
  REQUIRE(report.contains("cache"));
  CHECK(report["cache"]["tokens"]["best"] == 31488);
  CHECK(mib(report, "activation") == Approx(204.0).margin(0.02));
  CHECK(mib(report, "kv_pool") == 4920.0);
  CHECK(report["verdict"]["serves"] == true);
  CHECK(says(report, "--fit shortens the context to 31,488"));
  bool explained = false;
  for (const Json& step : report["explain"]) {
    explained = explained || (step["term"] == "fit.context" && step["value"] == 31488);
  }
  CHECK(explained);
  // A context that was asked for stays.
  asked["engine"]["args"]["ctx-size"] = 131072;
  const Json kept = tests::evaluate(asked);
  CHECK(kept["cache"]["tokens"]["best"] == 131072);
  CHECK(kept["verdict"]["serves"] == false);
  CHECK(says(kept, "n_gpu_layers already set by user to 99, abort"));
}

TEST_CASE("--fit takes layers off a card where a shorter context is not enough") {
  const Json report = start("meta-llama--Meta-Llama-3-70B", "b8000", {{"model", "L-Q4_K_M.gguf"}},
                            {{"id", "rtx-4090"}});
  CHECK(report["verdict"]["serves"] == true);
  CHECK(report["cache"]["tokens"]["best"] == 4096);
  CHECK(says(report, "of 81 layers on the cards"));
  const Json& gpu = report["memory"]["per_gpu"];
  const double used = mib(report, "weights") + mib(report, "kv_pool") + mib(report, "activation") +
                      mib(report, "non_torch");
  const double free = gpu["total"].get<double>() / kMiB - used;
  CHECK(free >= 1024.0);
  CHECK(free < 1024.0 + 600.0);  // one more layer of 70B would not have fitted
  const Json off = start("meta-llama--Meta-Llama-3-70B", "b8000",
                         {{"model", "L-Q4_K_M.gguf"}, {"fit", "off"}}, {{"id", "rtx-4090"}});
  CHECK(off["verdict"]["serves"] == false);
  CHECK(off["verdict"]["limit"] == "weights");
}

TEST_CASE("--fit leaves a mixture's dense parts on the card and moves experts") {
  const Json report = start("openai--gpt-oss-120b", "b8000", {{"c", 32768}}, {{"id", "rtx-5090"}});
  CHECK(report["verdict"]["serves"] == true);
  CHECK(says(report, "37 of 37 layers on the cards, some without their experts"));
  CHECK(report["memory"]["host_bytes"] > report["memory"]["per_gpu"]["weights"]["best"]);
}

TEST_CASE("layers are counted from the end and dealt out by shares") {
  const auto weights = [](Json args, std::uint64_t cards) {
    args["model"] = "L-Q8_0.gguf";
    args["c"] = 4096;
    args["fit"] = "off";
    Json gpu = roomy();
    gpu["count"] = cards;
    return mib(start(kLlama, "b8000", std::move(args), gpu), "weights");
  };
  const double all = weights({}, 1);
  // The output: 128,256 x 4,096 values of 34/32 bytes, and the last norm of 4,096 x 4.
  const double output = (128256.0 * 4096 * 34 / 32 + 4096 * 4) / kMiB;
  const double layer = (all - output) / 32;
  CHECK(weights({{"ngl", 1}}, 1) == Approx(output).epsilon(1e-6));
  CHECK(weights({{"ngl", 11}}, 1) == Approx(output + 10 * layer).epsilon(1e-6));
  CHECK(weights({{"ngl", 0}}, 1) == 0.0);
  // 33 parts over two cards: 17 layers on the first, 15 and the output on the second.
  CHECK(weights({}, 2) == Approx(std::max(17 * layer, 15 * layer + output)).epsilon(1e-6));
  // Three quarters of 33: layers 0 to 24.
  CHECK(weights({{"ts", "3,1"}}, 2) == Approx(25 * layer).epsilon(1e-6));
}

TEST_CASE("experts stay with the CPU by count and by pattern") {
  const auto weights = [](Json args) {
    args["c"] = 4096;
    args["model"] = "Q-Q6_K.gguf";
    return start("Qwen--Qwen3-30B-A3B", "b8000", std::move(args));
  };
  const double all = mib(weights({}), "weights");
  const double none = mib(weights({{"cmoe", true}}), "weights");
  CHECK(mib(weights({{"ncmoe", 12}}), "weights") ==
        Approx(all - (all - none) * 12 / 48).epsilon(1e-6));
  CHECK(mib(weights({{"ot", "ffn_(up|gate|down)_exps=CPU"}}), "weights") == Approx(none));
  CHECK(mib(weights({{"ot", "blk\\.[0-3]\\.ffn_.*_exps\\.=CPU"}}), "weights") ==
        Approx(all - (all - none) * 4 / 48).epsilon(1e-6));
  CHECK(refusal("b8000", {{"override-tensor", "exps"}})["path"] == "engine.args.override-tensor");
  CHECK(refusal("b8000", {{"ot", "exps=CUDA7"}})["path"] == "engine.args.ot");
}

TEST_CASE("rows of every matrix are cut over the cards, and caches stay on the main one") {
  Json gpu = roomy();
  gpu["count"] = 2;
  const Json report =
      start(kLlama, "b8000", {{"c", 8192}, {"sm", "row"}, {"model", "L-Q8_0.gguf"}}, gpu);
  CHECK(report["engine"]["tensor_parallel_size"] == 2);
  CHECK(mib(report, "kv_pool") == 1024.0);
  const Json one = start(kLlama, "b8000", {{"c", 8192}, {"model", "L-Q8_0.gguf"}});
  CHECK(mib(report, "weights") == Approx(mib(one, "weights") / 2).epsilon(0.001));
}

TEST_CASE("a start that does not fit says so in the engine's words") {
  const Json cache =
      start(kLlama, "b8000", {{"c", 200000}, {"fit", "off"}, {"model", "L-Q4_K_M.gguf"}},
            {{"id", "rtx-4090"}});
  CHECK(cache["verdict"]["limit"] == "kv_pool");
  CHECK(cache["verdict"]["text"].get<std::string>().find("allocating 25,024.00 MiB on device 0: "
                                                         "cudaMalloc failed: out of memory") !=
        std::string::npos);
  CHECK(cache["verdict"]["needed_bytes"] > cache["verdict"]["available_bytes"]);
  CHECK(cache["capacity"]["max_context"] == 8192);
  CHECK(cache["capacity"]["max_requests"]["best"] == 0);
  const Json busy =
      start(kLlama, "b8000", {{"c", 8192}, {"fit", "off"}, {"model", "L-Q4_K_M.gguf"}},
            {{"id", "rtx-4090"}, {"free_bytes", 4ULL << 30U}});
  CHECK(busy["verdict"]["limit"] == "free_memory");
  CHECK(busy["capacity"]["max_context"] == 0);
}

TEST_CASE("a request longer than a slot is refused with the server's words") {
  Json asked = request(tests::config_fixture(kLlama), "b8000", {{"c", 2048}});
  asked["workload"] = {{"context", 4096}};
  const Json report = tests::evaluate(asked);
  CHECK(report["verdict"]["limit"] == "context");
  CHECK(report["verdict"]["text"].get<std::string>().find(
            "exceeds the available context size (2,048 tokens)") != std::string::npos);
}

TEST_CASE("requests at once are slots, and without flags as many as the memory holds") {
  const auto requests = [](Json args, std::uint64_t context) {
    args["model"] = "L-Q4_K_M.gguf";
    Json asked = request(tests::config_fixture(kLlama), "b10470", std::move(args),
                         {{"total_bytes", 24ULL << 30U}});
    asked["workload"] = {{"context", context}};
    return tests::evaluate(asked)["capacity"]["max_requests"];
  };
  CHECK(requests({{"c", 32768}, {"np", 8}}, 4096)["best"] == 8);
  CHECK(requests({{"c", 32768}}, 8192)["best"] == 4);
  CHECK(requests({{"c", 16384}}, 8192)["best"] == 2);
  // 24,576 MiB less 4,403 of weights, 325 and the buffer: 19 times 1,024, and not 20.
  const Json free = requests({}, 8192);
  CHECK(free["best"] >= 18);
  CHECK(free["best"] <= 19);
  CHECK(free["low"] <= free["best"]);
  CHECK(free["high"] >= free["best"]);
}

TEST_CASE("a GGUF's header is taken tensor by tensor") {
  Json tensors = Json::array();
  const auto add = [&](const std::string& name, const char* type, Json shape) {
    tensors.push_back({{"name", name}, {"type", type}, {"shape", std::move(shape)}});
  };
  add("token_embd.weight", "Q4_K", {4096, 128256});
  add("output.weight", "Q6_K", {4096, 128256});
  add("output_norm.weight", "F32", {4096});
  std::uint64_t device = 128256ULL * 4096 / 256 * 210 + 4096 * 4;
  for (int i = 0; i < 32; ++i) {
    const std::string layer = "blk." + std::to_string(i) + ".";
    add(layer + "attn_q.weight", i % 2 == 0 ? "Q8_0" : "IQ4_XS", {4096, 4096});
    device += i % 2 == 0 ? 4096ULL * 4096 / 32 * 34 : 4096ULL * 4096 / 256 * 136;
  }
  Json asked = request(tests::config_fixture(kLlama), "b8000",
                       {{"c", 512}, {"model", "something-Q2_K.gguf"}});
  asked["model"]["tensors"] = {
      {"gguf",
       {{"metadata", {{"general.architecture", "llama"}}}, {"tensors", std::move(tensors)}}}};
  const Json report = tests::evaluate(asked);
  INFO(report.dump().substr(0, 300));
  REQUIRE(report.contains("memory"));
  CHECK(report["memory"]["per_gpu"]["weights"]["best"] == device);
  CHECK(report["memory"]["per_gpu"]["weights"]["basis"] == "exact");
  CHECK(report["memory"]["host_bytes"] == 128256ULL * 4096 / 256 * 144);
}

TEST_CASE("an adapter of rank 16 takes the 160 MiB that a log of Llama-3-8B prints") {
  Json asked =
      request(tests::config_fixture(kLlama), "b8000", {{"c", 512}, {"model", "L-Q4_K_M.gguf"}});
  const double without = mib(tests::evaluate(asked), "weights");
  asked["model"]["adapters"] = {{{"name", "a"}, {"rank", 16}}};
  CHECK(mib(tests::evaluate(asked), "weights") - without == Approx(160.0));
}

TEST_CASE("a draft model brings its weights, cache and buffer") {
  Json asked =
      request(tests::config_fixture("Qwen--Qwen3-32B"), "b8000",
              {{"c", 8192}, {"np", 1}, {"model", "Q-Q4_K_M.gguf"}, {"model-draft", "d-Q8_0.gguf"}});
  CHECK(tests::evaluate(asked)["error"]["path"] == "model.draft");
  asked["model"]["draft"] = {{"config", tests::config_fixture("Qwen--Qwen2.5-0.5B")}};
  const Json report = tests::evaluate(asked);
  REQUIRE(report.contains("memory"));
  // 24 layers x 2 heads x 64 x 2 x 2 bytes x 8,192.
  CHECK(pool(report, "draft") == 96.0);
  asked["engine"]["args"].erase("model-draft");
  asked["model"].erase("draft");
  CHECK(mib(report, "weights") > mib(tests::evaluate(asked), "weights") + 400);
}

TEST_CASE("builds are read in the forms people write them") {
  namespace llamacpp = ridgepoint::engine::llamacpp;
  for (const char* text : {"b6300", "6300", "build 6300", "b6300-0123abc", "6300 (a1b2c3d)"}) {
    CAPTURE(text);
    const auto version = llamacpp::parse_version(text);
    REQUIRE(version);
    CHECK(version->build == 6300);
    CHECK_FALSE(version->nearest_rules);
  }
  CHECK(llamacpp::parse_version("")->text == "b10470");
  CHECK(llamacpp::parse_version("b11342")->nearest_rules);
  CHECK(llamacpp::parse_version("b3999").error().code == "version_too_old");
  for (const char* text : {"b", "latest", "0.3.0", "b63x0", "b6300-", "b99999999999", "-1"}) {
    CAPTURE(text);
    CHECK(llamacpp::parse_version(text).error().code == "bad_version");
    CHECK(llamacpp::parse_version(text).error().path == "engine.version");
  }
}

TEST_CASE("defaults follow the build") {
  const auto tokens = [](const char* build) {
    return start("Qwen--Qwen3-8B", build, Json::object())["cache"]["tokens"]["best"];
  };
  CHECK(tokens("b4000") == 40960);  // the model's own
  CHECK(tokens("b5000") == 4096);
  CHECK(tokens("b8000") == 40960);
  // No layer is on the card before b6325.
  CHECK(mib(start(kLlama, "b6000", {{"c", 512}}), "weights") == 0.0);
  CHECK(mib(start(kLlama, "b6400", {{"c", 512}}), "weights") > 0.0);
  const Json newer = start(kLlama, "b12000", {{"c", 512}});
  CHECK(newer["memory"]["per_gpu"]["activation"]["basis"] == "assumed");
  CHECK(says(newer, "newer than covered"));
}

TEST_CASE("llama.cpp flags are read by name, short form and either spelling") {
  namespace llamacpp = ridgepoint::engine::llamacpp;
  const auto name = [](std::string_view alias) {
    const auto* flag = find_flag(llamacpp::flags(), alias);
    return flag == nullptr ? std::string_view() : flag->name;
  };
  CHECK(name("c") == "ctx-size");
  CHECK(name("ctx_size") == "ctx-size");
  CHECK(name("ngl") == "n-gpu-layers");
  CHECK(name("np") == "parallel");
  CHECK(name("ctk") == "cache-type-k");
  CHECK(name("fa") == "flash-attn");
  CHECK(name("ot") == "override-tensor");
  CHECK(name("nkvo") == "no-kv-offload");
  CHECK(name("draft-max") == "spec-draft-n-max");
  const Json unknown = refusal("b8000", {{"ctx-sise", 4096}});
  CHECK(unknown["code"] == "unknown_flag");
  CHECK(unknown["message"].get<std::string>().find("ctx-size") != std::string::npos);
  CHECK(refusal("b8000", {{"lora", "x.gguf"}})["code"] == "unmodelled_flag");
  CHECK(refusal("b6000", {{"fit", "on"}})["code"] == "unknown_flag");
}

TEST_CASE("bad values of llama.cpp flags are refused at the flag") {
  const auto path = [](Json args) { return refusal("b8000", std::move(args))["path"]; };
  CHECK(path({{"ngl", "most"}}) == "engine.args.ngl");
  CHECK(path({{"n-gpu-layers", 1.5}}) == "engine.args.n-gpu-layers");
  CHECK(path({{"ctx-size", -5}}) == "engine.args.ctx-size");
  CHECK(path({{"ctx-size", 1e30}}) == "engine.args.ctx-size");
  CHECK(path({{"parallel", 0}}) == "engine.args.parallel");
  CHECK(path({{"parallel", 1000}}) == "engine.args.parallel");
  CHECK(path({{"ubatch-size", 1ULL << 40U}}) == "engine.args.ubatch-size");
  CHECK(path({{"cache-type-k", "q6_K"}}) == "engine.args.cache-type-k");
  CHECK(path({{"flash-attn", "maybe"}}) == "engine.args.flash-attn");
  CHECK(path({{"fit-target", "lots"}}) == "engine.args.fit-target");
  CHECK(path({{"tensor-split", "a,b"}}) == "engine.args.tensor-split");
  CHECK(path({{"spec-type", "draft-mtp"}}) == "engine.args.spec-type");
}

TEST_CASE("cards and shares must agree") {
  Json two = roomy();
  two["count"] = 2;
  const auto error = [&](Json args, const Json& gpu) {
    return refusal("b8000", std::move(args), gpu);
  };
  CHECK(error({{"sm", "none"}}, two)["code"] == "bad_parallelism");
  CHECK(error({{"tensor-split", "1,1,1"}}, two)["path"] == "engine.args.tensor-split");
  CHECK(error({{"tensor-split", "0,0"}}, two)["path"] == "engine.args.tensor-split");
  CHECK(error({{"device", "CUDA0"}}, two)["path"] == "engine.args.device");
  CHECK(error({{"main-gpu", 2}}, two)["path"] == "engine.args.main-gpu");
  Json many = roomy();
  many["count"] = 17;
  CHECK(error(Json::object(), many)["path"] == "gpu.count");
  CHECK(says(start(kLlama, "b8000", {{"c", 512}}, two), "No --split-mode given"));
}

TEST_CASE("sizes beyond any machine are refused, not multiplied") {
  Json config = granite_sizes();
  config["num_attention_heads"] = 65536;
  config["num_key_value_heads"] = 65536;
  config["head_dim"] = 65536;
  config["num_hidden_layers"] = 1000;
  const Json report = tests::evaluate(request(config, "b8000", {{"c", 268435456}}));
  REQUIRE(report.contains("error"));
  CHECK(report["error"]["code"] == "bad_value");
}

TEST_CASE("the engine answers to its name as people write it") {
  Json asked = request(tests::config_fixture(kLlama), "b8000", {{"c", 512}});
  asked["engine"]["name"] = "llama.cpp";
  CHECK(tests::evaluate(asked)["engine"]["name"] == "llamacpp");
}

TEST_CASE("variables stand for flags that are not given") {
  Json asked = request(tests::config_fixture(kLlama), "b8000", {{"c", 2048}});
  asked["engine"]["env"] = {{"LLAMA_ARG_CTX_SIZE", "8192"},
                            {"LLAMA_ARG_N_PARALLEL", "2"},
                            {"LLAMA_ARG_KV_OFFLOAD", "0"},
                            {"CUDA_VISIBLE_DEVICES", "0"}};
  const Json report = tests::evaluate(asked);
  REQUIRE(report.contains("cache"));
  CHECK(report["cache"]["tokens"]["best"] == 2048);
  CHECK(report["engine"]["max_num_seqs"] == 2);
  CHECK(mib(report, "kv_pool") == 0.0);
  asked["engine"]["env"] = {{"LLAMA_ARG_UBATCH", "many"}};
  CHECK(tests::evaluate(asked)["error"]["path"] == "engine.args.ubatch-size");
}

TEST_CASE("flags of llama-cli make it one sequence with all its logits") {
  const Json report = start(kLlama, "b10470", {{"c", 4096}, {"p", "hello"}});
  CHECK(report["engine"]["max_num_seqs"] == 1);
  CHECK(says(report, "llama-cli by its flags"));
  CHECK(mib(report, "activation") >= 250.5);  // 128,256 x 512 x 4
}
