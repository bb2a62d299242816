#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fixtures.hpp"
#include "soundness.hpp"

using fixtures::answer;
using fixtures::answer_to_text;
using fixtures::Json;
using soundness::unsound;
using Pointer = Json::json_pointer;

namespace {

/// What an error says, as "code at path"; the report's verdict when there is none.
std::string outcome(const Json& answer) {
  if (!answer.contains("error")) {
    return "no error: " + answer.at("verdict").at("limit").get<std::string>();
  }
  const Json& error = answer.at("error");
  CHECK(error.size() == 3);
  const std::string message = error.at("message");
  CHECK(message.size() >= 20);
  CHECK(message.size() <= 800);
  return error.at("code").get<std::string>() + " at " + error.at("path").get<std::string>();
}

/// The default request with one value put at a place such as "/gpu/count".
Json with(const char* place, const Json& value, Json request = fixtures::request()) {
  request[Pointer(place)] = value;
  return request;
}

std::string outcome_of(const char* place, const Json& value) {
  INFO(place << " = " << value.dump().substr(0, 80));
  return outcome(answer(with(place, value)));
}

std::string config_outcome(const char* key, const Json& value) {
  return outcome_of((std::string("/model/config/") + key).c_str(), value);
}

Json request_with(const Json& config) {
  Json request = fixtures::request();
  request["model"] = {{"config", config}};
  return request;
}

std::string message_of(const Json& answer) {
  return answer.contains("error") ? answer.at("error").at("message").get<std::string>() : "";
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

}  // namespace

TEST_CASE("the default request is answered") {
  const Json report = answer(fixtures::request());
  CHECK(outcome(report) == "no error: none");
  CHECK(unsound(report) == "");
}

TEST_CASE("text that is not JSON is refused") {
  for (const std::string& text :
       {std::string(), std::string(" \n\t"), std::string("hello"), std::string("{"),
        std::string("{\"model\":}"), std::string("{'model':1}"), std::string("{\"a\":1,}"),
        std::string("{} {}"), std::string("nan"), std::string("[1,2"), std::string("\""),
        std::string("// comment\n{}"), std::string("<!DOCTYPE html><html></html>"),
        std::string("{\"a\":01}"), std::string("{\"a\":1e}"), std::string("\0{}", 3),
        std::string("{}\0", 3), std::string("{\"a\":\"\n\"}"), std::string("\xff\xfe{\0}\0", 6)}) {
    INFO(text);
    CHECK(outcome(answer_to_text(text)) == "not_json at ");
  }
}

TEST_CASE("a web page in place of JSON is recognised") {
  Json request = fixtures::request();
  request["model"]["config"] = "<!DOCTYPE html><html><body>404</body></html>";
  const Json said = answer(request);
  CHECK(outcome(said) == "not_json at model.config");
  CHECK(contains(message_of(said), "web page"));
}

TEST_CASE("JSON that is not an object is refused") {
  for (const char* text : {"[]", "[{}]", "1", "-1.5", "true", "null", "\"text\"", "\"\""}) {
    INFO(text);
    CHECK(outcome(answer_to_text(text)) == "bad_request at ");
  }
  for (const Json& config : {Json::array(), Json(1), Json(true), Json{1, 2}}) {
    INFO(config.dump());
    CHECK(outcome_of("/model/config", config) == "bad_value at model.config");
  }
  CHECK(outcome_of("/model/config", "[]") == "bad_value at model.config");
  CHECK(outcome_of("/model/config", "null") == "bad_value at model.config");
  CHECK(outcome_of("/model/config", "12") == "bad_value at model.config");
}

TEST_CASE("a config may be text and its faults are those of model config") {
  const Json given = answer(with("/model/config", fixtures::text("meta-llama--Meta-Llama-3-8B")));
  CHECK(given.at("model").at("parameters") == 8030261248);
  CHECK(outcome_of("/model/config", "{\"architectures\":") == "not_json at model.config");
  CHECK(outcome_of("/model/config", "") == "not_json at model.config");
  CHECK(outcome_of("/model/config", "\xEF\xBB\xBF{}") ==
        "unknown_architecture at model.config.architectures");
}

TEST_CASE("files of other kinds are refused by their own names") {
  const Json lora = answer(request_with(fixtures::config("bad--lora-adapter_config")));
  CHECK(outcome(lora) == "not_a_model at model.config.peft_type");
  CHECK(contains(message_of(lora), "adapter"));
  CHECK(contains(message_of(lora), "base model"));
  const Json diffusers = answer(request_with(fixtures::config("bad--diffusers-model_index")));
  CHECK(outcome(diffusers) == "not_a_model at model.config._diffusers_version");
  CHECK(contains(message_of(diffusers), "diffusers"));
  const Json index = answer(
      request_with({{"metadata", {{"total_size", 16060522496}}}, {"weight_map", Json::object()}}));
  CHECK(outcome(index) == "not_a_model at model.config.weight_map");
  const Json tokenizer =
      answer(request_with({{"tokenizer_class", "PreTrainedTokenizerFast"}, {"bos_token", "<s>"}}));
  CHECK(outcome(tokenizer) == "not_a_model at model.config.tokenizer_class");
  const Json generation = answer(request_with({{"bos_token_id", 1}, {"eos_token_id", 2}}));
  CHECK(contains(outcome(generation), "not_a_model at model.config"));
  const Json quantisation =
      answer(request_with({{"quant_method", "awq"}, {"bits", 4}, {"group_size", 128}}));
  CHECK(contains(outcome(quantisation), "not_a_model at model.config"));
  const Json params = answer(request_with({{"dim", 4096}, {"n_layers", 32}, {"n_heads", 32}}));
  CHECK(contains(outcome(params), "not_a_model at model.config"));
}

TEST_CASE("a hidden size that cannot be is refused at its field") {
  for (const Json& value :
       {Json(0), Json(-4096), Json(1e300), Json("4096"), Json(nullptr), Json(4096.5), Json(true),
        Json::array(), Json::object(), Json(18446744073709551615ULL), Json(1e16), Json(-0.5),
        Json("NaN"), Json(Json::array({4096}))}) {
    CHECK(config_outcome("hidden_size", value) == "bad_value at model.config.hidden_size");
  }
  Json missing = fixtures::request();
  missing["model"]["config"].erase("hidden_size");
  CHECK(outcome(answer(missing)) == "missing_field at model.config.hidden_size");
  const Json said = answer(with("/model/config/hidden_size", -4096));
  CHECK(contains(message_of(said), "hidden_size"));
  CHECK(contains(message_of(said), "-4096"));
  CHECK(contains(message_of(answer(with("/model/config/hidden_size", "4096"))), "string"));
  CHECK(contains(message_of(answer(with("/model/config/hidden_size", nullptr))), "null"));
}

TEST_CASE("a whole number written with a point or an exponent counts") {
  CHECK(config_outcome("hidden_size", 4096.0) == "no error: none");
}

TEST_CASE("numbers beyond what JSON numbers hold are refused and not rounded") {
  for (const char* digits : {"1e400", "-1e400", "99999999999999999999999999", "1e-400",
                             "0.00000000000000000001", "4.096e3000"}) {
    std::string text = fixtures::request().dump();
    const std::string key = "\"hidden_size\":4096";
    text.replace(text.find(key), key.size(), std::string("\"hidden_size\":") + digits);
    INFO(digits);
    CHECK(answer_to_text(text).contains("error"));
  }
}

TEST_CASE("ten megabytes of nesting are refused at once") {
  const std::string deep = nested(5000000);
  const auto begin = std::chrono::steady_clock::now();
  CHECK(outcome(answer_to_text(deep)) == "not_json at ");
  CHECK(outcome(answer_to_text(std::string(10000000, '['))) == "not_json at ");
  std::string objects;
  for (int i = 0; i < 2000000; ++i) {
    objects += "{\"a\":";
  }
  CHECK(outcome(answer_to_text(objects)) == "not_json at ");
  const std::string request = "{\"model\":{\"config\":" + Json(deep).dump() + "}}";
  CHECK(outcome(answer_to_text(request)) == "not_json at model.config");
  CHECK(outcome(answer_to_text("{\"model\":{\"config\":" + deep + "}}")) == "not_json at ");
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  CHECK(spent.count() < 20.0);
}

TEST_CASE("nesting just within the limit is no harm") {
  for (const std::size_t depth : {100U, 120U, 127U, 128U, 129U}) {
    INFO(depth);
    CHECK(answer_to_text(nested(depth)).contains("error"));
    Json request = fixtures::request();
    request["model"]["config"]["rope_scaling"] = Json::parse(nested(depth - 10));
    CHECK(unsound(answer(request)) == "");
  }
}

TEST_CASE("heads that do not divide are refused at their field") {
  CHECK(config_outcome("num_attention_heads", 33) ==
        "bad_value at model.config.num_key_value_heads");
  CHECK(config_outcome("num_key_value_heads", 5) ==
        "bad_value at model.config.num_key_value_heads");
  CHECK(config_outcome("num_key_value_heads", 64) ==
        "bad_value at model.config.num_key_value_heads");
  CHECK(config_outcome("num_attention_heads", 24) ==
        "bad_value at model.config.num_attention_heads");  // 4,096 / 24 is no whole number
  CHECK(config_outcome("num_attention_heads", 0) ==
        "bad_value at model.config.num_attention_heads");
}

TEST_CASE("a tensor parallel size that does not divide the heads is refused") {
  Json request = fixtures::request();
  request["gpu"]["count"] = 3;
  const Json by_count = answer(request);
  CHECK(outcome(by_count) == "bad_parallelism at gpu.count");
  CHECK(contains(message_of(by_count), "num_attention_heads"));
  request["engine"]["args"] = {{"tensor-parallel-size", 3}};
  CHECK(outcome(answer(request)) == "bad_parallelism at engine.args.tensor-parallel-size");
  request["engine"]["args"] = {{"tensor-parallel-size", 64}};
  request["gpu"]["count"] = 64;
  CHECK(outcome(answer(request)) == "bad_parallelism at engine.args.tensor-parallel-size");
}

TEST_CASE("a card count that is not the product of the parallel sizes is refused") {
  Json request = fixtures::request();
  request["gpu"]["count"] = 8;
  request["engine"]["args"] = {
      {"tensor-parallel-size", 2}, {"pipeline-parallel-size", 2}, {"data-parallel-size", 1}};
  const Json said = answer(request);
  CHECK(outcome(said) == "bad_parallelism at gpu.count");
  CHECK(contains(message_of(said), "8"));
  CHECK(contains(message_of(said), "4"));
}

TEST_CASE("an unknown architecture is refused by name") {
  const Json said = answer(request_with(fixtures::config("bad--unknown-architecture")));
  CHECK(outcome(said) == "unknown_architecture at model.config.architectures");
  CHECK(contains(message_of(said), "RidgepointTestForCausalLM"));
  Json request = fixtures::request();
  request["model"]["config"]["state_size"] = 16;  // what Llama has not
  for (const Json& value : {Json{"RwkvForCausalLM"}, Json{"llamaforcausallm"},
                            Json{"LlamaForCausalLM "}, Json{std::string(1000000, 'L')}}) {
    request["model"]["config"]["architectures"] = value;
    CHECK(outcome(answer(request)) == "unknown_architecture at model.config.architectures");
  }
  CHECK(config_outcome("architectures", "LlamaForCausalLM") ==
        "bad_value at model.config.architectures");
  CHECK(config_outcome("architectures", {1}) == "bad_value at model.config.architectures");
  Json neither = fixtures::request();
  neither["model"]["config"].erase("architectures");
  neither["model"]["config"].erase("model_type");
  CHECK(outcome(answer(neither)) == "unknown_architecture at model.config.architectures");
  neither["model"]["config"]["model_type"] = "rwkv5";
  neither["model"]["config"]["state_size"] = 16;
  CHECK(outcome(answer(neither)) == "unknown_architecture at model.config.model_type");
  neither["model"]["config"]["architectures"] = Json::array();
  CHECK(outcome(answer(neither)) == "unknown_architecture at model.config.model_type");
}

TEST_CASE("an unknown model with the keys of Llama alone is sized, and said to be assumed") {
  const Json said = answer(with("/model/config/architectures", Json{"NewLlamaForCausalLM"}));
  REQUIRE(outcome(said) == "no error: none");
  CHECK(said["model"]["confidence"] == "assumed");
  CHECK(said["model"]["parameters"] == 8030261248);
  CHECK(contains(said["model"]["notes"].dump(), "NewLlamaForCausalLM"));
  for (const char* key : {"num_experts", "kv_lora_rank", "mamba_d_state", "vision_config",
                          "layer_types", "moe_intermediate_size", "num_kv_shared_layers"}) {
    INFO(key);
    Json request = with("/model/config/architectures", Json{"NewLlamaForCausalLM"});
    request["model"]["config"][key] = 4;
    CHECK(outcome(answer(request)) == "unknown_architecture at model.config.architectures");
  }
}

TEST_CASE("keys of another design in a known class are named") {
  const Json said = answer(with("/model/config/num_local_experts", 8));
  REQUIRE(outcome(said) == "no error: none");
  CHECK(said["model"]["confidence"] == "assumed");
  CHECK(contains(said["model"]["notes"].dump(), "num_local_experts"));
  const Json plain = answer(with("/model/config/num_local_experts", nullptr));
  CHECK(plain["model"]["confidence"] == "exact");
}

TEST_CASE("a Git LFS pointer is called one") {
  const Json said = answer(
      with("/model/config", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"));
  CHECK(outcome(said) == "not_json at model.config");
  CHECK(contains(message_of(said), "LFS"));
}

TEST_CASE("numbers that JSON does not know are read as absent, comments are refused") {
  const std::string config = fixtures::text("meta-llama--Meta-Llama-3-8B");
  for (const char* value : {"Infinity", "-Infinity", "NaN", "[Infinity, NaN]"}) {
    std::string text = config;
    text.insert(1, std::string("\"time_step_limit\": ") + value + ", \"NaN\": \"Infinity\",");
    CHECK(outcome(answer(with("/model/config", Json(text)))) == "no error: none");
  }
  for (const char* comment : {"// a comment\n", "/* a comment */"}) {
    const Json said = answer(with("/model/config", Json(comment + config)));
    CHECK(outcome(said) == "not_json at model.config");
    CHECK(contains(message_of(said), "comment"));
  }
  const Json marked = answer(with("/model/config", Json("\xEF\xBB\xBF" + config)));
  CHECK(outcome(marked) == "no error: none");
}

TEST_CASE("an unknown card is refused by name") {
  const Json said = answer(with("/gpu", {{"id", "a100-sxm-90gb"}}));
  CHECK(outcome(said) == "unknown_gpu at gpu.id");
  CHECK(contains(message_of(said), "a100-sxm-90gb"));
  CHECK(contains(message_of(said), "a100-sxm-80gb"));
  CHECK(outcome_of("/gpu/id", "") == "missing_field at gpu.id");
  CHECK(outcome_of("/gpu/id", std::string(1000000, 'x')) == "unknown_gpu at gpu.id");
  CHECK(outcome_of("/gpu/id", std::string("a100\0", 5)) == "unknown_gpu at gpu.id");
  CHECK(outcome_of("/gpu", Json::object()) == "missing_field at gpu.id");
  Json none = fixtures::request();
  none.erase("gpu");
  CHECK(outcome(answer(none)) == "missing_field at gpu.id");
}

TEST_CASE("an unknown engine is refused by name") {
  for (const char* name : {"tgi", "VLLM2", "", "ollama"}) {
    const Json said = answer(with("/engine/name", name));
    INFO(name);
    CHECK(outcome(said) == "unknown_engine at engine.name");
    CHECK(contains(message_of(said), "vllm"));
  }
}

TEST_CASE("an unknown flag is refused by name and near ones are offered") {
  const Json said = answer(with("/engine/args", {{"max-modle-len", 8192}}));
  CHECK(outcome(said) == "unknown_flag at engine.args.max-modle-len");
  CHECK(contains(message_of(said), "max-model-len"));
  CHECK(outcome_of("/engine/args", {{"", 1}}) == "unknown_flag at engine.args.");
  CHECK(outcome_of("/engine/args", {{"--max-model-len", 1}}) ==
        "unknown_flag at engine.args.--max-model-len");
  CHECK(contains(outcome_of("/engine/args", {{std::string(1000000, 'f'), 1}}), "unknown_flag at "));
}

TEST_CASE("a flag that the version does not have is refused") {
  Json request = with("/engine/args", {{"kv-cache-memory-bytes", 1073741824}});
  request["engine"]["version"] = "0.9.1";
  CHECK(outcome(answer(request)) == "unknown_flag at engine.args.kv-cache-memory-bytes");
}

TEST_CASE("a flag given twice in two spellings is refused") {
  CHECK(contains(outcome_of("/engine/args", {{"max-model-len", 1024}, {"max_model_len", 2048}}),
                 "bad_flag at engine.args.max"));
  CHECK(contains(outcome_of("/engine/args", {{"tp", 1}, {"tensor-parallel-size", 1}}),
                 "bad_flag at engine.args.t"));
  CHECK(contains(outcome_of("/engine/args", {{"enforce-eager", true}, {"no-enforce-eager", true}}),
                 "bad_flag at engine.args."));
}

TEST_CASE("a flag with a value of the wrong kind is refused at its name") {
  for (const Json& value :
       {Json("abc"), Json(true), Json(0), Json(-5), Json(8192.5), Json(1e300), Json(Json::array()),
        Json(Json::object()), Json(""), Json("8192 "), Json("NaN"), Json(18446744073709551615ULL),
        Json(std::string(100000, '9'))}) {
    CHECK(outcome_of("/engine/args", {{"max-model-len", value}}) ==
          "bad_flag at engine.args.max-model-len");
  }
  for (const Json& value : {Json("much"), Json(true), Json(0), Json(-0.9), Json(1.01), Json("NaN"),
                            Json("inf"), Json(90), Json(Json::array({0.9}))}) {
    CHECK(outcome_of("/engine/args", {{"gpu-memory-utilization", value}}) ==
          "bad_flag at engine.args.gpu-memory-utilization");
  }
  for (const Json& value : {Json("yes"), Json(2), Json(0.5), Json(Json::array())}) {
    CHECK(outcome_of("/engine/args", {{"enforce-eager", value}}) ==
          "bad_flag at engine.args.enforce-eager");
  }
  for (const Json& value : {Json("int3"), Json(8), Json(true), Json("fp8|auto"), Json("")}) {
    CHECK(outcome_of("/engine/args", {{"kv-cache-dtype", value}}) ==
          "bad_flag at engine.args.kv-cache-dtype");
  }
  for (const Json& value : {Json(-1), Json("a"), Json("1,-2"), Json(Json::array()), Json{1, "x"},
                            Json{0}, Json{1e300}, Json("99999999999999999999"), Json("")}) {
    CHECK(outcome_of("/engine/args", {{"cudagraph-capture-sizes", value}}) ==
          "bad_flag at engine.args.cudagraph-capture-sizes");
  }
  CHECK(outcome_of("/engine/args", {{"block-size", 17}}) == "bad_flag at engine.args.block-size");
  CHECK(outcome_of("/engine/args", {{"max-num-seqs", 0}}) ==
        "bad_flag at engine.args.max-num-seqs");
  CHECK(outcome_of("/engine/args", {{"dtype", "int8"}}) == "bad_flag at engine.args.dtype");
}

TEST_CASE("a flag without effect on memory must still have its own kind of value") {
  CHECK(outcome_of("/engine/args", {{"seed", "abc"}}) == "bad_flag at engine.args.seed");
}

TEST_CASE("a flag that this build cannot compute is an honest error") {
  const Json said = answer(with("/engine/args", {{"enable-lora", true}}));
  CHECK(outcome(said) == "unmodelled_flag at engine.args.enable-lora");
  CHECK(outcome_of("/engine/args", {{"speculative-config", {{"method", "eagle"}}}}) ==
        "unmodelled_flag at engine.args.speculative-config");
  CHECK(outcome_of("/engine/args", {{"cpu-offload-gb", 4}}) ==
        "unmodelled_flag at engine.args.cpu-offload-gb");
}

TEST_CASE("a variable that changes memory is not passed over in silence") {
  // VLLM_PP_LAYER_PARTITION moves layers between stages; this build does not follow it.
  Json request = fixtures::request();
  request["gpu"]["count"] = 2;
  request["engine"]["args"] = {{"pipeline-parallel-size", 2}};
  const Json before = answer(request);
  request["engine"]["env"] = {{"VLLM_PP_LAYER_PARTITION", "4,28"}};
  const Json after = answer(request);
  CHECK((after.contains("error") || after != before));
}

TEST_CASE("a malformed version is refused at its field") {
  for (const char* version : {"latest", "0.28.x", "28", "0,28,0", "v", "0.28.0 beta"}) {
    const Json said = answer(with("/engine/version", version));
    INFO(version);
    CHECK(outcome(said) == "bad_version at engine.version");
    CHECK(contains(message_of(said), version));
  }
  CHECK(outcome_of("/engine/version", "0.6.0") == "version_too_old at engine.version");
  CHECK(outcome_of("/engine/version", 0.28) == "bad_value at engine.version");
  CHECK(outcome_of("/engine/version", std::string(1000000, '0')) ==
        "bad_version at engine.version");
}

TEST_CASE("a field of the contract with a value of the wrong type is refused") {
  for (const char* part : {"model", "gpu", "engine", "workload", "measured"}) {
    for (const Json& value : {Json(1), Json("text"), Json(true), Json::array(), Json{1}}) {
      CHECK(outcome_of((std::string("/") + part).c_str(), value) ==
            std::string("bad_value at ") + part);
    }
  }
  for (const char* field : {"/model/id", "/gpu/id", "/engine/name", "/engine/version"}) {
    std::string path = std::string(field).substr(1);
    path[path.find('/')] = '.';
    for (const Json& value : {Json(1), Json(true), Json::array(), Json::object()}) {
      CHECK(outcome_of(field, value) == "bad_value at " + path);
    }
  }
  for (const char* field :
       {"/model/weight_bytes", "/gpu/count", "/gpu/total_bytes", "/gpu/free_bytes",
        "/workload/context", "/workload/prompt", "/workload/output", "/workload/concurrency",
        "/measured/weights_bytes", "/measured/activation_bytes", "/measured/non_torch_bytes",
        "/measured/cuda_graphs_bytes", "/measured/kv_pool_bytes"}) {
    std::string path = std::string(field).substr(1);
    path[path.find('/')] = '.';
    for (const Json& value : {Json("1"), Json(true), Json::array(), Json::object(), Json(-1),
                              Json(1.5), Json(1e300), Json(18446744073709551615ULL)}) {
      CHECK(outcome_of(field, value) == "bad_value at " + path);
    }
  }
  for (const char* field : {"/gpu/bandwidth", "/gpu/flops"}) {
    std::string path = std::string(field).substr(1);
    path[path.find('/')] = '.';
    for (const Json& value :
         {Json("1"), Json(true), Json::array(), Json::object(), Json(-1), Json(1e300), Json(0)}) {
      CHECK(outcome_of(field, value) == "bad_value at " + path);
    }
  }
  for (const char* field : {"/engine/args", "/engine/env"}) {
    std::string path = std::string(field).substr(1);
    path[path.find('/')] = '.';
    for (const Json& value : {Json("1"), Json(1), Json::array()}) {
      CHECK(outcome_of(field, value) == "bad_value at " + path);
    }
  }
  for (const Json& value : {Json("awq"), Json(4), Json::array()}) {
    CHECK(outcome_of("/model/quant_config", value) == "bad_value at model.quant_config");
  }
}

TEST_CASE("a request id that is no text is refused") {
  for (const Json& value : {Json(7), Json(true), Json::object()}) {
    CHECK(outcome_of("/id", value) == "bad_value at id");
  }
}

TEST_CASE("zero counts where there must be some are refused") {
  for (const char* field : {"/gpu/count", "/workload/context", "/workload/concurrency",
                            "/gpu/total_bytes", "/model/weight_bytes"}) {
    std::string path = std::string(field).substr(1);
    path[path.find('/')] = '.';
    CHECK(outcome_of(field, 0) == "bad_value at " + path);
  }
}

TEST_CASE("an unknown field of a request is refused at its place") {
  CHECK(outcome_of("/modle", Json::object()) == "unknown_field at modle");
  CHECK(outcome_of("/model/cfg", 1) == "unknown_field at model.cfg");
  CHECK(outcome_of("/gpu/cuont", 1) == "unknown_field at gpu.cuont");
  CHECK(outcome_of("/engine/flags", Json::object()) == "unknown_field at engine.flags");
  CHECK(outcome_of("/workload/ctx", 1) == "unknown_field at workload.ctx");
  CHECK(outcome_of("/measured/weights", 1) == "unknown_field at measured.weights");
  Json request = fixtures::request();
  request[std::string(1000000, 'k')] = 1;
  CHECK(contains(outcome(answer(request)), "unknown_field at k"));
}

TEST_CASE("parts of the contract that this version does not compute are refused") {
  for (const char* part : {"draft", "adapters"}) {
    CHECK(outcome_of((std::string("/model/") + part).c_str(), Json::object()) ==
          std::string("not_supported at model.") + part);
    CHECK(outcome_of((std::string("/model/") + part).c_str(), nullptr) == "no error: none");
  }
}

TEST_CASE("a request without a model is refused and null means absent") {
  Json none = fixtures::request();
  none.erase("model");
  CHECK(outcome(answer(none)) == "missing_field at model.config");
  CHECK(outcome(answer(Json::object())) == "missing_field at model.config");
  CHECK(outcome_of("/model", nullptr) == "missing_field at model.config");
  CHECK(outcome_of("/model", {{"id", "no/such-model"}}) == "unknown_model at model.id");
  CHECK(outcome_of("/model", {{"id", std::string(1000000, 'm')}}) == "unknown_model at model.id");
  for (const char* field : {"/workload", "/measured", "/engine", "/gpu/count", "/workload/context",
                            "/model/quant_config", "/id"}) {
    CHECK(outcome_of(field, nullptr) == "no error: none");
  }
}

TEST_CASE("a length beyond any model is refused or limited by the context") {
  CHECK(outcome_of("/workload/context", 1ULL << 60U) == "bad_value at workload.context");
  CHECK(outcome_of("/workload/context", 1ULL << 40U) == "bad_value at workload.context");
  CHECK(outcome_of("/workload/context", 1000000) == "no error: context");
  CHECK(outcome_of("/engine/args", {{"max-model-len", 8193}}) == "no error: context");
  for (const std::uint64_t context : {1ULL, 15ULL, 16ULL, 17ULL, 8192ULL, 8193ULL, 1ULL << 32U}) {
    INFO(context);
    CHECK(unsound(answer(with("/workload/context", context))) == "");
  }
}

TEST_CASE("huge sizes whose products overflow are refused") {
  Json request = fixtures::request();
  Json& config = request["model"]["config"];
  config["hidden_size"] = 1048576;
  config["num_hidden_layers"] = 1000;
  config["num_attention_heads"] = 65536;
  config["intermediate_size"] = 16777216;
  CHECK(outcome(answer(request)) == "bad_value at model.config.hidden_size");
  for (const char* key : {"num_hidden_layers", "intermediate_size", "vocab_size", "head_dim",
                          "num_attention_heads", "max_position_embeddings"}) {
    for (const Json& value : {Json(18446744073709551615ULL), Json(9223372036854775807LL),
                              Json(1ULL << 53U), Json(1e18)}) {
      CHECK(config_outcome(key, value) == std::string("bad_value at model.config.") + key);
    }
  }
}

TEST_CASE("a model that claims absurd lengths gets a verdict or an error at its field") {
  const std::string said = config_outcome("max_position_embeddings", 1ULL << 40U);
  CHECK((said == "no error: kv_pool" || said == "no error: context" ||
         said == "bad_value at model.config.max_position_embeddings"));
}

TEST_CASE("a start that holds no whole request is not called serving") {
  // Up to 0.20 too few blocks by override do not stop the start: it prints a concurrency of 0.125.
  Json request = fixtures::request();
  request["engine"]["version"] = "0.11.0";
  request["engine"]["args"] = {{"num-gpu-blocks-override", 64}, {"max-model-len", 8192}};
  CHECK(unsound(answer(request)) == "");
}

TEST_CASE("the largest sizes allowed stay sound at the longest length") {
  Json request = fixtures::request();
  Json& config = request["model"]["config"];
  config["hidden_size"] = 1;
  config["intermediate_size"] = 1;
  config["vocab_size"] = 1;
  config["num_attention_heads"] = 65536;
  config["num_key_value_heads"] = 65536;
  config["head_dim"] = 65536;
  config["max_position_embeddings"] = 1ULL << 40U;
  for (const std::uint64_t layers : {1ULL, 1000ULL, 10000ULL}) {
    config["num_hidden_layers"] = layers;
    for (const std::uint64_t context : {1ULL, 1ULL << 20U, 1ULL << 32U}) {
      request["workload"] = {{"context", context}};
      INFO(layers << " layers, " << context << " tokens");
      CHECK(unsound(answer(request)) == "");
    }
  }
}

TEST_CASE("extreme workloads stay sound") {
  for (const std::uint64_t huge : {1ULL << 32U, 1ULL << 40U}) {
    for (const char* field : {"/workload/prompt", "/workload/output", "/workload/concurrency"}) {
      CHECK(unsound(answer(with(field, huge))) == "");
    }
  }
  for (const std::uint64_t bytes : {1ULL << 20U, 1ULL << 30U, 1ULL << 50U}) {
    INFO(bytes);
    CHECK(unsound(answer(with("/gpu", {{"total_bytes", bytes}}))) == "");
    CHECK(unsound(answer(with("/gpu/total_bytes", bytes))) == "");
  }
  CHECK(unsound(answer(with("/gpu/free_bytes", 0))) == "");
  CHECK(unsound(answer(with("/gpu/bandwidth", 1e6))) == "");
  CHECK(unsound(answer(with("/gpu/flops", 1e21))) == "");
}

TEST_CASE("measured figures stay sound and within the card") {
  for (const char* field :
       {"/measured/weights_bytes", "/measured/activation_bytes", "/measured/non_torch_bytes",
        "/measured/cuda_graphs_bytes", "/measured/kv_pool_bytes"}) {
    for (const std::uint64_t bytes :
         {0ULL, 1ULL, 1ULL << 30U, 60ULL << 30U, 80ULL << 30U, 1ULL << 59U, 1ULL << 60U}) {
      INFO(field << " = " << bytes);
      CHECK(unsound(answer(with(field, bytes))) == "");
    }
  }
}

TEST_CASE("layer_types of the wrong length or kind is refused") {
  const Json full = "full_attention";
  CHECK(config_outcome("layer_types", Json(std::vector<Json>(31, full))) ==
        "bad_value at model.config.layer_types");
  CHECK(config_outcome("layer_types", Json(std::vector<Json>(33, full))) ==
        "bad_value at model.config.layer_types");
  CHECK(config_outcome("layer_types", Json::array()) == "bad_value at model.config.layer_types");
  CHECK(config_outcome("layer_types", "full_attention") == "bad_value at model.config.layer_types");
  CHECK(config_outcome("layer_types", Json(std::vector<Json>(32, full))) == "no error: none");
  CHECK(contains(config_outcome("layer_types", Json(std::vector<Json>(32, Json(1)))),
                 " at model.config.layer_types"));
  CHECK(config_outcome("layer_types", Json(std::vector<Json>(32, Json("linear_attention")))) ==
        "unknown_architecture at model.config.layer_types");
  CHECK(contains(
      config_outcome("layer_types", Json(std::vector<Json>(32, Json("sliding_attention")))),
      " at model.config.sliding_window"));
}

TEST_CASE("more experts chosen than there are is refused") {
  for (const auto& [name, count] : {std::pair{"mistralai--Mixtral-8x7B-v0.1", "num_local_experts"},
                                    std::pair{"Qwen--Qwen3-30B-A3B", "num_experts"},
                                    std::pair{"Qwen--Qwen1.5-MoE-A2.7B", "num_experts"},
                                    std::pair{"deepseek-ai--DeepSeek-V3", "n_routed_experts"},
                                    std::pair{"openai--gpt-oss-20b", "num_local_experts"}}) {
    INFO(name);
    Json config = fixtures::config(name);
    config["num_experts_per_tok"] = config[count].get<int>() + 1;
    CHECK(outcome(answer(request_with(config))) == "bad_value at model.config.num_experts_per_tok");
    config["num_experts_per_tok"] = 0;
    CHECK(outcome(answer(request_with(config))) == "bad_value at model.config.num_experts_per_tok");
    config["num_experts_per_tok"] = 1;
    config[count] = 0;
    CHECK(contains(outcome(answer(request_with(config))), "model.config."));
  }
}

TEST_CASE("mlp_only_layers that names no layers is refused") {
  Json config = fixtures::config("Qwen--Qwen3-30B-A3B");
  for (const Json& value : {Json(1), Json("all"), Json{-1}, Json{"0"}, Json{1.5}, Json{1e300}}) {
    INFO(value.dump());
    config["mlp_only_layers"] = value;
    CHECK(outcome(answer(request_with(config))) == "bad_value at model.config.mlp_only_layers");
  }
}

TEST_CASE("a quantization_config of an odd shape is refused at its field") {
  const std::string at = "bad_value at model.config.quantization_config";
  for (const Json& value : {Json("awq"), Json(4), Json(true), Json::array(), Json{"awq"}}) {
    CHECK(config_outcome("quantization_config", value) == at);
  }
  CHECK(config_outcome("quantization_config", Json::object()) ==
        "unsupported_quantization at model.config.quantization_config.quant_method");
  CHECK(config_outcome("quantization_config", {{"quant_method", "magic"}}) ==
        "unsupported_quantization at model.config.quantization_config.quant_method");
  CHECK(config_outcome("quantization_config", {{"quant_method", "awq"}, {"group_size", 1e300}}) ==
        at + ".group_size");
  CHECK(config_outcome("quantization_config",
                       {{"quant_method", "fp8"}, {"weight_block_size", {0, 0}}}) ==
        at + ".weight_block_size");
  CHECK(config_outcome("quantization_config", nullptr) == "no error: none");
}

TEST_CASE("bytes that are no UTF-8 are refused and never echoed") {
  for (const std::string bytes :
       {"\xff", "\xc3\x28", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\xaf"}) {
    const std::string request = "{\"id\":\"" + bytes + "\",\"model\":{\"id\":\"" + bytes + "\"}}";
    CHECK(outcome(answer_to_text(request)) == "not_json at ");
    CHECK(outcome(answer_to_text(bytes)) == "not_json at ");
    CHECK(outcome(answer_to_text("{\"" + bytes + "\":1}")) == "not_json at ");
  }
  // Lone surrogates in escapes.
  CHECK(outcome(answer_to_text("{\"id\":\"\\ud800\"}")) == "not_json at ");
}

TEST_CASE("control characters and quotes in names come back as valid JSON") {
  using namespace std::string_literals;
  const std::string nasty = "\"\\\0\x01\x1f\x7f\n\t</script>\xF0\x9F\x98\x80\xE2\x80\xA8"s;
  for (const char* field :
       {"/gpu/id", "/engine/name", "/engine/version", "/model/config/model_type",
        "/model/config/torch_dtype", "/id", "/model/id"}) {
    INFO(field);
    CHECK(unsound(answer(with(field, nasty))) == "");
  }
  CHECK(unsound(answer(with("/model/config/architectures", {nasty}))) == "");
  CHECK(unsound(answer(with("/engine/args", {{nasty, nasty}}))) == "");
  CHECK(unsound(answer(with("/engine/env", {{nasty, nasty}}))) == "");
  Json request = fixtures::request();
  request[nasty] = 1;
  CHECK(unsound(answer(request)) == "");
}

TEST_CASE("long texts are cut in messages between characters") {
  std::string umlauts;
  for (int i = 0; i < 500000; ++i) {
    umlauts += "\xC3\xA4";
  }
  for (const char* field :
       {"/gpu/id", "/engine/name", "/engine/version", "/model/config/model_type",
        "/model/config/torch_dtype", "/model/config/hidden_size"}) {
    for (const std::string& text : {umlauts, "x" + umlauts}) {
      const std::string said = answer(with(field, text)).dump();
      INFO(field);
      CHECK(said.size() < 20000);
    }
  }
}

TEST_CASE("an id comes back with the answer and with the error") {
  Json request = fixtures::request();
  request["id"] = "row 17";
  CHECK(answer(request).at("id") == "row 17");
  request["gpu"]["id"] = "none";
  CHECK(answer(request).at("id") == "row 17");
  CHECK(answer(request).contains("error"));
}

TEST_CASE("no change of one key of any fixture gives nonsense") {
  const std::vector<Json> values = {nullptr,
                                    -1,
                                    0,
                                    1e300,
                                    "x",
                                    Json::array(),
                                    Json::object(),
                                    true,
                                    1,
                                    3,
                                    1ULL << 32U,
                                    18446744073709551615ULL,
                                    0.5,
                                    Json{1, 2},
                                    Json{{"x", 1}},
                                    std::string(1, '\0')};
  Json request = fixtures::request();
  std::size_t tried = 0;
  std::size_t turn = 0;
  for (const std::string& name : fixtures::models()) {
    const Json original = fixtures::config(name);
    const Json flat = original.flatten();
    const auto attempt = [&](const Json& changed, const std::string& what) {
      request["model"]["config"] = changed;
      ++tried;
      const std::string wrong = unsound(answer(request));
      if (!wrong.empty()) {
        FAIL_CHECK(name << " with " << what << ": " << wrong);
      }
    };
    std::vector<std::string> places;
    for (const auto& item : original.items()) {
      places.push_back("/" + item.key());
    }
    for (const auto& item : flat.items()) {
      // Of long lists the first entries stand for all.
      if (item.key().find('/', 1) != std::string::npos && places.size() < 60) {
        places.push_back(item.key());
      }
    }
    // Every value in every place takes minutes under the sanitizers: each place gets the next two,
    // and the hundreds of fixtures have the usual keys in common.
    for (const std::string& place : places) {
      for (int i = 0; i < 2; ++i) {
        const Json& value = values[turn++ % values.size()];
        Json changed = original;
        changed[Pointer(place)] = value;
        attempt(changed, place + " = " + value.dump());
      }
    }
    for (const auto& item : original.items()) {
      Json changed = original;
      changed.erase(item.key());
      attempt(changed, item.key() + " erased");
    }
  }
  CHECK(tried > 5000);
}

TEST_CASE("no change of one field of a full request gives nonsense") {
  Json full = fixtures::request();
  full["id"] = "x";
  full["model"]["id"] = "meta-llama/Meta-Llama-3-8B";
  full["model"]["weight_bytes"] = 16060522496;
  full["gpu"] = {{"id", "a100-sxm-80gb"},     {"count", 4},          {"total_bytes", 85094039552},
                 {"free_bytes", 84000000000}, {"bandwidth", 2039e9}, {"flops", 312e12}};
  full["engine"]["args"] = {{"tensor-parallel-size", 2},
                            {"pipeline-parallel-size", 2},
                            {"gpu-memory-utilization", 0.9},
                            {"max-model-len", 8192},
                            {"max-num-seqs", 128},
                            {"max-num-batched-tokens", 4096},
                            {"block-size", 32},
                            {"kv-cache-dtype", "fp8"},
                            {"cudagraph-capture-sizes", "1 2 4 8"},
                            {"dtype", "half"}};
  full["engine"]["env"] = {{"VLLM_ALLOW_LONG_MAX_MODEL_LEN", "1"}};
  full["workload"] = {{"context", 4096}, {"prompt", 2048}, {"output", 256}, {"concurrency", 16}};
  REQUIRE(outcome(answer(full)) == "no error: none");
  const std::vector<Json> values = {nullptr,     -1,
                                    0,           1e300,
                                    "x",         Json::array(),
                                    true,        1,
                                    2,           3,
                                    1ULL << 32U, 18446744073709551615ULL,
                                    0.5,         Json::object(),
                                    1ULL << 50U, "",
                                    1e-300,      "1e300"};
  const Json flat = full.flatten();
  for (const auto& item : flat.items()) {
    for (const Json& value : values) {
      Json changed = full;
      changed[Pointer(item.key())] = value;
      const std::string wrong = unsound(answer(changed));
      if (!wrong.empty()) {
        FAIL_CHECK(item.key() << " = " << value.dump() << ": " << wrong);
      }
    }
  }
}

TEST_CASE("a request cut off anywhere is refused") {
  const std::string whole = fixtures::request().dump();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const Json said = answer_to_text(std::string_view(whole).substr(0, length));
    if (!said.contains("error")) {
      FAIL_CHECK("cut at " << length);
    }
  }
}

TEST_CASE("a request with one byte changed is answered or refused soundly") {
  const std::string whole = fixtures::request().dump();
  std::uint32_t random = 12345;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    random = random * 1664525U + 1013904223U;
    std::string changed = whole;
    changed[at] = static_cast<char>(random >> 24U);
    const std::string wrong = unsound(answer_to_text(changed));
    if (!wrong.empty()) {
      FAIL_CHECK("byte " << at << " changed to " << static_cast<int>(changed[at]) << ": " << wrong);
    }
  }
}
