#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bad_input.hpp"
#include "sampling.hpp"
#include "soundness.hpp"

using namespace bad_input;  // NOLINT(google-build-using-namespace)
using fixtures::answer_to_text;
using soundness::unsound;

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

TEST_CASE("no change of one key of any fixture gives nonsense", "[sweep]") {
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
  const auto& names = fixtures::models();
  constexpr std::size_t kStride = tests::sampled(3);
  for (std::size_t fixture = 0; fixture < names.size(); fixture += kStride) {
    const std::string& name = names[fixture];
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
  CHECK(tried > 5000 / kStride);
}
