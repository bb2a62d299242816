#include "model/dialect.hpp"
#include "model/language_model.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::lfm2_vl {
namespace {

constexpr std::string_view kArchitectures[] = {"Lfm2VlForConditionalGeneration"};
constexpr std::string_view kModelTypes[] = {"lfm2_vl", "lfm2-vl"};

/// SigLIP 2 for images of any shape, whose table of positions is stretched. Source: transformers
/// Siglip2VisionConfig.
std::uint64_t add_siglip2(json::Fields& vision, ModelSpec& spec) {
  const Patches patches = read_patches(vision, 16, 16);
  Tower tower;
  tower.prefix = "model.vision_tower.vision_model.encoder.layers.";
  read_tower_sizes(vision, {768, 12, 3072}, tower);
  const std::uint64_t positions = vision.whole_or({"num_patches"}, {1, 1U << 24U}, 256);
  add_linear(spec, Part::vision, "model.vision_tower.vision_model.embeddings.patch_embedding",
             tower.hidden, patches.inputs, true);
  add_convolution(spec, Part::vision, "position_embedding", tower.hidden, positions, false);
  add_values(spec, Part::vision, "post_layernorm", 2 * tower.hidden);
  add_tower(tower, spec);
  if (vision.boolean_or({"vision_use_head"}, false)) {
    add_siglip_head(tower.hidden, tower.width, spec);
  }
  return tower.hidden;
}

/// Source: transformers Lfm2VlMultiModalProjector.
void read(json::Fields& config, ModelSpec& spec) {
  read_inner_model(config, {"text_config"}, "lfm2", spec);
  auto vision = config.object("vision_config");
  if (!vision) {
    leave_out(spec, "vision tower and projector");
    return;
  }
  const std::uint64_t hidden = add_siglip2(*vision, spec);
  config.adopt(*vision);
  const std::uint64_t factor = config.whole_or({"downsample_factor"}, {1, 64}, 2);
  const std::uint64_t inputs = hidden * factor * factor;
  const std::uint64_t width = config.whole_or({"projector_hidden_size"}, kWidthRange, 2560);
  const bool bias = config.boolean_or({"projector_bias"}, true);
  if (config.boolean_or({"projector_use_layernorm"}, true)) {
    add_values(spec, Part::vision, "model.multi_modal_projector.layer_norm", 2 * inputs);
  }
  add_linear(spec, Part::vision, "model.multi_modal_projector.linear_1", width, inputs, bias);
  add_linear(spec, Part::vision, "model.multi_modal_projector.linear_2", spec.hidden_size, width,
             bias);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::lfm2_vl
