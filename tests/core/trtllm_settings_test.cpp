// Options, versions and refusals of TensorRT-LLM.
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trtllm/flags.hpp"
#include "engine/trtllm/settings.hpp"
#include "engine/trtllm/version.hpp"
#include "fixtures.hpp"

namespace trtllm = ridgepoint::engine::trtllm;
using fixtures::Json;

namespace {

Json request(Json args, const std::string& version = "1.2.0") {
  Json wanted = fixtures::request();
  wanted["engine"] = {{"name", "trtllm"}, {"version", version}, {"args", std::move(args)}};
  return wanted;
}

Json error_of(Json args, const std::string& version = "1.2.0") {
  const Json said = fixtures::answer(request(std::move(args), version));
  INFO(said.dump().substr(0, 300));
  REQUIRE(said.contains("error"));
  return said["error"];
}

Json report_of(Json args, const std::string& version = "1.2.0") {
  const Json said = fixtures::answer(request(std::move(args), version));
  INFO(said.dump().substr(0, 300));
  REQUIRE(said.contains("memory"));
  return said;
}

bool assumes(const Json& report, const std::string& words) {
  for (const Json& each : report["assumptions"]) {
    if (each.get<std::string>().find(words) != std::string::npos) {
      return true;
    }
  }
  return false;
}

Json pool(const Json& report) { return report["memory"]["per_gpu"]["kv_pool"]; }

}  // namespace

TEST_CASE("TensorRT-LLM: both spellings, short names, dotted names and JSON mean the same option") {
  const Json dashed = pool(report_of({{"free-gpu-memory-fraction", 0.5}}));
  for (const Json& args :
       {Json{{"free_gpu_memory_fraction", 0.5}}, Json{{"kv_cache_free_gpu_memory_fraction", 0.5}},
        Json{{"kv_cache_free_gpu_mem_fraction", 0.5}},
        Json{{"kv_cache_config.free_gpu_memory_fraction", 0.5}},
        Json{{"kv_cache_config", {{"free_gpu_memory_fraction", 0.5}}}},
        Json{{"kv-cache-config", R"({"free_gpu_memory_fraction": 0.5})"}},
        Json{{"extra_llm_api_options",
              {{"kv_cache_config", {{"free_gpu_memory_fraction", 0.5}}}}}}}) {
    CAPTURE(args.dump());
    CHECK(pool(report_of(args)) == dashed);
  }
  CHECK(pool(report_of({{"free_gpu_memory_fraction", 0.9}})) != dashed);
  CHECK(pool(report_of(Json::object())) == pool(report_of({{"free_gpu_memory_fraction", 0.9}})));
}

TEST_CASE("TensorRT-LLM: an option twice, unknown or of the wrong kind is an error with its name") {
  CHECK(error_of({{"free_gpu_memory_fraction", 0.5},
                  {"kv_cache_config", {{"free_gpu_memory_fraction", 0.5}}}})["code"] == "bad_flag");
  const Json unknown = error_of({{"max_batch_sise", 4}});
  CHECK(unknown["code"] == "unknown_flag");
  CHECK(unknown["path"] == "engine.args.max_batch_sise");
  CHECK(unknown["message"].get<std::string>().find("max-batch-size") != std::string::npos);
  const Json nested = error_of({{"kv_cache_config", {{"dtpye", "fp8"}}}});
  CHECK(nested["code"] == "unknown_flag");
  CHECK(nested["path"] == "engine.args.kv_cache_config.dtpye");
  CHECK(error_of({{"gpu-memory-utilization", 0.9}})["code"] == "unknown_flag");
  CHECK(error_of({{"kv_cache_config.dtype", "int3"}})["code"] == "bad_flag");
  CHECK(error_of({{"max_batch_size", "many"}})["code"] == "bad_flag");
  CHECK(error_of({{"kv_cache_config", "{\"dtype\": "}})["path"] == "engine.args.kv_cache_config");
}

