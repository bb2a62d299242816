#include "model/dialect.hpp"
#include "model/language_model.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::kimi_vl {
namespace {

constexpr std::string_view kArchitectures[] = {
    "KimiVLForConditionalGeneration", "KimiK25ForConditionalGeneration",
    "KimiK3ForConditionalGeneration", "LocateAnythingForConditionalGeneration"};
constexpr std::string_view kModelTypes[] = {"kimi_vl", "kimi_k25", "kimi_k3", "locateanything"};

/// MoonViT. Source: modeling_kimi_vl.py of the checkpoints; the tables of time positions that K2.5
/// adds are computed.
std::uint64_t add_moonvit(json::Fields& vision, ModelSpec& spec) {
  Tower tower;
  tower.prefix = "vision_tower.encoder.blocks.";
  tower.attention = "";
  tower.hidden = vision.whole_or({"vt_hidden_size", "hidden_size"}, kHiddenRange, 1152);
  tower.layers = vision.whole_or({"vt_num_hidden_layers", "num_hidden_layers"}, kLayersRange, 27);
  tower.width = vision.whole_or({"vt_intermediate_size", "intermediate_size"}, kWidthRange, 4304);
  const Patches patches = read_patches(vision, 14, 14);
  const std::uint64_t rows = vision.whole_or({"init_pos_emb_height"}, {1, 1U << 16U}, 64);
  const std::uint64_t columns = vision.whole_or({"init_pos_emb_width"}, {1, 1U << 16U}, 64);
  add_convolution(spec, Part::vision, "vision_tower.patch_embed.proj", tower.hidden, patches.inputs,
                  true);
  add_convolution(spec, Part::vision, "vision_tower.patch_embed.pos_emb", tower.hidden,
                  rows * columns, false);
  add_tower(tower, spec);
  add_values(spec, Part::vision, "vision_tower.encoder.final_layernorm", 2 * tower.hidden);
  return tower.hidden;
}

/// Kimi-K2.5's list of what stays in 16 bits names neither tower nor projector, and both do.
void keep_vision(ModelSpec& spec) {
  for (Tensor& tensor : spec.extra) {
    if (tensor.part == Part::vision) {
      tensor.kind = precision::ModuleKind::convolution;
    }
  }
}

void add_vision(json::Fields& vision, ModelSpec& spec) {
  const std::uint64_t hidden = add_moonvit(vision, spec);
  add_values(spec, Part::vision, "multi_modal_projector.pre_norm", 2 * hidden);
  add_linear(spec, Part::vision, "multi_modal_projector.linear_1", 4 * hidden, 4 * hidden, true);
  add_linear(spec, Part::vision, "multi_modal_projector.linear_2", spec.hidden_size, 4 * hidden,
             true);
}

void add_locate(json::Fields& vision, ModelSpec& spec) {
  const std::uint64_t hidden = add_moonvit(vision, spec);
  add_values(spec, Part::vision, "mlp1.0", 8 * hidden);
  add_linear(spec, Part::vision, "mlp1.1", spec.hidden_size, 4 * hidden, true);
  add_linear(spec, Part::vision, "mlp1.3", spec.hidden_size, spec.hidden_size, true);
}

void read(json::Fields& config, ModelSpec& spec) {
  const bool k3 = spec.architecture.starts_with("KimiK3") || spec.model_type == "kimi_k3";
  const bool locate =
      spec.architecture.starts_with("Locate") || spec.model_type == "locateanything";
  read_inner_model(config, {"text_config"}, k3 ? "kimi_linear" : (locate ? "qwen2" : "deepseek_v3"),
                   spec);
  if (k3) {
    leave_out(spec, "vision tower and projector (under 1 billion parameters)");
  } else {
    read_with_part(config, "vision_config", "vision tower", locate ? add_locate : add_vision, spec);
    keep_vision(spec);
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::kimi_vl
