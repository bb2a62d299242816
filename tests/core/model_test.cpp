#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "fixtures.hpp"
#include "model/catalogue.hpp"
#include "weights/weights.hpp"

using fixtures::Json;
using ridgepoint::model::AttentionKind;
using ridgepoint::model::ModelSpec;
using ridgepoint::model::QkNorm;

namespace model = ridgepoint::model;

namespace {

std::uint64_t checkpoint_bytes(std::string_view fixture) {
  const ModelSpec spec = fixtures::model(fixture);
  return ridgepoint::weights::checkpoint_bytes(spec, model::tensors(spec));
}

/// A small dense Llama: 2 layers, hidden 64, 4 heads of 16, 2 of keys, width 96, vocabulary 100.
Json small_llama() {
  return Json{{"architectures", {"LlamaForCausalLM"}},
              {"model_type", "llama"},
              {"hidden_size", 64},
              {"intermediate_size", 96},
              {"num_hidden_layers", 2},
              {"num_attention_heads", 4},
              {"num_key_value_heads", 2},
              {"vocab_size", 100},
              {"max_position_embeddings", 512},
              {"tie_word_embeddings", false},
              {"torch_dtype", "bfloat16"}};
}

Json small(std::string_view architecture, std::string_view model_type) {
  Json config = small_llama();
  config["architectures"] = {architecture};
  config["model_type"] = model_type;
  return config;
}

}  // namespace

TEST_CASE("a multi-token-prediction layer is counted apart") {
  const auto v3 = fixtures::parameters(fixtures::model("deepseek-ai--DeepSeek-V3"));
  CHECK(v3.total == 671026419200);
  CHECK(v3.mtp == 684489845504 - 671026419200);
  CHECK(fixtures::parameters(fixtures::model("moonshotai--Kimi-K2-Instruct")).mtp == 0);
  CHECK(fixtures::parameters(fixtures::model("meta-llama--Meta-Llama-3-8B")).mtp == 0);
}

TEST_CASE("a dense model uses all its parameters for each token") {
  for (const std::string_view name :
       {"meta-llama--Meta-Llama-3-8B", "google--gemma-7b", "Qwen--Qwen2.5-7B"}) {
    INFO(name);
    const auto counts = fixtures::parameters(fixtures::model(name));
    CHECK(counts.active == counts.total);
  }
}

TEST_CASE("a mixture uses only the chosen experts for each token") {
  const auto active = [](std::string_view name) {
    return fixtures::parameters(fixtures::model(name)).active;
  };
  // Mixtral, known as 12.9B active: 2 x 32,000 x 4,096 for table and head, 32 layers of attention
  // 41,943,040, router 32,768, norms 8,192 and 2 experts of 3 x 4,096 x 14,336 = 176,160,768; norm
  // 4,096: 262,144,000 + 32 x 394,305,536 + 4,096.
  CHECK(active("mistralai--Mixtral-8x7B-v0.1") == 12879925248);
  // Qwen3-30B-A3B: 6 of each 8 sixteenths are not read: 48 layers x (128 - 8) experts of
  // 3 x 2,048 x 768 = 4,718,592 are left out: 30,532,122,624 - 27,179,089,920.
  CHECK(active("Qwen--Qwen3-30B-A3B") == 3353032704);
  // gpt-oss-20b, known as 3.6B: 24 layers x (32 - 4) experts of 3 x 2,880 x 2,880 + 3 x 2,880
  // biases = 24,891,840 are left out: 20,914,757,184 - 16,727,316,480.
  CHECK(active("openai--gpt-oss-20b") == 4187440704);
  // DeepSeek-V2-Lite: 26 layers x (64 - 6) experts of 3 x 2,048 x 1,408 = 8,650,752 are left out:
  // 15,706,484,224 - 13,045,334,016.
  CHECK(active("deepseek-ai--DeepSeek-V2-Lite") == 2661150208);
  // DeepSeek-V3, known as 37B: 58 layers x (256 - 8) experts of 3 x 7,168 x 2,048 = 44,040,192 are
  // left out: 671,026,419,200 - 633,474,121,728.
  CHECK(active("deepseek-ai--DeepSeek-V3") == 37552297472);
}