TEST_CASE("TensorRT-LLM: hostile values are refused where they are read") {
  for (const char* name :
       {"max_batch_size", "max_num_tokens", "max_seq_len", "tp_size", "pp_size", "ep_size",
        "max_beam_width", "kv_cache_config.max_tokens", "kv_cache_config.tokens_per_block"}) {
    for (const Json& value : {Json(0), Json(-1), Json(1e300), Json(1.5), Json(true), Json("NaN"),
                              Json(18446744073709551615ULL)}) {
      CAPTURE(name, value.dump());
      CHECK(error_of({{name, value}})["path"] == std::string("engine.args.") + name);
    }
  }
  for (const Json& value : {Json(0), Json(-0.5), Json(1.01), Json("nan"), Json(1e300)}) {
    CAPTURE(value.dump());
    CHECK(error_of({{"free_gpu_memory_fraction", value}})["path"] ==
          "engine.args.free_gpu_memory_fraction");
  }
  CHECK(error_of({{"kv_cache_config.tokens_per_block", 48}})["code"] == "bad_flag");
}

TEST_CASE("TensorRT-LLM: the largest values that are read overflow nothing") {
  const Json report = report_of({{"max_batch_size", 1U << 20U},
                                 {"max_num_tokens", 4294967296ULL},
                                 {"max_seq_len", 1},
                                 {"max_beam_width", 64},
                                 {"kv_cache_config.max_tokens", 1ULL << 40U},
                                 {"cache_transceiver_config.max_tokens_in_buffer", 4294967296ULL}},
                                "1.3.0rc10");
  CHECK(report["verdict"]["serves"] == false);
  const Json& terms = report["memory"]["per_gpu"];
  for (const char* term : {"weights", "activation", "non_torch", "cuda_graphs", "kv_pool"}) {
    CAPTURE(term);
    CHECK(terms[term]["low"] <= terms[term]["best"]);
    CHECK(terms[term]["best"] <= terms[term]["high"]);
  }
}

TEST_CASE("TensorRT-LLM: versions") {
  const auto number = [](std::string_view text) {
    const auto version = trtllm::parse_version(text);
    return version ? static_cast<int>(version->number) : -1;
  };
  CHECK(number("") == 1002);
  CHECK(number("0.17.0") == 17);
  CHECK(number("v0.20") == 20);
  CHECK(number("1.2.0rc6.post3") == 1002);
  CHECK(number("1.3.0rc10") == 1003);
  CHECK(number("1.4.0rc4") == 1004);
  CHECK(number("2.0.0") == 1004);
  CHECK(number("0.16.0") == -1);
  CHECK(number("latest") == -1);
  const auto nearest = [](std::string_view text) {
    return trtllm::parse_version(text)->nearest_rules;
  };
  CHECK_FALSE(nearest("1.2.0"));
  CHECK_FALSE(nearest("1.2.0rc6.post3"));
  CHECK_FALSE(nearest("1.3.0rc10"));
  CHECK(nearest("1.3.0"));
  CHECK(nearest("1.4.0rc4"));
  CHECK(nearest("0.18.0.dev2025"));
  CHECK(trtllm::version_text(20) == "0.20");
  CHECK(trtllm::version_text(1002) == "1.2");

  CHECK(error_of(Json::object(), "0.16.0")["code"] == "version_too_old");
  CHECK(error_of(Json::object(), "0.16.0")["path"] == "engine.version");
  CHECK(error_of(Json::object(), "one")["code"] == "bad_version");
}

TEST_CASE("TensorRT-LLM: an absent version is the newest release, a newer one is assumed") {
  Json wanted = request(Json::object());
  wanted["engine"].erase("version");
  const Json newest = fixtures::answer(wanted);
  CHECK(newest["memory"] == report_of(Json::object())["memory"]);
  CHECK(assumes(newest, "1.2.0"));
  const Json future = report_of(Json::object(), "3.1.0");
  CHECK(assumes(future, "newer than covered"));
  CHECK(pool(future)["basis"] == "assumed");
  const Json present = report_of(Json::object());
  CHECK(pool(future)["high"].get<double>() - pool(future)["low"].get<double>() >
        pool(present)["high"].get<double>() - pool(present)["low"].get<double>());
}

