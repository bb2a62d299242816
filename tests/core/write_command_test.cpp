#include "write_command_cases.hpp"

using namespace commands;

TEST_CASE("A setup's command reads well in every form", "[write_command]") {
  // tests/fixtures/commands/<engine>.json is a setup, <engine>.<form>.txt its command, read by eye.
  for (const char* engine : {"vllm", "sglang", "trtllm", "llamacpp"}) {
    const std::string folder = std::string(RIDGEPOINT_FIXTURES) + "/commands/";
    const auto setup = tests::read_text(folder + engine + ".json");
    REQUIRE(setup);
    for (const char* form : kForms) {
      INFO(engine << " as " << form);
      const auto expected = tests::read_text(folder + engine + "." + form + ".txt");
      REQUIRE(expected);
      CHECK(text(request_of(Json::parse(*setup)), form) == *expected);
    }
  }
}

TEST_CASE("A command carries what the estimate took for granted", "[write_command]") {
  Json request = commands::request("vllm", "0.28.0", Json::object());
  request["gpu"]["count"] = 2;
  request["workload"]["context"] = 4096;
  const std::string command = text(request, "shell");
  CHECK(holds(command, "\n  --max-model-len 4096"));
  CHECK(holds(command, "\n  --tensor-parallel-size 2"));
  CHECK(holds(command, "the model's own is 8,192"));

  request["engine"] = {{"name", "sglang"}, {"version", "0.5.9"}};
  CHECK(holds(text(request, "shell"), "\n  --context-length 4096"));
  CHECK(holds(text(request, "shell"), "\n  --tensor-parallel-size 2"));

  request["engine"] = {{"name", "trtllm"}, {"version", "1.0.0"}};
  CHECK(holds(text(request, "shell"), "\n  --max_seq_len 4096"));
  CHECK(holds(text(request, "shell"), "\n  --tp_size 2"));
}

TEST_CASE("A length beyond the model's own is not asked of vLLM", "[write_command]") {
  Json request = commands::request("vllm", "0.28.0", Json::object());
  request["workload"]["context"] = 100000;
  const std::string command = text(request, "shell");
  CHECK(holds(command, "\n  --max-model-len 8192"));  // max_position_embeddings of the config
  CHECK(holds(command, "# It will not serve this: "));
}

TEST_CASE("Flags that say the version's default are left out", "[write_command]") {
  // vLLM's gpu_memory_utilization is 0.9 up to 0.20 and 0.92 after it.
  const Json args = {{"gpu-memory-utilization", 0.9}, {"dtype", "auto"},
                     {"tensor-parallel-size", 1},     {"enforce-eager", false},
                     {"enable-prefix-caching", true}, {"max-model-len", 4096}};
  const std::string old = without_comments(text(request("vllm", "0.19.0", args), "shell"));
  CHECK(old == "vllm serve meta-llama/Meta-Llama-3-8B \\\n  --max-model-len 4096\n");
  const std::string later = without_comments(text(request("vllm", "0.28.0", args), "shell"));
  CHECK(later ==
        "vllm serve meta-llama/Meta-Llama-3-8B \\\n  --gpu-memory-utilization 0.9 \\\n"
        "  --max-model-len 4096\n");
}

TEST_CASE("Flags that change no estimate are kept", "[write_command]") {
  const std::string command =
      text(request("vllm", "0.28.0", {{"seed", 7}, {"trust-remote-code", true}}), "shell");
  CHECK(holds(command, "\n  --seed 7"));
  CHECK(holds(command, "\n  --trust-remote-code"));
}

TEST_CASE("A switch is turned off in the engine's own words", "[write_command]") {
  const Json off = {{"enable-chunked-prefill", false}};
  CHECK(holds(text(request("vllm", "0.28.0", off), "shell"), "\n  --no-enable-chunked-prefill"));
  CHECK(holds(text(request("vllm", "0.8.5", off), "shell"), "\n  --enable-chunked-prefill False"));
  CHECK(holds(text(request("llamacpp", "b10470", {{"mmap", false}}), "shell"), "\n  --no-mmap"));
  const Json reuse = {{"kv_cache_config", {{"enable_block_reuse", false}}}};
  CHECK(holds(text(request("trtllm", "1.0.0", reuse), "shell"), "\n  enable_block_reuse: false\n"));
  // off is what its absence means
  const Json radix = {{"disable-radix-cache", false}};
  CHECK_FALSE(holds(text(request("sglang", "0.5.9", radix), "shell"), "radix"));
}

TEST_CASE("TensorRT-LLM's options have the names of their version", "[write_command]") {
  const Json args = {{"backend", "pytorch"}, {"kv-cache-config.dtype", "fp8"}};
  CHECK(holds(text(request("trtllm", "1.0.0", args), "shell"), "kv_cache_config:\n"));
  CHECK(holds(text(request("trtllm", "0.21.0", args), "shell"), "\nkv_cache_dtype: fp8\n"));
  // Release 0.19's examples have the PyTorch backend's options in a group of their own.
  const std::string old = text(request("trtllm", "0.19.0", args), "shell");
  CHECK(holds(old, "pytorch_backend_config:\n"));
  CHECK(holds(old, "\n  kv_cache_dtype: fp8\n"));
}

