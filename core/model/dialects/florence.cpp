#include <array>

#include "model/dialect.hpp"
#include "model/language_model.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::florence {
namespace {

constexpr std::string_view kArchitectures[] = {"Florence2ForConditionalGeneration"};
constexpr std::string_view kModelTypes[] = {"florence2"};
constexpr std::size_t kStages = 4;

/// One number a stage, or what the class fills in.
std::array<std::uint64_t, kStages> stages(json::Fields& vision, std::string_view key,
                                          std::array<std::uint64_t, kStages> numbers,
                                          json::Range range) {
  const auto given = read_per_layer(vision, key, kStages, range);
  for (std::size_t i = 0; i < given.size(); ++i) {
    numbers[i] = given[i];
  }
  return numbers;
}

/// DaViT: each stage halves the image and has blocks of windows and of channels in turn, each with
/// two convolutions of its own. Source: transformers Florence2VisionBackbone.
void add_vision(json::Fields& vision, ModelSpec& spec) {
  const std::string_view widths = vision.has("embed_dim") ? "embed_dim" : "dim_embed";
  const auto hidden = stages(vision, widths, {128, 256, 512, 1024}, kHiddenRange);
  const auto depth = stages(vision, "depths", {1, 1, 9, 1}, {1, 500});
  const auto kernel = stages(vision, "patch_size", {7, 3, 3, 3}, {1, 1024});
  std::uint64_t inputs = 3;
  for (std::size_t i = 0; i < kStages; ++i) {
    const std::uint64_t width = hidden[i];
    add_convolution(spec, Part::vision, "vision_tower.convs", width, inputs * kernel[i] * kernel[i],
                    true);
    add_values(spec, Part::vision, "vision_tower.convs.norm", 2 * (i == 0 ? width : inputs));
    Tower tower;
    tower.prefix = "vision_tower.blocks.";
    tower.layers = 2 * depth[i];
    tower.hidden = width;
    tower.width = 4 * width;
    tower.rest = 20 * width;  // two convolutions of three by three, each channel its own
    add_tower(tower, spec);
    inputs = width;
  }
  const std::uint64_t outputs = vision.whole_or({"projection_dim"}, kHiddenRange, spec.hidden_size);
  std::uint64_t rows = 50;
  if (auto table = vision.object("image_pos_embed")) {
    rows = table->whole_or({"max_pos_embeddings"}, {1, 1U << 20U}, rows);
    vision.adopt(*table);
  }
  add_linear(spec, Part::vision, "image_projection", outputs, inputs, false);
  // The projection's norm; rows and columns of half the width each; a table of 100 frames.
  add_values(spec, Part::vision, "image_proj_norm", 2 * outputs + (rows + 100) * inputs);
}

void read(json::Fields& config, ModelSpec& spec) {
  read_inner_model(config, {"text_config"}, "bart", spec);
  read_with_part(config, "vision_config", "vision tower", add_vision, spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::florence
