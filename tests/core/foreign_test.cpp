// Files that lie beside models and are none.
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "fixtures.hpp"
#include "model/dialect.hpp"

using fixtures::Json;

namespace {

struct Foreign {
  const char* what;     ///< said in the message
  const char* content;  ///< the least by which it is known
};

const Foreign kForeign[] = {
    {"adapter_config.json", R"({"peft_type": "LORA", "r": 16, "lora_alpha": 32})"},
    {"adapter_config.json", R"({"lora_alpha": 32, "r": 16})"},
    {"diffusers", R"({"_class_name": "FluxPipeline", "_diffusers_version": "0.30.0"})"},
    {"safetensors index", R"({"metadata": {"total_size": 1}, "weight_map": {}})"},
    {"hf_quant_config.json",
     R"({"producer": {"name": "modelopt"}, "quantization": {"quant_algo": "NVFP4"}})"},
    {"quantisation config", R"({"quant_method": "awq", "bits": 4})"},
    {"quantize_config.json", R"({"bits": 4, "group_size": 128, "desc_act": false})"},
    {"DeepSeek's own", R"({"vocab_size": 1, "dim": 7168, "inter_dim": 18432, "n_layers": 61})"},
    {"params.json", R"({"dim": 4096, "n_layers": 32, "n_heads": 32})"},
    {"original/config.json",
     R"({"num_experts": 128, "experts_per_token": 4, "swiglu_limit": 7.0, "hidden_size": 2880})"},
    {"tokenizer_config.json", R"({"tokenizer_class": "LlamaTokenizer", "bos_token": "<s>"})"},
    {"tokenizer.json", R"({"version": "1.0", "added_tokens": [], "model": {"type": "BPE"}})"},
    {"preprocessor_config.json", R"({"image_processor_type": "CLIPImageProcessor"})"},
    {"generation_config.json", R"({"eos_token_id": 2, "temperature": 0.6})"},
    {"draft head",
     R"({"architectures": ["LlamaForCausalLMEagle3"], "model_type": "llama", "draft_vocab_size": 32000})"},
    {"draft", R"({"architectures": ["DFlashDraftModel"], "model_type": "qwen3"})"},
    {"EAGLE", R"({"architectures": ["EagleLlamaForCausalLM"], "model_type": "llama"})"},
    {"draft head", R"({"architectures": ["PeagleLlamaForCausalLM"], "model_type": "llama"})"},
    {"draft head", R"({"architectures": ["Qwen3DSparkModel"], "model_type": "qwen3"})"},
    {"multi-token-prediction", R"({"architectures": ["Qwen3NextMTP"]})"},
    {"multi-token-prediction", R"({"architectures": ["Step3p5MTP"]})"},
    {"quant_config.json", R"({"w_bit": 4, "q_group_size": 128, "zero_point": true})"},
    {"special_tokens_map.json", R"({"bos_token": "<s>", "unk_token": "<unk>"})"},
    {"pooling", R"({"word_embedding_dimension": 1024, "pooling_mode_cls_token": true})"},
    {"vision model alone", R"({"architectures": ["Terratorch"]})"},
    {"Medusa", R"({"architectures": ["MedusaModel"], "model_type": "medusa"})"},
    {"multi-token-prediction", R"({"architectures": ["DeepSeekMTPModel"]})"},
    {"vision model alone", R"({"architectures": ["ViTModel"], "model_type": "vit"})"},
    {"vision model alone", R"({"architectures": ["SamModel"], "model_type": "sam"})"},
    {"vision model alone", R"({"architectures": ["CLIPVisionModel"], "model_type": "clip"})"},
    {"text encoder of CLIP", R"({"architectures": ["CLIPTextModel"], "model_type": "clip"})"},
};

}  // namespace

TEST_CASE("a file that is no model is refused by what it is") {
  std::set<std::string> messages;
  for (const Foreign& foreign : kForeign) {
    INFO(foreign.content);
    const auto spec = fixtures::try_model(Json::parse(foreign.content));
    REQUIRE(!spec.ok());
    CHECK(spec.error().code == "not_a_model");
    CHECK(spec.error().message.find(foreign.what) != std::string::npos);
    messages.insert(spec.error().message);
  }
  CHECK(messages.size() >= 17);
}

TEST_CASE("no two dialects claim one name") {
  std::set<std::string_view> architectures;
  std::set<std::string_view> model_types;
  for (const ridgepoint::model::Dialect* dialect : ridgepoint::model::dialects()) {
    for (const std::string_view name : dialect->architectures) {
      INFO(name);
      CHECK(architectures.insert(name).second);
    }
    for (const std::string_view name : dialect->model_types) {
      INFO(name);
      CHECK(model_types.insert(name).second);
    }
  }
  CHECK(architectures.size() > 300);
}
