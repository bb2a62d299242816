#include <nlohmann/json.hpp>

#include "model/dialect.hpp"
#include "model/language_model.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::llava_original {
namespace {

/// LLaVA's own code, whose config is the language model's with keys of the tower added.
constexpr std::string_view kArchitectures[] = {"LlavaLlamaForCausalLM", "LlavaMistralForCausalLM",
                                               "LlavaQwenForCausalLM"};
constexpr std::string_view kModelTypes[] = {"llava_llama", "llava_mistral", "llava_qwen"};

/// Towers that checkpoints name by their repositories.
struct Named {
  std::string_view part;
  std::string_view config;
};
constexpr Named kTowers[] = {
    {"clip-vit-large-patch14-336",
     R"({"hidden_size":1024,"num_hidden_layers":24,"intermediate_size":4096,"image_size":336,)"
     R"("patch_size":14,"model_type":"clip_vision_model"})"},
    {"clip-vit-large-patch14",
     R"({"hidden_size":1024,"num_hidden_layers":24,"intermediate_size":4096,"image_size":224,)"
     R"("patch_size":14,"model_type":"clip_vision_model"})"},
};

void read(json::Fields& config, ModelSpec& spec) {
  const bool qwen = spec.architecture.starts_with("LlavaQwen") || spec.model_type == "llava_qwen";
  // The whole config is the language model's, whatever model_type says.
  read_by(*dialect_of_model_type(qwen ? "qwen2" : "llama"), config, spec);
  const std::string_view tower = config.text({"mm_vision_tower", "vision_tower"}).value_or("");
  const std::string_view type = config.text({"mm_projector_type"}).value_or("linear");
  for (const Named& named : kTowers) {
    if (tower.find(named.part) == std::string_view::npos) {
      continue;
    }
    auto parsed = json::parse(named.config, "");
    if (!parsed || (type != "mlp2x_gelu" && type != "linear")) {
      break;
    }
    json::Fields vision(parsed.value(), "");
    const std::uint64_t hidden = add_vision_encoder(vision, "clip_vision_model", spec);
    if (type == "linear") {
      add_linear(spec, Part::vision, "model.mm_projector", spec.hidden_size, hidden, true);
    } else {
      add_projector(spec, Part::vision, spec.hidden_size, hidden, true);
    }
    // Only images cut into tiles have lines that end in a learned vector.
    if (config.text({"mm_patch_merge_type"}).value_or("flat").find("unpad") !=
        std::string_view::npos) {
      add_values(spec, Part::vision, "model.image_newline", spec.hidden_size);
    }
    return;
  }
  leave_out(spec, "vision tower and projector");
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::llava_original