TEST_CASE("an attention design has its label") {
  const auto label = [](std::string_view name) {
    return model::attention_label(fixtures::model(name));
  };
  CHECK(label("meta-llama--Meta-Llama-3-8B") == "gqa");
  CHECK(label("meta-llama--Llama-2-7b-hf") == "mha");
  CHECK(label("google--gemma-7b") == "mha");
  CHECK(label("mistralai--Mistral-7B-v0.1") == "swa");
  CHECK(label("mistralai--Mistral-7B-v0.3") == "gqa");
  CHECK(label("Qwen--Qwen2.5-7B") == "gqa");
  CHECK(label("deepseek-ai--DeepSeek-V2-Lite") == "mla");
  CHECK(label("deepseek-ai--DeepSeek-V3") == "mla");
  CHECK(label("moonshotai--Kimi-K2-Instruct") == "mla");
  CHECK(label("openai--gpt-oss-20b") == "hybrid");

  Json one_head = small_llama();
  one_head["num_key_value_heads"] = 1;
  CHECK(model::attention_label(fixtures::model_of(one_head)) == "mqa");
}

TEST_CASE("a model says whether it is a mixture") {
  const std::set<std::string_view> mixtures = {
      "Qwen--Qwen3-30B-A3B",           "Qwen--Qwen1.5-MoE-A2.7B",  "mistralai--Mixtral-8x7B-v0.1",
      "deepseek-ai--DeepSeek-V2-Lite", "deepseek-ai--DeepSeek-V2", "deepseek-ai--DeepSeek-V3",
      "moonshotai--Kimi-K2-Instruct",  "openai--gpt-oss-20b"};
  for (const std::string_view name : mixtures) {
    INFO(name);
    CHECK(fixtures::model(name).moe());
  }
  for (const std::string_view name :
       {"meta-llama--Meta-Llama-3-8B", "google--gemma-7b", "Qwen--Qwen3-8B-FP8"}) {
    INFO(name);
    CHECK(!fixtures::model(name).moe());
  }
}

TEST_CASE("a sliding window applies to every layer of Mistral v0.1") {
  const ModelSpec spec = fixtures::model("mistralai--Mistral-7B-v0.1");
  REQUIRE(spec.layers.size() == 32);
  for (const auto& layer : spec.layers) {
    CHECK(layer.attention.kind == AttentionKind::sliding);
    CHECK(layer.attention.window == 4096);
  }
}

TEST_CASE("a sliding window that is switched off is none") {
  const ModelSpec spec = fixtures::model("deepseek-ai--DeepSeek-R1-Distill-Qwen-14B");
  CHECK_FALSE(spec.windowed());
  CHECK_FALSE(fixtures::model("Qwen--Qwen3-8B").windowed());
}

TEST_CASE("a Qwen config that names a window and no switch has none as the class says") {
  // transformers: use_sliding_window is False by default in Qwen2Config, Qwen3Config and
  // Qwen2MoeConfig.
  for (const auto& [architecture, type] :
       {std::pair{"Qwen2ForCausalLM", "qwen2"}, std::pair{"Qwen3ForCausalLM", "qwen3"}}) {
    INFO(architecture);
    Json config = small(architecture, type);
    config["sliding_window"] = 128;
    CHECK_FALSE(fixtures::model_of(config).windowed());
  }
}

TEST_CASE("windows alternate in gpt-oss, the first layer windowed") {
  const ModelSpec spec = fixtures::model("openai--gpt-oss-20b");
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    INFO("layer " << i);
    CHECK(spec.layers[i].attention.kind ==
          (i % 2 == 0 ? AttentionKind::sliding : AttentionKind::full));
  }
  CHECK(spec.layers[0].attention.window == 128);
}

TEST_CASE("layer_types decides which layers have the window") {
  Json config = small_llama();
  config["sliding_window"] = 64;
  config["layer_types"] = {"full_attention", "sliding_attention"};
  const ModelSpec spec = fixtures::model_of(config);
  CHECK(spec.layers[0].attention.kind == AttentionKind::full);
  CHECK(spec.layers[1].attention.kind == AttentionKind::sliding);
  CHECK(spec.layers[1].attention.window == 64);
  CHECK(model::attention_label(spec) == "hybrid");
}

