#include "model/dialect.hpp"
#include "model/language_model.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::idefics {
namespace {

constexpr std::string_view kArchitectures[] = {
    "Idefics2ForConditionalGeneration", "Idefics3ForConditionalGeneration",
    "SmolVLMForConditionalGeneration", "AriaForConditionalGeneration"};
constexpr std::string_view kModelTypes[] = {"idefics2", "idefics3", "smolvlm", "aria"};

/// SigLIP without its pooling head. Sources: transformers Idefics2VisionConfig,
/// Idefics3VisionConfig, SmolVLMVisionConfig.
std::uint64_t add_vision(json::Fields& config, ModelSpec& spec) {
  auto vision = config.object("vision_config");
  if (!vision) {
    leave_out(spec, "vision tower and projector");
    return 0;
  }
  const std::uint64_t hidden = add_siglip(*vision, false, spec);
  config.adopt(*vision);
  return hidden;
}

/// A gated projection, then a resampler that reads the patches with 64 learned queries. Source:
/// transformers Idefics2Connector.
void add_perceiver(json::Fields& config, std::uint64_t vision, std::uint64_t width,
                   ModelSpec& spec) {
  std::uint64_t latents = 64;
  std::uint64_t depth = 3;
  std::uint64_t heads = 16;
  std::uint64_t head_dim = 96;
  std::uint64_t kv_heads = 4;
  if (auto perceiver = config.object("perceiver_config")) {
    latents = perceiver->whole_or({"resampler_n_latents"}, kLengthRange, latents);
    depth = perceiver->whole_or({"resampler_depth"}, kLayersRange, depth);
    heads = perceiver->whole_or({"resampler_n_heads"}, kHeadsRange, heads);
    head_dim = perceiver->whole_or({"resampler_head_dim"}, kHeadDimRange, head_dim);
    kv_heads = perceiver->whole_or({"num_key_value_heads"}, kHeadsRange, kv_heads);
    config.adopt(*perceiver);
  }
  const std::uint64_t hidden = spec.hidden_size;
  add_linear(spec, Part::vision, "model.connector.modality_projection.gate_up", 2 * width, vision,
             false);
  add_linear(spec, Part::vision, "model.connector.modality_projection.down_proj", hidden, width,
             false);
  add_values(spec, Part::vision, "model.connector.perceiver_resampler.latents",
             (latents + 1) * hidden);
  Tower resampler;
  resampler.prefix = "model.connector.perceiver_resampler.layers.";
  resampler.layers = depth;
  resampler.hidden = hidden;
  resampler.width = 4 * hidden;
  resampler.attention_width = heads * head_dim;
  resampler.key_value_width = kv_heads * head_dim;
  resampler.gated = true;
  resampler.qkv_bias = resampler.output_bias = resampler.mlp_bias = false;
  resampler.norms = 3;
  add_tower(resampler, spec);
}

/// Learned queries that attend to the patches. Source: transformers AriaProjector.
void add_aria(json::Fields& config, std::uint64_t vision, ModelSpec& spec) {
  const std::uint64_t queries =
      config.whole_or({"max_value_projector_patch_to_query_dict"}, kLengthRange, 256);
  add_values(spec, Part::vision, "multi_modal_projector.query", queries * vision);
  add_linear(spec, Part::vision, "multi_modal_projector.cross_attn.qkv_proj", 3 * vision, vision,
             false);
  add_linear(spec, Part::vision, "multi_modal_projector.cross_attn.multihead_attn.in_proj",
             3 * vision, vision, true);
  add_linear(spec, Part::vision, "multi_modal_projector.cross_attn.multihead_attn.out_proj", vision,
             vision, true);
  add_linear(spec, Part::vision, "multi_modal_projector.cross_attn.linear", vision, vision, true);
  add_values(spec, Part::vision, "multi_modal_projector.layer_norm", 6 * vision);
  add_linear(spec, Part::vision, "multi_modal_projector.feed_forward.linear_in", spec.hidden_size,
             vision, false);
  add_linear(spec, Part::vision, "multi_modal_projector.feed_forward.linear_out", spec.hidden_size,
             spec.hidden_size, false);
}

void read(json::Fields& config, ModelSpec& spec) {
  const std::string_view name =
      spec.architecture.empty() ? std::string_view(spec.model_type) : spec.architecture;
  const bool aria = name.starts_with("Aria") || name == "aria";
  const bool second = name.starts_with("Idefics2") || name == "idefics2";
  read_inner_model(config, {"text_config"}, aria ? "aria_text" : (second ? "mistral" : "llama"),
                   spec);
  const std::uint64_t hidden = add_vision(config, spec);
  if (hidden == 0 || spec.layers.empty()) {
    return;
  }
  if (aria) {
    add_aria(config, hidden, spec);
  } else if (second) {
    add_perceiver(config, hidden, spec.layers.front().feed_forward.intermediate_size, spec);
  } else {
    const std::uint64_t scale = config.whole_or({"scale_factor"}, {1, 64}, 2);
    add_linear(spec, Part::vision, "model.connector.modality_projection.proj", spec.hidden_size,
               hidden * scale * scale, false);
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::idefics
