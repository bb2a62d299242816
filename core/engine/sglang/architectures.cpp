#include "engine/sglang/architectures.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace ridgepoint::engine::sglang {
namespace {

struct Windowed {
  std::string_view prefix;      ///< of the architecture's name
  std::string_view model_type;  ///< its start, where a config names no architecture
  std::uint32_t since;
};

constexpr std::array<Windowed, 12> kWindowed = {{
    {"Llama4ForConditionalGeneration", "llama4", 4009},
    {"GptOssForCausalLM", "gpt_oss", 5000},
    {"MiMoV2", "mimo_v2", 5007},
    {"Step3p5", "step3p5", 5009},
    {"Step3p7", "step3p7", 5013},
    {"Gemma4", "gemma4", 5010},
    {"DiffusionGemma", "diffusion_gemma", 5013},
    {"Laguna", "laguna", 5012},
    {"Mellum", "mellum", 5013},
    {"Inkling", "inkling", 5014},
    {"UnlimitedOCR", "unlimited", 5014},
    {"DeepseekV4", "deepseek_v4", 5011},
}};

constexpr std::array<std::string_view, 6> kExtraStates = {"Qwen3Next",  "Qwen3_5",   "Qwen4",
                                                          "KimiLinear", "NemotronH", "BailingMoe"};

constexpr std::array<std::string_view, 3> kTextFirst = {"Gemma3ForConditionalGeneration",
                                                        "Llama4ForConditionalGeneration",
                                                        "Step3VLForConditionalGeneration"};

}  // namespace

bool pools_windows(const model::ModelSpec& model, std::uint32_t number) {
  return std::any_of(kWindowed.begin(), kWindowed.end(), [&](const Windowed& entry) {
    const bool named =
        model.architecture.starts_with(entry.prefix) ||
        (model.architecture.empty() && model.model_type.starts_with(entry.model_type));
    return named && number >= entry.since;
  });
}

bool keeps_extra_states(const model::ModelSpec& model) {
  return std::any_of(kExtraStates.begin(), kExtraStates.end(), [&](std::string_view prefix) {
    return model.architecture.starts_with(prefix);
  });
}

bool multimodal_by_default(const model::ModelSpec& model, std::uint32_t number) {
  const bool text_first =
      std::find(kTextFirst.begin(), kTextFirst.end(), model.architecture) != kTextFirst.end();
  return model.vision.present && !(text_first && number >= 4007);
}

bool sparse_latent(const model::ModelSpec& model) {
  return std::any_of(model.layers.begin(), model.layers.end(), [](const model::Layer& layer) {
    return layer.attention.kind == model::AttentionKind::latent &&
           layer.attention.indexer.heads != 0;
  });
}

}  // namespace ridgepoint::engine::sglang
