#include "engine/vllm/architectures.hpp"

#include <algorithm>
#include <string_view>

#include "model/dialect.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::vllm {
namespace {

using model::AttentionKind;
using model::ModelSpec;

/// The last minor version that runs an architecture; 0: none does without a plugin.
struct Removed {
  std::uint32_t last;
  std::string_view architecture;
};

constexpr Removed kRemoved[] = {
    {9, "Phi3SmallForCausalLM"},
    {10, "MotifForCausalLM"},
    {10, "DonutForConditionalGeneration"},
    {10, "MllamaForConditionalGeneration"},
    {12, "Phi4MultimodalForCausalLM"},
    {22, "JAISLMHeadModel"},
    {23, "BambaForCausalLM"},
    {23, "MiniMaxForCausalLM"},
    {23, "MiniMaxText01ForCausalLM"},
    {23, "MiniMaxM1ForCausalLM"},
    {23, "MiniMaxVL01ForConditionalGeneration"},
    {23, "BaiChuanForCausalLM"},
    {23, "BaichuanForCausalLM"},
    {23, "QWenLMHeadModel"},
    {23, "InternLMForCausalLM"},
    {23, "XverseForCausalLM"},
    {23, "Dots1ForCausalLM"},
    {24, "AquilaModel"},
    {24, "AquilaForCausalLM"},
    {24, "Grok1ModelForCausalLM"},
    {24, "Grok1ForCausalLM"},
    {24, "AyaVisionForConditionalGeneration"},
    {25, "TeleChatForCausalLM"},
    {25, "PersimmonForCausalLM"},
    {25, "FuyuForCausalLM"},
    {26, "Plamo2ForCausalLM"},
    {0, "BartModel"},
    {0, "BartForConditionalGeneration"},
    {0, "MBartForConditionalGeneration"},
    {0, "Florence2ForConditionalGeneration"},
    {0, "T5ForConditionalGeneration"},
    {0, "MT5ForConditionalGeneration"},
    {0, "UMT5ForConditionalGeneration"},
    {0, "M2M100ForConditionalGeneration"},
    {0, "MarianMTModel"},
    {0, "PegasusForConditionalGeneration"},
    {0, "BlenderbotForConditionalGeneration"},
    {0, "TransformerForCausalLM"},  // flash-linear-attention's own
};

/// The first release that runs architectures of this prefix. Only those that the Transformers
/// backend of an earlier release could not run in their place.
struct Added {
  std::uint32_t minor;
  std::uint32_t patch;
  std::string_view prefix;
};

constexpr Added kAdded[] = {
    {6, 6, "DeepseekV3For"},   {8, 3, "Llama4For"},     {8, 4, "Qwen3MoeFor"},
    {10, 0, "Glm4MoeFor"},     {10, 1, "GptOssFor"},    {10, 2, "Qwen3NextFor"},
    {11, 0, "DeepseekV32For"}, {11, 1, "MiniMaxM2For"}, {19, 0, "Gemma4For"},
    {20, 0, "DeepseekV4For"},
};

std::string version_of(std::uint32_t minor) { return worded({"0.", minor}); }

/// The class vLLM would look for; a config without architectures is read by its model_type.
std::string class_of(const ModelSpec& model) {
  if (!model.architecture.empty()) {
    return model.architecture;
  }
  const model::Dialect* dialect = model::dialect_of_model_type(model.model_type);
  return dialect == nullptr || dialect->architectures.empty()
             ? std::string()
             : std::string(dialect->architectures.front());
}

/// Qwen's dense classes check that one window serves all layers.
bool mixes_windows(const ModelSpec& model) {
  const bool qwen =
      model.architecture.starts_with("Qwen2For") || model.architecture.starts_with("Qwen3For");
  return qwen && model.has(AttentionKind::sliding) && model.has(AttentionKind::full);
}

bool first_chatglm(const ModelSpec& model) {
  return model.architecture.starts_with("ChatGLM") && !model.layers.empty() &&
         !model.layers.front().feed_forward.gated;
}

}  // namespace

std::string refused_architecture(const ModelSpec& model, const Version& version) {
  const std::string name = class_of(model);
  const std::uint32_t minor = version.minor;
  const auto* removed =
      std::find_if(std::begin(kRemoved), std::end(kRemoved),
                   [&](const Removed& entry) { return entry.architecture == name; });
  if (removed != std::end(kRemoved) && removed->last == 0) {
    return worded({"vLLM has no ", name, " of its own; without a plugin it does not start."});
  }
  if (removed != std::end(kRemoved) && minor > removed->last) {
    return worded({"vLLM ", version_of(minor), " no longer has ", name, "; ",
                   version_of(removed->last), " was the last version that ran it."});
  }
  const auto* added = std::find_if(std::begin(kAdded), std::end(kAdded), [&](const Added& entry) {
    return name.starts_with(entry.prefix);
  });
  if (added != std::end(kAdded) && !version.nearest_rules &&
      !version.at_least(added->minor, version.any_patch ? 0 : added->patch)) {
    return worded({"vLLM ", version.text, " does not have ", name, " yet; ",
                   version_of(added->minor), ".", added->patch,
                   " is the first release that runs it."});
  }
  if (first_chatglm(model)) {
    return "vLLM does not run the first ChatGLM-6B: its class of that name is ChatGLM2's.";
  }
  if (mixes_windows(model)) {
    return worded({"vLLM refuses a window on some layers of ", model.architecture,
                   " and none on others (max_window_layers)."});
  }
  return {};
}

}  // namespace ridgepoint::engine::vllm
