#include <nlohmann/json.hpp>

#include "model/dialect.hpp"
#include "model/language_model.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::mllama {
namespace {

constexpr std::string_view kArchitectures[] = {"MllamaForConditionalGeneration",
                                               "MllamaForCausalLM"};
constexpr std::string_view kModelTypes[] = {"mllama", "mllama_text_model"};

/// Llama 3.2 Vision's tower: local layers, global layers with two gates, and tables of positions
/// for each arrangement of tiles. Source: transformers MllamaVisionModel.
void add_vision(json::Fields& vision, ModelSpec& spec) {
  const Patches patches = read_patches(vision, 14, 448);
  const std::uint64_t tiles = vision.whole_or({"max_num_tiles"}, {1, 64}, 4);
  const json::Value* ratios = vision.array("supported_aspect_ratios");
  const std::uint64_t arrangements = 1 + (ratios == nullptr ? 8 : ratios->size());
  Tower tower;
  tower.prefix = "vision_model.transformer.layers.";
  read_tower_sizes(vision, {1280, 32, 5120}, tower);
  tower.qkv_bias = tower.output_bias = false;
  Tower global = tower;
  global.prefix = "vision_model.global_transformer.layers.";
  global.layers = vision.whole_or({"num_global_layers"}, {0, kLayersRange.most}, 8);
  global.rest = 2;
  const std::uint64_t hidden = tower.hidden;
  const std::uint64_t tokens = patches.count + 1;
  add_convolution(spec, Part::vision, "vision_model.patch_embedding", hidden, patches.inputs,
                  false);
  add_values(spec, Part::vision, "vision_model.class_embedding", hidden);
  add_convolution(spec, Part::vision, "vision_model.gated_positional_embedding", hidden,
                  tokens + arrangements * tiles * tokens, false);
  add_values(spec, Part::vision, "vision_model.tile_positional_embedding",
             2 * arrangements * tiles * hidden + 3);
  add_values(spec, Part::vision, "vision_model.layernorm", 4 * hidden);
  add_tower(tower, spec);
  add_tower(global, spec);
  const std::uint64_t outputs = vision.whole_or({"vision_output_dim"}, kWidthRange, 7680);
  add_linear(spec, Part::vision, "multi_modal_projector", spec.hidden_size, outputs, true);
  // One image of all its tiles.
  spec.encoder_tokens = tiles * tokens;
  if (spec.encoder_tokens > (1U << 20U)) {
    vision.fail("bad_value", "image_size",
                "image_size and patch_size make over a million patches.");
  }
}

void read_text(json::Fields& text, ModelSpec& spec) {
  read_by(*dialect_of_model_type("llama"), text, spec);
  const auto cross = read_layer_set(text, "cross_attention_layers", spec.layers.size());
  for (std::size_t i = 0; i < cross.size(); ++i) {
    Layer& layer = spec.layers[i];
    if (cross[i]) {
      layer.cross = layer.attention;
      layer.cross.kind = AttentionKind::cross;
      layer.cross.qk_norm = QkNorm::per_head;
      layer.attention = Attention{};
      layer.extra.push_back(values(Part::attention, "cross_attn_gates", 2));
    }
  }
  // The table has eight rows more than the head: the image token is among them.
  add_values(spec, Part::embedding, "model.embed_tokens", 8 * spec.hidden_size);
}

void read(json::Fields& config, ModelSpec& spec) {
  // What is no object is the language model itself: never this reader again.
  if (const json::Value* text = config.find("text_config"); text == nullptr || !text->is_object()) {
    read_text(config, spec);
    return;
  }
  read_inner_model(config, {"text_config"}, "mllama_text_model", spec);
  read_with_part(config, "vision_config", "vision tower", add_vision, spec);
  spec.notes.emplace_back(
      "Cross-attention layers read the image, whose keys and values take the same memory however "
      "long the text grows.");
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::mllama