TEST_CASE("An image is the one of the version and the card", "[write_command]") {
  const auto image = [](const char* engine, const char* version, const char* card) {
    Json request = commands::request(engine, version, Json::object());
    request["gpu"]["id"] = card;
    return text(request, "docker");
  };
  CHECK(holds(image("vllm", "0.28.0", "h100"), " vllm/vllm-openai:v0.28.0 \\\n  meta-llama/"));
  CHECK(
      holds(image("vllm", "0.9.1", "h100"), " vllm/vllm-openai:v0.9.1 \\\n  --model meta-llama/"));
  CHECK(holds(image("vllm", "0.20.0", "mi300x"), " vllm/vllm-openai-rocm:v0.20.0 "));
  CHECK(holds(image("sglang", "0.5.9", "h100"), " lmsysorg/sglang:v0.5.9 "));
  CHECK(holds(image("sglang", "0.4.5", "h100"), " lmsysorg/sglang:v0.4.5-cu124 "));
  CHECK(holds(image("sglang", "0.5.5.post3", "mi300x"),
              " lmsysorg/sglang:v0.5.5.post3-rocm700-mi30x "));
  CHECK(holds(image("trtllm", "1.2.0", "h100"), " nvcr.io/nvidia/tensorrt-llm/release:1.2.0 "));
  CHECK(holds(image("trtllm", "0.18.0", "h100"),
              " nvcr.io/nvidia/tritonserver:25.03-trtllm-python-py3 "));
  CHECK(
      holds(image("llamacpp", "b6300", "h100"), " ghcr.io/ggml-org/llama.cpp:server-cuda-b6300 "));
  CHECK(holds(image("llamacpp", "b9014", "mi300x"),
              " ghcr.io/ggml-org/llama.cpp:server-rocm-b9014 "));
  CHECK(holds(image("llamacpp", "b9014", "mi300x"), "--device=/dev/kfd"));
  // A build between releases has no image; the note says which one stands in its place.
  const std::string between = image("vllm", "0.28.1rc1.dev16+g0123abc", "h100");
  CHECK(holds(between, " vllm/vllm-openai:v0.28.1 "));
  CHECK(holds(between, "# Note: No image is built of vLLM 0.28.1rc1.dev16"));
}

TEST_CASE("A Mac's GPU is out of a container's reach", "[write_command]") {
  Json request = commands::request("llamacpp", "b10470", Json::object());
  request["gpu"] = {{"total_bytes", 68719476736}, {"count", 1}};
  CHECK(write(request, "docker").contains("text"));
  for (const Json& gpu : Json::parse(ridgepoint::api::catalogue())["gpus"]) {
    if (gpu["vendor"] == "apple") {
      request["gpu"] = {{"id", gpu["id"]}};
    }
  }
  REQUIRE(request["gpu"].contains("id"));
  CHECK(write(request, "shell").contains("text"));
  CHECK(write(request, "docker")["error"]["code"] == "not_supported");
}

TEST_CASE("A pod is given the time to load its weights", "[write_command]") {
  // 8,030,261,248 parameters of 2 bytes at 200 MB/s are 80 s; with 900 s to compile, 98 times 10 s.
  const std::string pod = text(request("vllm", "0.28.0", Json::object()), "kubernetes");
  CHECK(holds(pod, "startupProbe:\n            httpGet:\n              path: /health\n"));
  CHECK(holds(pod, "failureThreshold: 98\n"));
  CHECK(holds(pod, "nvidia.com/gpu: 1\n"));
  CHECK(holds(pod, "mountPath: /dev/shm\n"));
  CHECK(holds(pod, "medium: Memory\n"));
}

TEST_CASE("What a command cannot carry is said", "[write_command]") {
  Json request = commands::request("vllm", "0.28.0", Json::object());
  request["model"].erase("id");
  request["gpu"] = {{"total_bytes", 85899345920}, {"count", 1}};
  request["measured"] = {{"weights_bytes", 16000000000}};
  request["engine"]["env"] = {{"not a name", "x"}};
  const Json answer = write(request, "shell");
  REQUIRE(answer.contains("notes"));
  const std::string notes = answer["notes"].dump();
  CHECK(holds(notes, "names no model"));
  CHECK(holds(notes, "card is given by its numbers"));
  CHECK(holds(notes, "Measured terms"));
  CHECK(holds(notes, "no name that a shell's variable can have"));
  CHECK(holds(answer["text"], "vllm serve ./model"));
}

TEST_CASE("What does not serve still has its command, which says so", "[write_command]") {
  Json request = commands::request("vllm", "0.28.0", {{"max-model-len", 8192}});
  request["gpu"]["id"] = "t4";
  for (const char* form : kForms) {
    const std::string command = text(request, form);
    CHECK(holds(command, "# It will not serve this: "));
    CHECK(holds(command, "8192"));
  }
}

TEST_CASE("A query that is wrong is refused by its field", "[write_command]") {
  const Json request = commands::request("vllm", "0.28.0", Json::object());
  CHECK(write(request, "script")["error"]["path"] == "form");
  CHECK(write(request, "shell")["id"] == "a");
  CHECK(write(request, "shell")["kind"] == "command_text");
  CHECK(write(request, "shell")["checked"] == true);
  const auto ask = [](const Json& query) {
    return Json::parse(ridgepoint::api::write_command(query.dump()))["error"];
  };
  CHECK(ask({{"form", "shell"}})["path"] == "request");
  CHECK(ask({{"request", request}, {"from", "shell"}})["code"] == "unknown_field");
  CHECK(ask({{"request", {{"model", 7}}}})["code"] != "internal");
  CHECK(write(commands::request("vllm", "0.28.0", {{"no-such", 1}}), "shell")["error"]["code"] ==
        "unknown_flag");
  const std::string nul("a\0b", 3);
  CHECK(write(commands::request("vllm", "0.28.0", {{"chat-template", nul}}),
              "shell")["error"]["code"] == "bad_value");
}
