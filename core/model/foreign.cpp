#include "model/foreign.hpp"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "model/draft_head.hpp"
#include "wording.hpp"

namespace ridgepoint::model {
namespace {

using Names = std::initializer_list<std::string_view>;

/// A file known by keys that it has (all of `has`) and has not (any of `lacks`).
struct ForeignFile {
  Names has;
  Names lacks;
  std::string_view message;
};

const ForeignFile kForeignFiles[] = {
    {{"peft_type"},
     {},
     "This is the adapter_config.json of a LoRA (PEFT) adapter, not of a model: paste the "
     "config.json of its base model."},
    {{"lora_alpha"},
     {"architectures"},
     "This is the adapter_config.json of a LoRA adapter, not of a model: paste the config.json of "
     "its base model."},
    {{"_diffusers_version"},
     {},
     "This is a file of a diffusers pipeline (an image or video model). ridgepoint sizes language "
     "models: paste the config.json of one."},
    {{"weight_map"},
     {},
     "This is a safetensors index, not a config: paste the config.json that lies beside it, and "
     "give the index as model.tensors."},
    {{"producer", "quantization"},
     {"hidden_size"},
     "This is a hf_quant_config.json, ModelOpt's quantisation config alone: give it as "
     "model.quant_config, and the model's config.json as model.config."},
    {{"quant_method"},
     {"architectures", "model_type"},
     "This is a quantisation config alone: give it as model.quant_config, and the model's "
     "config.json as model.config."},
    {{"bits", "group_size"},
     {"architectures", "model_type", "hidden_size"},
     "This is a quantize_config.json alone: give it as model.quant_config, and the model's "
     "config.json as model.config."},
    {{"quantization"},
     {"architectures", "model_type"},
     "This is a quantisation config alone: give it as model.quant_config, and the model's "
     "config.json as model.config."},
    {{"dim", "inter_dim"},
     {"architectures", "hidden_size"},
     "This is the config of DeepSeek's own inference code (inference/config_*.json): paste the "
     "Hugging Face config.json of the same model."},
    {{"dim", "n_layers"},
     {"architectures", "hidden_size"},
     "This is a params.json in its maker's own form (Meta's or Mistral's): paste the Hugging Face "
     "config.json of the same model."},
    {{"num_experts", "experts_per_token", "swiglu_limit"},
     {"architectures", "model_type"},
     "This is original/config.json of gpt-oss in its maker's own form: paste the config.json in "
     "the folder above."},
    {{"w_bit", "q_group_size"},
     {"architectures", "model_type", "hidden_size"},
     "This is AWQ's quant_config.json alone: give it as model.quant_config, and the model's "
     "config.json as model.config."},
    {{"_class_name"},
     {"architectures", "model_type", "hidden_size"},
     "This is a file of a diffusers pipeline (an image or video model). ridgepoint sizes language "
     "models: paste the config.json of one."},
    {{"word_embedding_dimension"},
     {"architectures", "model_type", "hidden_size"},
     "This is the pooling config of a sentence embedding model: paste the config.json in the "
     "folder above."},
    {{"tokenizer_class"},
     {"architectures", "model_type", "hidden_size"},
     "This is a tokenizer_config.json: paste the config.json that lies beside it."},
    {{"added_tokens", "model"},
     {"architectures", "model_type"},
     "This is a tokenizer.json: paste the config.json that lies beside it."},
    {{"image_processor_type"},
     {"architectures", "hidden_size"},
     "This is a preprocessor_config.json: paste the config.json that lies beside it."},
    {{"processor_class"},
     {"architectures", "model_type", "hidden_size"},
     "This is a processor_config.json: paste the config.json that lies beside it."},
    {{"bos_token"},
     {"architectures", "model_type", "hidden_size"},
     "This is a special_tokens_map.json or another file of the tokenizer: paste the config.json "
     "that lies beside it."},
    {{"feature_extractor_type"},
     {"architectures", "hidden_size"},
     "This is a preprocessor_config.json: paste the config.json that lies beside it."},
    {{"draft_vocab_size"},
     {},
     "This is the draft head of a speculative decoder (EAGLE-3, DFlash and their kind), not a "
     "model that serves alone: paste the config.json of the model it drafts for; as a draft, give "
     "it as "
     "model.draft.config."},
    {{"eos_token_id"},
     {"architectures", "model_type", "hidden_size", "n_embd", "d_model"},
     "This is a generation_config.json: paste the config.json that lies beside it."},
};

/// Architectures that are known and are no language models of their own, by a part of the name.
struct ForeignName {
  std::string_view part;
  std::string_view message;
};

constexpr std::string_view kDraft =
    "This is the draft head of a speculative decoder (EAGLE and its kind), not a model that serves "
    "alone: paste the config.json of the model it drafts for; as a draft, give it as "
    "model.draft.config.";
constexpr std::string_view kPrediction =
    "This is a multi-token-prediction head, not a model that serves alone: paste the config.json "
    "of the model it belongs to.";
constexpr std::string_view kVision =
    "This is a vision model alone; ridgepoint sizes models that generate text.";

constexpr ForeignName kForeignNames[] = {
    {"EAGLE", kDraft},
    {"Eagle3", kDraft},
    {"EagleLlama", kDraft},
    {"EagleMistral", kDraft},
    {"EagleCohere", kDraft},
    {"EagleMiniCPM", kDraft},
    {"EagleDeepSeek", kDraft},
    {"EagleModel", kDraft},
    {"Peagle", kDraft},
    {"PEagle", kDraft},
    {"Draft", kDraft},
    {"DFlash", kDraft},
    {"DSpark", kDraft},
    {"AssistantModel", kDraft},
    {"Speculator", kDraft},
    {"ExtractHiddenStates", kDraft},
    {"Medusa",
     "These are Medusa heads, not a model that serves alone: paste the config.json of the model "
     "they belong to."},
    {"MTPModel", kPrediction},
    {"NextMTP", kPrediction},
    {"_5MTP", kPrediction},
    {"MoeMTP", kPrediction},
    {"p5MTP", kPrediction},
    {"_5_MTP", kPrediction},
    {"M3MTP", kPrediction},
    {"MobiusMTP", kPrediction},
    {"ViTModel", kVision},
    {"ViTFor", kVision},
    {"SamModel", kVision},
    {"Segment", kVision},
    {"RMBG", kVision},
    {"CLIPVision", kVision},
    {"SiglipVision", kVision},
    {"Terratorch", kVision},
    {"Prithvi", kVision},
    {"CLIPText",
     "This is the text encoder of CLIP, used inside image pipelines; ridgepoint sizes models that "
     "an LLM engine serves."},
};

bool lacks_all(const json::Value& config, Names names) {
  return std::none_of(names.begin(), names.end(),
                      [&](std::string_view name) { return config.contains(name); });
}

bool has_all(const json::Value& config, Names names) {
  return std::all_of(names.begin(), names.end(),
                     [&](std::string_view name) { return config.contains(name); });
}

Error not_a_model(std::string_view message, std::string_view key) {
  return Error{"not_a_model", std::string(message), worded({"model.config.", key})};
}

std::string_view architecture(const json::Value& config) {
  const auto names = config.find("architectures");
  if (names == config.end() || !names->is_array() || names->empty() || !(*names)[0].is_string()) {
    return {};
  }
  return (*names)[0].get_ref<const std::string&>();
}

}  // namespace

Check refuse_foreign(const json::Value& config, bool draft) {
  if (draft && is_draft_head(config)) {
    return std::nullopt;
  }
  for (const ForeignFile& file : kForeignFiles) {
    if (has_all(config, file.has) && lacks_all(config, file.lacks)) {
      return not_a_model(file.message, *file.has.begin());
    }
  }
  const std::string_view name = architecture(config);
  for (const ForeignName& foreign : kForeignNames) {
    if (name.find(foreign.part) != std::string_view::npos) {
      return not_a_model(foreign.message, "architectures");
    }
  }
  return std::nullopt;
}

}  // namespace ridgepoint::model