TEST_CASE("embeddings are tied where the config or the class says so") {
  CHECK(fixtures::model("google--gemma-7b").tie_word_embeddings);  // by its class
  CHECK(fixtures::model("Qwen--Qwen2.5-0.5B").tie_word_embeddings);
  CHECK(fixtures::model("ibm-granite--granite-3.1-8b-instruct").tie_word_embeddings);
  CHECK_FALSE(fixtures::model("Qwen--Qwen2.5-7B").tie_word_embeddings);

  Json config = small_llama();
  config.erase("tie_word_embeddings");
  CHECK_FALSE(fixtures::model_of(config).tie_word_embeddings);
  const auto untied = fixtures::parameters(fixtures::model_of(config)).total;
  config["tie_word_embeddings"] = true;
  CHECK(untied - fixtures::parameters(fixtures::model_of(config)).total == 100 * 64);
}

TEST_CASE("a small model's parameters are the sum written out by hand") {
  // Table and head 2 x 100 x 64; a layer: q and o 2 x 64 x 64, k and v 2 x 32 x 64, feed-forward
  // 3 x 64 x 96, norms 2 x 64; last norm 64: 12,800 + 2 x (8,192 + 4,096 + 18,432 + 128) + 64.
  CHECK(fixtures::parameters(fixtures::model_of(small_llama())).total == 74560);
}

TEST_CASE("biases count where the class or the config has them") {
  const auto total = [](const Json& config) {
    return fixtures::parameters(fixtures::model_of(config)).total;
  };
  const std::uint64_t plain = 74560;
  Json attention = small_llama();
  attention["attention_bias"] = true;
  // q 64, k 32, v 32, o 64 in each of two layers.
  CHECK(total(attention) - plain == 2 * 192);
  Json mlp = small_llama();
  mlp["mlp_bias"] = true;
  // gate 96, up 96, down 64.
  CHECK(total(mlp) - plain == 2 * 256);
  // Qwen2 has biases of q, k and v, and no key that says so.
  CHECK(total(small("Qwen2ForCausalLM", "qwen2")) - plain == 2 * 128);
  // Qwen3 norms queries and keys a head, with a head of 128 by default.
  Json qwen3 = small("Qwen3ForCausalLM", "qwen3");
  qwen3["head_dim"] = 16;
  CHECK(total(qwen3) - plain == 2 * 32);
}

TEST_CASE("head_dim is the one given, else what the class or the division says") {
  const auto head_dim = [](const Json& config) {
    return fixtures::model_of(config).layers.front().attention.head_dim;
  };
  CHECK(head_dim(small_llama()) == 16);
  Json given = small_llama();
  given["head_dim"] = 32;
  CHECK(head_dim(given) == 32);
  given["head_dim"] = nullptr;
  CHECK(head_dim(given) == 16);
  CHECK(head_dim(fixtures::config("google--gemma-7b")) == 256);    // 3,072 / 16 would be 192
  CHECK(head_dim(fixtures::config("openai--gpt-oss-20b")) == 64);  // 2,880 / 64 would be 45
  CHECK(head_dim(fixtures::config("Qwen--Qwen3-30B-A3B")) == 128);
}

TEST_CASE("key and value heads default to the attention heads") {
  Json config = small_llama();
  config.erase("num_key_value_heads");
  CHECK(model::attention_label(fixtures::model_of(config)) == "mha");
  config["num_key_value_heads"] = nullptr;
  CHECK(model::attention_label(fixtures::model_of(config)) == "mha");
}

