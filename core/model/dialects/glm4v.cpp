#include "model/dialect.hpp"
#include "model/language_model.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::glm4v {
namespace {

constexpr std::string_view kArchitectures[] = {"Glm4vForConditionalGeneration",
                                               "Glm4vMoeForConditionalGeneration"};
constexpr std::string_view kModelTypes[] = {"glm4v", "glm4v_moe"};

/// Source: transformers Glm4vVisionModel. The blocks' feed-forward has the width of the output, and
/// `intermediate_size` is the merger's.
void add_vision(json::Fields& vision, ModelSpec& spec) {
  const Patches patches = read_patches(vision, 14, 336);
  const std::uint64_t frames = vision.whole_or({"temporal_patch_size"}, {1, 64}, 2);
  const std::uint64_t merge = vision.whole_or({"spatial_merge_size"}, {1, 64}, 2);
  const std::uint64_t outputs = vision.whole_or({"out_hidden_size"}, kHiddenRange, 4096);
  const std::uint64_t width = vision.whole_or({"intermediate_size"}, kWidthRange, 13696);
  Tower tower;
  tower.prefix = "visual.blocks.";
  tower.attention = "attn.";
  tower.hidden = vision.whole_or({"hidden_size"}, kHiddenRange, 1536);
  tower.layers = vision.whole_or({"depth"}, kLayersRange, 24);
  tower.width = outputs;
  tower.gated = true;
  tower.qkv_bias = vision.boolean_or({"attention_bias"}, false);
  tower.output_bias = tower.mlp_bias = false;
  tower.norms = 2;
  add_convolution(spec, Part::vision, "visual.patch_embed.proj", tower.hidden,
                  frames * patches.inputs, true);
  // Positions, a norm after the patches and one after the blocks.
  add_values(spec, Part::vision, "visual.embeddings", (patches.count + 2) * tower.hidden);
  add_tower(tower, spec);
  add_convolution(spec, Part::vision, "visual.downsample", outputs, merge * merge * tower.hidden,
                  true);
  add_linear(spec, Part::vision, "visual.merger.proj", outputs, outputs, false);
  add_values(spec, Part::vision, "visual.merger.post_projection_norm", 2 * outputs);
  add_linear(spec, Part::vision, "visual.merger.gate_up_proj", 2 * width, outputs, false);
  add_linear(spec, Part::vision, "visual.merger.down_proj", outputs, width, false);
}

void read(json::Fields& config, ModelSpec& spec) {
  const bool moe = spec.architecture.starts_with("Glm4vMoe") || spec.model_type == "glm4v_moe";
  read_inner_model(config, {"text_config"}, moe ? "glm4_moe" : "glm4", spec);
  read_with_part(config, "vision_config", "vision tower", add_vision, spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::glm4v
