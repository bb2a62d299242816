#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "api/api.hpp"
#include "command/model_name.hpp"
#include "evaluated.hpp"
#include "sampling.hpp"

using tests::Json;

namespace {

Json ask(const Json& query) { return Json::parse(ridgepoint::api::read_command(query.dump())); }

Json read(const std::string& text) {
  Json answer = ask({{"text", text}});
  INFO(answer.dump());
  REQUIRE(answer.contains("request"));
  return answer;
}

Json entry(const Json& list, const std::string& key, const std::string& name) {
  for (const Json& each : list) {
    if (each[key] == name) {
      return each;
    }
  }
  FAIL(name << " is not in " << list.dump());
  return {};
}

bool noted(const Json& answer, const std::string& part) {
  for (const Json& note : answer["notes"]) {
    if (note.get<std::string>().find(part) != std::string::npos) {
      return true;
    }
  }
  return false;
}

Json cases() {
  return Json::parse(*tests::read_text(std::string(RIDGEPOINT_FIXTURES) + "/commands.json"));
}

}  // namespace

TEST_CASE("a pasted command is exactly one request", "[command]") {
  const Json all = cases();
  CHECK(all.size() > 60);
  for (const Json& each : all) {
    INFO(each["text"].get<std::string>());
    CHECK(read(each["text"].get<std::string>())["request"] == each["request"]);
  }
}

TEST_CASE("the request of a command evaluates once it has a card", "[command]") {
  for (const Json& each : cases()) {
    Json request = each["request"];
    if (!request["model"].contains("id")) {
      continue;
    }
    INFO(request.dump());
    if (!request["gpu"].contains("id")) {
      request["gpu"]["id"] = "h100";
    }
    const Json report = tests::evaluate(request);
    const bool catalogued = !report.contains("error") || report["error"]["code"] != "unknown_model";
    if (catalogued) {
      CHECK_FALSE(report.contains("error"));
    }
  }
}

TEST_CASE("every flag is listed with what becomes of it", "[command]") {
  const Json answer = read(
      "vllm serve Qwen/Qwen3-8B --max-model-len 4096 --port 80 --hf-overrides '{\"a\":1}' "
      "--gpu-memory-utilisation 0.8 --api-key s3cret --max-num-seqs 1 --max-num-seqs 2");
  const Json& flags = answer["flags"];
  CHECK(flags.size() == 6);
  CHECK(entry(flags, "flag", "--max-model-len") == Json{{"flag", "--max-model-len"},
                                                        {"value", 4096},
                                                        {"use", "used"},
                                                        {"name", "max-model-len"},
                                                        {"note", ""}});
  CHECK(entry(flags, "flag", "--port")["use"] == "no_effect");
  CHECK(entry(flags, "flag", "--hf-overrides")["use"] == "unmodelled");
  const Json unknown = entry(flags, "flag", "--gpu-memory-utilisation");
  CHECK(unknown["use"] == "unknown");
  CHECK(unknown["note"].get<std::string>().find("gpu-memory-utilization") != std::string::npos);
  CHECK(answer.dump().find("s3cret") == std::string::npos);
  CHECK(entry(flags, "flag", "--max-num-seqs")["note"] == "It is there 2 times; the last counts.");
  CHECK(answer["kind"] == "command");
  CHECK(answer["form"] == "shell");
}

TEST_CASE("a flag that the version does not have is left out with the reason", "[command]") {
  const auto use = [](const std::string& version, const std::string& flag) {
    const Json answer =
        read("docker run vllm/vllm-openai:" + version + " --model Qwen/Qwen3-8B " + flag);
    return answer["flags"][1];
  };
  CHECK(use("v0.9.0", "--async-scheduling")["use"] == "unknown");
  CHECK(use("v0.9.0", "--async-scheduling")["note"] ==
        "vLLM 0.9 does not have it: it came with 0.10. Left out.");
  CHECK(use("v0.10.0", "--async-scheduling")["use"] == "used");
  CHECK(use("v0.17.0", "--swap-space 4")["use"] == "no_effect");
  CHECK(use("v0.18.0", "--swap-space 4")["use"] == "unknown");
  // Without a version the newest is only a guess, and a flag that it lost is no fault.
  CHECK(entry(read("vllm serve m --swap-space 4")["flags"], "flag", "--swap-space")["use"] ==
        "no_effect");
}