TEST_CASE("TensorRT-LLM: a card that no start was measured on is assumed, and wide") {
  const auto of = [](const char* card) {
    Json wanted = request(Json::object());
    wanted["gpu"] = {{"id", card}};
    return fixtures::answer(wanted);
  };
  const Json ampere = of("a100-sxm-80gb");
  CHECK(pool(ampere)["basis"] == "assumed");
  CHECK(ampere["memory"]["per_gpu"]["activation"]["basis"] == "assumed");
  CHECK(pool(of("h100"))["basis"] == "measured");
  CHECK(pool(of("b200"))["basis"] == "measured");
}

TEST_CASE("TensorRT-LLM: options come with their version") {
  CHECK(error_of({{"kv_cache_config.use_kv_cache_manager_v2", true}}, "1.1.0")["code"] ==
        "unknown_flag");
  CHECK(error_of({{"use_cuda_graph", true}}, "1.2.0")["code"] == "unknown_flag");
  report_of({{"use_cuda_graph", true}}, "0.20.0");
}

TEST_CASE("TensorRT-LLM: what changes memory and is not computed is an honest error") {
  for (const char* name :
       {"enable_lora", "context_parallel_size", "force_dynamic_quantization", "build_config"}) {
    CAPTURE(name);
    const Json value = std::string(name) == "context_parallel_size" ? Json(2)
                       : std::string(name) == "build_config"        ? Json("{\"a\": 1}")
                                                                    : Json(true);
    CHECK(error_of({{name, value}})["code"] == "unmodelled_flag");
  }
  CHECK(error_of({{"backend", "_autodeploy"}})["code"] == "unmodelled_flag");
  CHECK(error_of({{"peft_cache_config", {{"device_cache_percent", 0.1}}}})["code"] ==
        "unmodelled_flag");
}

TEST_CASE("TensorRT-LLM: cards and ranks must agree, and ranks divide the model") {
  Json wanted = request({{"tp_size", 2}, {"pp_size", 2}});
  wanted["gpu"]["count"] = 8;
  CHECK(fixtures::answer(wanted)["error"]["path"] == "gpu.count");
  wanted["gpu"]["count"] = 4;
  CHECK(fixtures::answer(wanted).contains("memory"));
  Json counted = request(Json::object());
  counted["gpu"]["count"] = 4;
  const Json report = fixtures::answer(counted);
  CHECK(assumes(report, "--tp_size 4"));
  CHECK(error_of({{"tp_size", 3}})["code"] == "bad_parallelism");
  CHECK(error_of({{"pp_size", 33}})["path"] == "engine.args.pipeline-parallel-size");
  CHECK(error_of({{"tp_size", 4}, {"ep_size", 3}})["path"] ==
        "engine.args.moe-expert-parallel-size");
}

TEST_CASE("TensorRT-LLM: what the engine does not run here is said") {
  Json encoder = request(Json::object());
  encoder["model"] = {{"config", fixtures::config("google-bert--bert-base-uncased")}};
  CHECK(fixtures::answer(encoder)["error"]["code"] == "not_supported");
  Json compressed = request(Json::object());
  compressed["model"] = {{"config", fixtures::config("deepseek-ai--DeepSeek-V4-Flash")}};
  CHECK(fixtures::answer(compressed)["error"]["path"] == "model.config.architectures");
  Json latent = request({{"kv_cache_config.dtype", "nvfp4"}});
  latent["model"] = {{"config", fixtures::config("deepseek-ai--DeepSeek-V2-Lite")}};
  CHECK(fixtures::answer(latent)["error"]["path"] == "engine.args.kv-cache-config.dtype");
}

TEST_CASE("TensorRT-LLM: the sizes of graphs") {
  using Sizes = std::vector<std::uint64_t>;
  CHECK(trtllm::graph_sizes(4, true) == Sizes{1, 2, 4});
  CHECK(trtllm::graph_sizes(20, true) == Sizes{1, 2, 4, 8, 16, 20});
  CHECK(trtllm::graph_sizes(3, false) == Sizes{1, 2, 3});
  CHECK(trtllm::graph_sizes(128, false).size() == 34);  // 1 to 32, 64, 128
  CHECK(trtllm::graph_sizes(128, true).size() == 19);   // 1, 2, 4 and 8 to 128 by eights
  const Sizes wide = trtllm::graph_sizes(4096, true);
  CHECK(wide.size() == 24);  // and 256, 512, 1024, 2048, 4096
  CHECK(wide.back() == 4096);
}

