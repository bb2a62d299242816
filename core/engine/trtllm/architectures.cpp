#include "engine/trtllm/architectures.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "engine/trtllm/version.hpp"
#include "json/fields.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::trtllm {
namespace {

struct Listed {
  std::string_view architecture;
  std::uint32_t since;
};

constexpr Listed kListed[] = {
    {"LlamaForCausalLM", 17},
    {"MistralForCausalLM", 17},
    {"MixtralForCausalLM", 17},
    {"MllamaForConditionalGeneration", 17},
    {"NemotronForCausalLM", 17},
    {"NemotronNASForCausalLM", 17},
    {"DeciLMForCausalLM", 17},
    {"LlavaNextForConditionalGeneration", 17},
    {"Qwen2ForCausalLM", 17},
    {"Qwen2VLForConditionalGeneration", 17},
    {"Qwen2ForProcessRewardModel", 17},
    {"Qwen2ForRewardModel", 17},
    {"DeepseekV3ForCausalLM", 18},
    {"Llama4ForConditionalGeneration", 19},
    {"Qwen2_5_VLForConditionalGeneration", 19},
    {"Gemma3ForCausalLM", 20},
    {"Gemma3ForConditionalGeneration", 20},
    {"Mistral3ForConditionalGeneration", 20},
    {"Qwen3ForCausalLM", 20},
    {"Qwen3MoeForCausalLM", 20},
    {"NemotronHForCausalLM", 20},
    {"Exaone4ForCausalLM", 1000},
    {"Phi3ForCausalLM", 1000},
    {"Phi4MMForCausalLM", 1000},
    {"HCXVisionForCausalLM", 1000},
    {"GptOssForCausalLM", 1001},
    {"Glm4MoeForCausalLM", 1001},
    {"SeedOssForCausalLM", 1001},
    {"DeepseekV32ForCausalLM", 1002},
    {"ExaoneMoEForCausalLM", 1002},
    {"MiniMaxM2ForCausalLM", 1002},
    {"Qwen3NextForCausalLM", 1002},
    {"Qwen3VLForConditionalGeneration", 1002},
    {"Qwen3VLMoeForConditionalGeneration", 1002},
    {"Starcoder2ForCausalLM", 1002},
    {"AfmoeForCausalLM", 1003},
    {"Cohere2ForCausalLM", 1003},
    {"DeepseekV2ForCausalLM", 1003},
    {"ExaoneForCausalLM", 1003},
    {"Gemma3nForConditionalGeneration", 1003},
    {"Gemma4ForConditionalGeneration", 1003},
    {"Glm4MoeLiteForCausalLM", 1003},
    {"GlmMoeDsaForCausalLM", 1003},
    {"GraniteForCausalLM", 1003},
    {"GraniteMoeHybridForCausalLM", 1003},
    {"KimiK25ForConditionalGeneration", 1003},
    {"Qwen3_5ForConditionalGeneration", 1003},
    {"Qwen3_5MoeForConditionalGeneration", 1003},
};

}  // namespace

std::string not_listed(const std::string& architecture, std::uint32_t version) {
  const auto* found = std::find_if(std::begin(kListed), std::end(kListed), [&](const Listed& each) {
    return each.architecture == architecture;
  });
  if (found != std::end(kListed) && found->since <= version) {
    return {};
  }
  const std::string name = json::excerpt(architecture, 60);
  if (found != std::end(kListed)) {
    return worded({name, " came to the documented list of PyTorch models with ",
                   version_text(found->since), "; ", version_text(version),
                   " may refuse it, whatever the memory."});
  }
  return worded(
      {name,
       " is not in the documented list of PyTorch models; the engine may refuse it, whatever the "
       "memory."});
}

}  // namespace ridgepoint::engine::trtllm