TEST_CASE("what the rules of the engine cannot compute leaves the request", "[command]") {
  // A speculative method that is not modelled is only found when the model is at hand.
  Json query{
      {"text",
       "VLLM_MLA_DISABLE=1 vllm serve meta-llama/Meta-Llama-3-8B --max-model-len 4096 "
       "--speculative-config '{\"method\":\"no_such_method\",\"num_speculative_tokens\":2}'"},
      {"gpu", {{"id", "a100-sxm-80gb"}}},
      {"workload", {{"context", 2048}}}};
  const Json answer = ask(query);
  CHECK(entry(answer["env"], "name", "VLLM_MLA_DISABLE")["use"] == "unmodelled");
  CHECK(answer["request"]["gpu"] == Json{{"id", "a100-sxm-80gb"}, {"count", 1}});
  CHECK(answer["request"]["workload"] == Json{{"context", 2048}});
}

TEST_CASE("cards are counted from the flags, and what disagrees is noted", "[command]") {
  CHECK(noted(read("CUDA_VISIBLE_DEVICES=0,1 vllm serve m -tp 4"), "2 may be seen"));
  CHECK(noted(read("docker run --gpus 8 vllm/vllm-openai:v0.20.0 --model m"), "uses one of the 8"));
  const Json asked = ask({{"text", "vllm serve m"}, {"gpu", {{"id", "h100"}, {"count", 2}}}});
  CHECK(asked["request"]["gpu"]["count"] == 2);
  CHECK(noted(asked, "no parallel flag"));
  CHECK(ask({{"text", "vllm serve m -tp 4"}, {"gpu", {{"count", 2}}}})["request"]["gpu"]["count"] ==
        4);
  CHECK(read("llama-server -m a.gguf -dev CUDA0,CUDA1")["request"]["gpu"]["count"] == 2);
  CHECK(read("llama-server -m a.gguf -sm none")["request"]["gpu"]["count"] == 1);
  CHECK(read("docker run --gpus '\"device=0,2,3\"' ghcr.io/ggml-org/llama.cpp:server -m a.gguf")
            ["request"]["gpu"]["count"] == 3);
}

TEST_CASE("files beside the command are read", "[command]") {
  const Json vllm = ask({{"text", "vllm serve --config /etc/x/serve.yaml"},
                         {"files", {{"serve.yaml", "model: Qwen/Qwen3-8B\nmax-model-len: 4k\n"}}}});
  CHECK(vllm["request"]["engine"]["args"] == Json{{"max-model-len", 4000}});
  const Json trtllm =
      ask({{"text", "trtllm-serve m --config a.yml --max_batch_size 8"},
           {"files", {{"a.yml", "max_batch_size: 16\ncuda_graph_config: null\n"}}}});
  CHECK(trtllm["request"]["engine"]["args"] ==
        Json{{"max-batch-size", 16}, {"cuda-graph-config", "null"}});
  const Json broken =
      ask({{"text", "vllm serve m --config a.yml"}, {"files", {{"a.yml", "a: *b"}}}});
  CHECK(noted(broken, "aliases"));
}

TEST_CASE("flags alone are read as those of the engine that is named", "[command]") {
  const Json answer = ask({{"text", "--model Qwen/Qwen3-8B -tp 2"},
                           {"engine", {{"name", "vllm"}, {"version", "0.20.0"}}}});
  CHECK(answer["request"]["engine"] ==
        Json{{"name", "vllm"}, {"version", "0.20.0"}, {"args", {{"tensor-parallel-size", 2}}}});
  CHECK(ask({{"text", "--model Qwen/Qwen3-8B"}})["error"]["code"] == "no_command");
  CHECK(ask({{"text", "x"}, {"engine", "tgi"}})["error"]["path"] == "engine");
}