TEST_CASE("the latent dimensions of DeepSeek are read") {
  const ModelSpec lite = fixtures::model("deepseek-ai--DeepSeek-V2-Lite");
  const auto& attention = lite.layers.front().attention;
  CHECK(attention.q_lora_rank == 0);
  CHECK(attention.kv_lora_rank == 512);
  CHECK(attention.qk_nope_head_dim == 128);
  CHECK(attention.qk_rope_head_dim == 64);
  CHECK(attention.v_head_dim == 128);
  CHECK_FALSE(lite.layers[0].feed_forward.moe());
  CHECK(lite.layers[1].feed_forward.moe());
  const ModelSpec v3 = fixtures::model("deepseek-ai--DeepSeek-V3");
  CHECK(v3.layers.front().attention.q_lora_rank == 1536);
  CHECK_FALSE(v3.layers[2].feed_forward.moe());
  CHECK(v3.layers[3].feed_forward.moe());
}

TEST_CASE("Qwen's keys choose which layers are mixtures") {
  Json config = small("Qwen3MoeForCausalLM", "qwen3_moe");
  config["num_hidden_layers"] = 4;
  config["num_experts"] = 8;
  config["num_experts_per_tok"] = 2;
  config["moe_intermediate_size"] = 32;
  config["decoder_sparse_step"] = 2;
  config["mlp_only_layers"] = {3};
  const ModelSpec spec = fixtures::model_of(config);
  CHECK_FALSE(spec.layers[0].feed_forward.moe());
  CHECK(spec.layers[1].feed_forward.moe());
  CHECK_FALSE(spec.layers[2].feed_forward.moe());
  CHECK_FALSE(spec.layers[3].feed_forward.moe());
}

TEST_CASE("the dtype is read from either key in any of its spellings") {
  using ridgepoint::precision::Dtype;
  const auto dtype = [](const char* key, const char* value) {
    Json config = small_llama();
    config.erase("torch_dtype");
    config[key] = value;
    return fixtures::model_of(config).dtype;
  };
  CHECK(dtype("torch_dtype", "float16") == Dtype::float16);
  CHECK(dtype("dtype", "float32") == Dtype::float32);
  CHECK(dtype("dtype", "torch.bfloat16") == Dtype::bfloat16);
  CHECK(dtype("torch_dtype", "half") == Dtype::float16);
  Json none = small_llama();
  none.erase("torch_dtype");
  CHECK_FALSE(fixtures::model_of(none).dtype_given);
}

TEST_CASE("a model without architectures is read by its model_type and says so") {
  Json config = small_llama();
  config.erase("architectures");
  const ModelSpec spec = fixtures::model_of(config);
  CHECK(fixtures::parameters(spec).total == 74560);
  CHECK_FALSE(spec.notes.empty());
}

TEST_CASE("every model of the catalogue reads and counts to its published total") {
  // What the sources in models.json say that a total counts besides the weights.
  const auto besides = [](std::string_view id) -> std::int64_t {
    if (id.find("Llama-2-7b") != std::string_view::npos) return 2048;  // rotary buffers
    if (id == "Qwen/Qwen3-0.6B") return 155582464;  // the stored lm_head, 151,936 x 1,024
    if (id == "Qwen/Qwen3-1.7B") return 311164928;  // the stored lm_head, 151,936 x 2,048
    if (id == "Qwen/Qwen3-8B-FP8") return 423936;   // block scales
    if (id.find("Kimi-K2") != std::string_view::npos) return 62498608;  // block scales
    if (id.starts_with("deepseek-ai/DeepSeek-V3") || id == "deepseek-ai/DeepSeek-R1" ||
        id == "deepseek-ai/DeepSeek-R1-0528") {
      return 684531386000 - 671026419200;  // block scales and the MTP layer
    }
    return 0;
  };
  REQUIRE(model::catalogue().size() > 60);
  std::size_t compared = 0;
  for (const model::ModelFacts& facts : model::catalogue()) {
    INFO(facts.id);
    model::ModelRequest request;
    request.id = facts.id;
    const auto spec = model::read_model(request);
    REQUIRE(spec.ok());
    const auto counts = fixtures::parameters(*spec);
    CHECK(counts.total > 0);
    CHECK(counts.active <= counts.total);
    CHECK_FALSE(facts.source.empty());
    if (facts.parameters != 0) {
      ++compared;
      CHECK(static_cast<std::int64_t>(counts.total) ==
            static_cast<std::int64_t>(facts.parameters) - besides(facts.id));
    }
  }
  CHECK(compared > 55);
}

