#include <array>
#include <iterator>
#include <string>

#include "model/dialect.hpp"
#include "model/language_model.hpp"
#include "model/tower.hpp"
#include "wording.hpp"

namespace ridgepoint::model::language_model_alone {
namespace {

/// Multimodal models whose language model is one that is known, and whose other parts are not: that
/// is sized, and the answer says what it lacks.
struct Known {
  std::string_view architecture;
  std::string_view model_type;
  std::string_view key;       ///< of the language model; "": the whole config
  std::string_view fallback;  ///< its model_type when it names none
};
constexpr Known kKnown[] = {
    {"Ovis", "ovis", "llm_config", "qwen2"},
    {"OvisForConditionalGeneration", "ovis2", "text_config", "qwen2"},
    {"Ovis2_5", "ovis2_5", "llm_config", "qwen3"},
    {"Step3VLForConditionalGeneration", "step3_vl", "text_config", "step3_text"},
    {"StepVLForConditionalGeneration", "step_robotics", "text_config", "qwen3"},
    {"NemotronH_Nano_VL_V2", "NemotronH_Nano_VL_V2", "llm_config", "nemotron_h"},
    {"Llama_Nemotron_Nano_VL", "Llama_Nemotron_Nano_VL", "llm_config", "llama"},
    {"NVLM_D", "NVLM_D", "llm_config", "qwen2"},
    {"SkyworkR1VChatModel", "skywork_chat", "llm_config", "qwen2"},
    {"KeyeForConditionalGeneration", "Keye", "", "qwen3"},
    {"KeyeVL1_5ForConditionalGeneration", "KeyeVL1_5", "", "qwen3"},
    {"LogicsForConditionalGeneration", "logics", "", "qwen3"},
    {"AndesVLForConditionalGeneration", "andesvl-aimv2-qwen3", "text_config", "qwen3"},
    {"VibeVoiceForConditionalGeneration", "vibevoice", "decoder_config", "qwen2"},
    {"Maira2ForConditionalGeneration", "maira2", "text_config", "llama"},
    {"BailingMMNativeForConditionalGeneration", "bailingmm", "llm_config", "bailing_moe"},
    {"MultiModalityCausalLM", "multi_modality", "language_config", "llama"},
    {"VipLlavaForConditionalGeneration", "vipllava", "text_config", "llama"},
    {"VideoLlavaForConditionalGeneration", "video_llava", "text_config", "llama"},
};

template <typename Member>
constexpr auto names_of(Member member) {
  std::array<std::string_view, std::size(kKnown)> names{};
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] = kKnown[i].*member;
  }
  return names;
}
constexpr auto kArchitectures = names_of(&Known::architecture);
constexpr auto kModelTypes = names_of(&Known::model_type);

void read(json::Fields& config, ModelSpec& spec) {
  for (const Known& known : kKnown) {
    const bool named = spec.architecture.empty() ? spec.model_type == known.model_type
                                                 : spec.architecture == known.architecture;
    if (!named) {
      continue;
    }
    if (!known.key.empty() && config.find(known.key) == nullptr) {
      config.fail("missing_field", known.key,
                  worded({known.key, ", the language model's config, is missing."}));
      return;
    }
    read_inner_model(config, {known.key}, known.fallback, spec);
    leave_out(spec, "image and audio towers and their projectors");
    return;
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::language_model_alone