TEST_CASE("what is no command says what to paste", "[command]") {
  for (const char* text :
       {"", "hello", "pip install vllm", "echo vllm", "docker ps",
        "trtllm-serve disaggregated -c x.yaml", "services:\n  a:\n    image: b"}) {
    CAPTURE(text);
    CHECK(ask({{"text", text}})["error"]["code"] == "no_command");
  }
  CHECK(ask({{"text", "ollama run llama3"}})["error"]["message"].get<std::string>().find(
            "Ollama") == 0);
  CHECK(ask({{"id", "7"}})["error"]["path"] == "text");
  CHECK(ask({{"id", "7"}})["id"] == "7");
  CHECK(ask({{"text", "x"}, {"words", 1}})["error"]["code"] == "unknown_field");
  CHECK(ask({{"text", "x"}, {"files", {{"a", 1}}}})["error"]["path"] == "files.a");
  CHECK(ask({{"text", "services:\n  a: &x\n    image: vllm/vllm-openai\n"}})["error"]["code"] ==
        "not_yaml");
}

TEST_CASE("a model's name is found in a path, a Hub folder and a GGUF", "[command]") {
  const auto id = [](const char* text) { return ridgepoint::command::read_model_name(text).id; };
  CHECK(id("Qwen/Qwen3-8B") == "Qwen/Qwen3-8B");
  CHECK(id("org/not-known:Q4_K_M") == "org/not-known");
  CHECK(id("/a/b/My-Model/") == "My-Model");
  CHECK(id("./My-Model.Q4_K_M.gguf") == "My-Model");
  CHECK(id("C:\\m\\My-Model-UD-Q4_K_XL-00001-of-00003.gguf") == "My-Model");
  CHECK(id("/x/models--org--name/snapshots/0123") == "org/name");
  CHECK(id("https://huggingface.co/Qwen/Qwen3-8B/tree/main") == "Qwen/Qwen3-8B");
  CHECK(id("bartowski/Qwen_Qwen3-8B-GGUF") == "Qwen/Qwen3-8B");
  CHECK(id("qwen/qwen3-8b") == "Qwen/Qwen3-8B");
}

TEST_CASE("hostile text gives valid JSON in time", "[command][hostile]") {
  constexpr std::size_t kMiB = std::size_t{1} << 20U;
  const std::size_t size = kMiB / tests::sampled(16);
  const auto many = [&](const std::string& piece) {
    std::string text;
    while (text.size() < size) {
      text += piece;
    }
    return text;
  };
  std::string deep = "apiVersion: v1\n";
  for (int i = 0; i < 500; ++i) {
    deep += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  }
  const std::string texts[] = {
      many("'"),
      many("\""),
      many("\\"),
      many("$("),
      many("${"),
      many("$'"),
      many("`"),
      many("<"),
      many("("),
      many("a=("),
      many("\"'"),
      many("\"$(\" "),
      many("\\\n"),
      many("<<A\n"),
      many("cat <<A; "),
      "vllm serve m " + many("--x "),
      "vllm serve m " + many("--max-model-len "),
      "vllm serve m " + many("a "),
      many("vllm serve m\n"),
      many("env "),
      many("sudo docker "),
      "docker run " + many("-e A=1 ") + "vllm/vllm-openai:v0.10.0 --model m",
      many("VLLM_A=1 "),
      many("A=$A$A\n"),
      "vllm serve m --config " + many("x"),
      many("# \n"),
      many("$ "),
      "vllm serve m --speculative-config '" + many("{\"a\":") + "'",
      many("bash -c '"),
      "services:\n" + many("  a: b\n"),
      "services:\n" + many("- "),
      deep,
      "a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a]\nservices: *b",
      "apiVersion: v1\nspec: " + many("["),
      "apiVersion: v1\n" + many("- $("),
      many("\xff\xfe"),
      std::string(size, '\0'),
      "vllm serve \xc3\x28 --x \xed\xa0\x80",
      many("\xe2\x80\x9c"),
  };
  for (const std::string& text : texts) {
    CAPTURE(text.substr(0, 40));
    // The query's own text must be UTF-8; bytes that are none come by another way.
    const std::string query =
        Json{{"text", text}}.dump(-1, ' ', false, Json::error_handler_t::replace);
    const Json answer = Json::parse(ridgepoint::api::read_command(query), nullptr, false);
    REQUIRE_FALSE(answer.is_discarded());
    CHECK((answer.contains("error") || answer.contains("request")));
    CHECK(answer.dump().size() < 16 * size);
  }
  CHECK(ask({{"text", std::string(5 * kMiB, 'a')}})["error"]["code"] == "too_long");
}