TEST_CASE("a catalogue model is found whatever the case and by its short name") {
  REQUIRE(model::find_model("meta-llama/Meta-Llama-3-8B") != nullptr);
  CHECK(model::find_model("META-LLAMA/meta-llama-3-8b") ==
        model::find_model("meta-llama/Meta-Llama-3-8B"));
  CHECK(model::find_model("Mixtral-8x7B-v0.1") == model::find_model("mistralai/Mixtral-8x7B-v0.1"));
  CHECK(model::find_model("no/such-model") == nullptr);
  CHECK(model::find_model("") == nullptr);
  CHECK(model::find_model("/") == nullptr);
}

TEST_CASE("a 16-bit checkpoint takes two bytes a parameter") {
  // Published safetensors totals x 2.
  CHECK(checkpoint_bytes("meta-llama--Meta-Llama-3-8B") == 16060522496);
  CHECK(checkpoint_bytes("mistralai--Mixtral-8x7B-v0.1") == 93405585408);
  CHECK(checkpoint_bytes("Qwen--Qwen2.5-7B") == 15231233024);
  CHECK(checkpoint_bytes("deepseek-ai--DeepSeek-V2-Lite") == 31412968448);
  // The biases of DeepSeek-V3's experts' scores and all norms are 16-bit here too.
  CHECK(checkpoint_bytes("google--gemma-7b") == 17075361792);
}

TEST_CASE("a quantised checkpoint is as large as the published files") {
  // openai/gpt-oss-20b: model.safetensors.index.json, metadata.total_size 13,761,264,768.
  CHECK(static_cast<double>(checkpoint_bytes("openai--gpt-oss-20b")) ==
        Approx(13761264768.0).epsilon(1e-3));
  // Qwen/Qwen3-8B-FP8: 6,945,767,424 weights at a byte (36 layers x 192,937,984), 423,936 block
  // scales and 1,244,967,936 other parameters (table and head 2 x 151,936 x 4,096, norms 308,224),
  // the scales of the published files being bfloat16 or float32: within 1 MB.
  CHECK(static_cast<double>(checkpoint_bytes("Qwen--Qwen3-8B-FP8")) ==
        Approx(6945767424.0 + 2 * 1244967936.0 + 4 * 423936.0).margin(1e6));
  // RedHatAI FP8-dynamic: 6,979,321,856 weights (32 layers x 218,103,808) at a byte, 1,376,256 row
  // scales, and 1,050,939,392 others (table and head 2 x 128,256 x 4,096, norms 266,240) at two.
  CHECK(static_cast<double>(checkpoint_bytes("RedHatAI--Meta-Llama-3.1-8B-Instruct-FP8-dynamic")) ==
        Approx(6979321856.0 + 2 * 1050939392.0 + 4 * 1376256.0).epsilon(1e-3));
}

TEST_CASE("checkpoints of the catalogue are as large as the published files") {
  const auto bytes = [](std::string_view id) {
    model::ModelRequest request;
    request.id = id;
    const auto spec = model::read_model(request);
    REQUIRE(spec.ok());
    return ridgepoint::weights::checkpoint_bytes(*spec, model::tensors(*spec));
  };
  // metadata.total_size of each repository's model.safetensors.index.json.
  CHECK(bytes("meta-llama/Llama-3.2-3B") == 6425499648);
  CHECK(bytes("google/gemma-2b") == 5012344832);
  // Llama-2-70b-hf: 137,953,316,864, of which 80 layers x 64 rotary values x 4 bytes are no
  // weights.
  CHECK(bytes("meta-llama/Llama-2-70b-hf") == 137953316864 - 20480);
  // DeepSeek-R1: 688,586,727,753 bytes with the MTP layer and its copies.
  CHECK(static_cast<double>(bytes("deepseek-ai/DeepSeek-R1")) ==
        Approx(688586727753.0).epsilon(1e-3));
}

TEST_CASE("a checkpoint size that is given replaces the computed one") {
  Json request = fixtures::request();
  request["model"]["weight_bytes"] = 16060556376;
  CHECK(fixtures::answer(request).at("model").at("checkpoint_bytes") == 16060556376);
}