TEST_CASE("TensorRT-LLM: graphs may be switched off, and are off before 0.21") {
  const auto graphs = [](Json args, const char* version) {
    args["backend"] = "pytorch";
    return report_of(std::move(args), version)["memory"]["per_gpu"]["cuda_graphs"]["best"]
        .get<std::uint64_t>();
  };
  CHECK(graphs(Json::object(), "1.2.0") != 0);
  CHECK(graphs(Json::object(), "0.20.0") == 0);
  CHECK(graphs({{"use_cuda_graph", true}}, "0.20.0") != 0);
  CHECK(graphs({{"cuda_graph_config", "null"}}, "1.2.0") == 0);
  CHECK(graphs({{"extra_llm_api_options", R"({"cuda_graph_config": null})"}}, "1.2.0") == 0);
  CHECK(graphs({{"cuda_graph_config", {{"max_batch_size", 8}}}}, "1.2.0") <
        graphs({{"cuda_graph_config", {{"max_batch_size", 128}}}}, "1.2.0"));
}

TEST_CASE("TensorRT-LLM: the default backend is TensorRT's up to 0.21 and PyTorch's after") {
  CHECK(assumes(report_of(Json::object(), "0.21.0"), "tensorrt"));
  CHECK(assumes(report_of(Json::object(), "1.0.0"), "pytorch"));
}

TEST_CASE("TensorRT-LLM: the table of options is sound") {
  const auto& table = trtllm::flags();
  CHECK(table.flags.size() > 250);
  for (const auto& flag : table.flags) {
    CAPTURE(flag.name);
    CHECK(find_flag(table, flag.name) == &flag);
    CHECK(flag.help.back() == '.');
  }
  for (const char* name : {"tp_size", "pp_size", "ep_size", "kv_cache_dtype", "max_seq_len",
                           "kv_cache_config.host_cache_size", "moe_config.backend", "config",
                           "max_tokens_in_paged_kv_cache", "num_postprocess_workers"}) {
    CAPTURE(name);
    CHECK(find_flag(table, name) != nullptr);
  }
}

TEST_CASE("TensorRT-LLM: an architecture that the documentation does not list is said") {
  CHECK_FALSE(assumes(report_of(Json::object()), "documented list"));
  Json wanted = request(Json::object());
  wanted["model"] = {{"config", fixtures::config("tiiuae--falcon-7b")}};
  CHECK(assumes(fixtures::answer(wanted), "FalconForCausalLM is not in the documented list"));
  wanted["model"] = {{"config", fixtures::config("openai--gpt-oss-20b")}};
  wanted["engine"]["version"] = "1.0.0";
  CHECK(assumes(fixtures::answer(wanted), "with 1.1"));
}

TEST_CASE("TensorRT-LLM: with padding the bound of a batch is recorded in place of larger sizes") {
  const auto temporary = [](Json args) {
    args["max_num_tokens"] = 400;
    args["max_batch_size"] = 100;
    args["max_seq_len"] = 8191;
    const Json report = report_of(std::move(args), "1.3.0rc10");
    for (const Json& step : report["explain"]) {
      if (step["term"] == "non_torch.temporary_kv") {
        return step["value"].get<double>() / 131072 / 32;
      }
    }
    return 0.0;
  };
  // ceil(8,192 / 32) = 256 blocks, and one for each further request of the largest graph: 100 with
  // padding, 64 without.
  CHECK(temporary({{"cuda_graph_config", {{"enable_padding", true}}}}) == 256 + 99);
  CHECK(temporary({{"cuda_graph_config", {{"enable_padding", false}}}}) == 256 + 63);
}

TEST_CASE("TensorRT-LLM: the engine is known by its other name, and vLLM is still vLLM") {
  Json wanted = request(Json::object());
  wanted["engine"]["name"] = "tensorrt-llm";
  CHECK(fixtures::answer(wanted).contains("memory"));
}
