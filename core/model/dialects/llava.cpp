#include <nlohmann/json.hpp>

#include "model/dialect.hpp"
#include "model/language_model.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::llava {
namespace {

constexpr std::string_view kArchitectures[] = {
    "LlavaForConditionalGeneration",          "LlavaNextForConditionalGeneration",
    "LlavaNextVideoForConditionalGeneration", "LlavaOnevisionForConditionalGeneration",
    "BakLlavaForConditionalGeneration",       "Mistral3ForConditionalGeneration",
    "PixtralForConditionalGeneration",        "AyaVisionForConditionalGeneration",
    "Cohere2VisionForConditionalGeneration",  "LightOnOCRForConditionalGeneration",
    "LightOnOcrForConditionalGeneration",
};
constexpr std::string_view kModelTypes[] = {
    "llava",    "llava_next", "llava_next_video", "llava_onevision",
    "mistral3", "aya_vision", "cohere2_vision",   "lighton_ocr",
};

/// Sources: transformers LlavaMultiModalProjector and its relatives; the row that LLaVA-NeXT and
/// OneVision append to each line of an image is one vector.
void read_llava(json::Fields& config, std::string_view name, ModelSpec& spec) {
  auto vision = config.object("vision_config");
  if (!vision) {
    leave_out(spec, "vision tower");
    return;
  }
  std::uint64_t hidden = add_vision_encoder(*vision, "clip_vision_model", spec);
  config.adopt(*vision);
  // A list of layers, whose features lie side by side (Granite Vision).
  if (const json::Value* taps = config.find("vision_feature_layer");
      taps != nullptr && taps->is_array() && !taps->empty() && taps->size() < kLayersRange.most) {
    hidden *= taps->size();
  }
  const bool bias = config.boolean_or({"multimodal_projector_bias"}, true);
  add_projector(spec, Part::vision, spec.hidden_size, hidden, bias);
  if (name.starts_with("LlavaNext") || name.starts_with("LlavaOnevision") ||
      name.starts_with("llava_next") || name.starts_with("llava_onevision")) {
    add_values(spec, Part::vision, "image_newline", spec.hidden_size);
  }
}

/// Pixtral's tower and a projector that merges neighbouring patches first. Source: transformers
/// Mistral3MultiModalProjector.
void read_mistral3(json::Fields& config, ModelSpec& spec) {
  auto vision = config.object("vision_config");
  if (!vision) {
    leave_out(spec, "vision tower");
    return;
  }
  const std::uint64_t hidden = add_vision_encoder(*vision, "pixtral", spec);
  config.adopt(*vision);
  const std::uint64_t merge = config.whole_or({"spatial_merge_size"}, {1, 64}, 2);
  add_values(spec, Part::vision, "multi_modal_projector.norm", hidden);
  add_linear(spec, Part::vision, "multi_modal_projector.patch_merger.merging_layer", hidden,
             merge * merge * hidden, false);
  add_projector(spec, Part::vision, spec.hidden_size, hidden,
                config.boolean_or({"multimodal_projector_bias"}, false));
}

/// SigLIP without its pooling head and a gated projector over shuffled patches. Sources:
/// transformers AyaVisionMultiModalProjector, Cohere2VisionMultiModalProjector.
void read_cohere(json::Fields& config, bool norm, ModelSpec& spec) {
  auto vision = config.object("vision_config");
  if (!vision) {
    leave_out(spec, "vision tower");
    return;
  }
  const std::uint64_t hidden =
      add_siglip(*vision, vision->boolean_or({"vision_use_head"}, false), spec);
  config.adopt(*vision);
  const std::uint64_t factor = config.whole_or({"downsample_factor"}, {1, 64}, 2);
  const std::uint64_t inputs = hidden * factor * factor;
  const std::uint64_t width = config.whole_or({"alignment_intermediate_size"}, kWidthRange,
                                              norm ? spec.hidden_size : 36864);
  if (norm) {
    add_values(spec, Part::vision, "multi_modal_projector.layernorm", 2 * inputs);
  }
  add_linear(spec, Part::vision, "multi_modal_projector.linear_1", width, inputs, true);
  add_linear(spec, Part::vision, "multi_modal_projector.linear_2", spec.hidden_size, width / 2,
             true);
}

void read(json::Fields& config, ModelSpec& spec) {
  const std::string_view name =
      spec.architecture.empty() ? std::string_view(spec.model_type) : spec.architecture;
  if (name.starts_with("AyaVision") || name == "aya_vision" || name.starts_with("Cohere2Vision") ||
      name == "cohere2_vision") {
    read_inner_model(config, {"text_config"}, "cohere2", spec);
    read_cohere(config, name.starts_with("Aya") || name.starts_with("aya"), spec);
    return;
  }
  const bool light = name.starts_with("LightOn") || name == "lighton_ocr";
  const bool merges = light || name.starts_with("Mistral3") || name == "mistral3";
  std::string_view fallback = light ? "qwen3" : "llama";
  if (!light && (merges || name.starts_with("Pixtral"))) {
    fallback = "mistral";
  }
  read_inner_model(config, {"text_config"}, fallback, spec);
  if (merges) {
    read_mistral3(config, spec);
  } else {
    read_llava(config, name, spec);
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::llava
