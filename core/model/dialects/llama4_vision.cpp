#include "model/dialect.hpp"
#include "model/language_model.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::llama4_vision {
namespace {

constexpr std::string_view kArchitectures[] = {"Llama4ForConditionalGeneration"};
constexpr std::string_view kModelTypes[] = {"llama4"};

/// Source: transformers Llama4VisionModel, Llama4MultiModalProjector.
void add_vision(json::Fields& vision, ModelSpec& spec) {
  const Patches patches = read_patches(vision, 14, 448);
  Tower tower;
  tower.prefix = "vision_model.model.layers.";
  tower.output = "o_proj";
  read_tower_sizes(vision, {768, 34, 5632}, tower);
  const std::uint64_t hidden = tower.hidden;
  add_linear(spec, Part::vision, "vision_model.patch_embedding.linear", hidden, patches.inputs,
             false);
  // Class token, positions of the patches and it, a norm before and one after.
  add_values(spec, Part::vision, "vision_model.embeddings", (1 + patches.count + 1 + 4) * hidden);
  add_tower(tower, spec);
  // Neighbouring patches are shuffled into one of `intermediate_size` values.
  const std::uint64_t width = vision.whole_or({"projector_input_dim"}, kWidthRange, 4096);
  const std::uint64_t middle = vision.whole_or({"projector_output_dim"}, kWidthRange, 4096);
  const std::uint64_t outputs = vision.whole_or({"vision_output_dim"}, kWidthRange, 7680);
  add_linear(spec, Part::vision, "vision_model.vision_adapter.mlp.fc1", width, tower.width, false);
  add_linear(spec, Part::vision, "vision_model.vision_adapter.mlp.fc2", middle, width, false);
  add_linear(spec, Part::vision, "multi_modal_projector.linear_1", spec.hidden_size, outputs,
             false);
}

void read(json::Fields& config, ModelSpec& spec) {
  read_inner_model(config, {"text_config"}, "llama4_text", spec);
  read_with_part(config, "vision_config", "vision tower", add_vision, spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::llama4_vision
