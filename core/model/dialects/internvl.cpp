#include <cmath>

#include "model/dialect.hpp"
#include "model/language_model.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::internvl {
namespace {

constexpr std::string_view kArchitectures[] = {
    "InternVLChatModel", "InternVLForConditionalGeneration", "H2OVLChatModel"};
constexpr std::string_view kModelTypes[] = {"internvl_chat", "internvl", "h2ovl_chat"};

/// InternViT, a norm over shuffled patches, two linear layers. Sources: modeling_internvl_chat.py
/// of the checkpoints; transformers InternVLMultiModalProjector.
void read(json::Fields& config, ModelSpec& spec) {
  read_inner_model(config, {"llm_config", "text_config"}, "qwen2", spec);
  auto vision = config.object("vision_config");
  if (!vision) {
    leave_out(spec, "vision tower");
    return;
  }
  const std::uint64_t hidden = add_vision_encoder(*vision, "intern_vit_6b", spec);
  config.adopt(*vision);
  const double ratio = config.number({"downsample_ratio"}, 0.01, 1.0).value_or(0.5);
  const auto merged = static_cast<std::uint64_t>(std::lround(1.0 / ratio));
  const std::uint64_t inputs = hidden * merged * merged;
  add_values(spec, Part::vision, "mlp1.0", 2 * inputs);
  add_linear(spec, Part::vision, "mlp1.1", spec.hidden_size, inputs, true);
  add_linear(spec, Part::vision, "mlp1.3", spec.hidden_size, spec.hidden_size, true);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::internvl
