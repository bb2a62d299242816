#include "model/dialect.hpp"
#include "model/language_model.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::gemma_vision {
namespace {

constexpr std::string_view kArchitectures[] = {
    "Gemma3ForConditionalGeneration",
    "PaliGemmaForConditionalGeneration",
    "Gemma3nForConditionalGeneration",
    "Gemma4ForConditionalGeneration",
};
constexpr std::string_view kModelTypes[] = {"gemma3", "paligemma", "gemma3n", "gemma4"};

/// SigLIP without its pooling head, whatever the config's class would fill in: transformers'
/// Gemma 3 and PaliGemma configs say so.
void add_gemma3_vision(json::Fields& vision, ModelSpec& spec) {
  const std::uint64_t hidden =
      add_siglip(vision, vision.boolean_or({"vision_use_head"}, false), spec);
  add_linear(spec, Part::vision, "multi_modal_projector.mm_input_projection", spec.hidden_size,
             hidden, false);
  add_values(spec, Part::vision, "multi_modal_projector.mm_soft_emb_norm", hidden);
}

void add_paligemma_vision(json::Fields& vision, ModelSpec& spec) {
  const std::uint64_t hidden =
      add_siglip(vision, vision.boolean_or({"vision_use_head"}, false), spec);
  add_linear(spec, Part::vision, "multi_modal_projector.linear", spec.hidden_size, hidden, true);
}

/// Source: transformers Gemma4VisionModel. The two vectors of `standardize` are buffers and not
/// among the parameters.
void add_gemma4_vision(json::Fields& vision, ModelSpec& spec) {
  Tower tower;
  tower.prefix = "model.vision_tower.encoder.layers.";
  read_tower_sizes(vision, {768, 16, 3072}, tower);
  const std::uint64_t patch = vision.whole_or({"patch_size"}, {1, 1024}, 16);
  const std::uint64_t positions = vision.whole_or({"position_embedding_size"}, kLengthRange, 10240);
  const std::uint64_t heads = vision.whole_or({"num_attention_heads"}, kHeadsRange, 12);
  const std::uint64_t kv_heads = vision.whole_or({"num_key_value_heads"}, kHeadsRange, heads);
  const std::uint64_t head_dim = vision.whole_or({"head_dim"}, kHeadDimRange, 64);
  tower.attention_width = heads * head_dim;
  tower.key_value_width = kv_heads * head_dim;
  tower.gated = true;
  tower.qkv_bias = tower.output_bias = vision.boolean_or({"attention_bias"}, false);
  tower.mlp_bias = false;
  tower.rest = 2 * head_dim;
  add_linear(spec, Part::vision, "model.vision_tower.patch_embedder.input_proj", tower.hidden,
             3 * patch * patch, false);
  add_convolution(spec, Part::vision, "position_embedding_table", tower.hidden, 2 * positions,
                  false);
  add_tower(tower, spec);
  add_linear(spec, Part::vision, "model.embed_vision.embedding_projection", spec.hidden_size,
             tower.hidden, false);
}

/// A conformer: two feed-forwards around attention with relative positions and a light
/// convolution. Source: transformers Gemma4AudioModel. The clipping bounds are buffers.
void add_gemma4_audio(json::Fields& audio, ModelSpec& spec) {
  Tower tower;
  tower.part = Part::audio;
  tower.prefix = "model.audio_tower.layers.";
  tower.attention = "self_attn.";
  tower.mlp = "feed_forward1.";
  tower.hidden = audio.whole_or({"hidden_size"}, kHiddenRange, 1024);
  tower.layers = audio.whole_or({"num_hidden_layers"}, kLayersRange, 12);
  const std::uint64_t hidden = tower.hidden;
  const std::uint64_t heads = audio.whole_or({"num_attention_heads"}, kHeadsRange, 8);
  const std::uint64_t kernel = audio.whole_or({"conv_kernel_size"}, {1, 1024}, 5);
  const std::uint64_t outputs = audio.whole_or({"output_proj_dims"}, kHiddenRange, 1536);
  tower.width = 4 * hidden;
  tower.qkv_bias = tower.output_bias = tower.mlp_bias = false;
  tower.norms = 9;
  tower.rest = hidden / heads + kernel * hidden;
  add_tower(tower, spec);
  const auto each = [&](std::string_view module, std::uint64_t rows, std::uint64_t cols) {
    Tensor tensor = matrix(Part::audio, Split::replicated, module, rows, cols);
    tensor.prefix = tower.prefix;
    tensor.layers = tower.layers;
    spec.extra.push_back(tensor);
  };
  each("feed_forward2.ffw_layer_1", tower.width, hidden);
  each("feed_forward2.ffw_layer_2", hidden, tower.width);
  each("self_attn.relative_k_proj", hidden, hidden);
  each("lconv1d.linear_start", 2 * hidden, hidden);
  each("lconv1d.linear_end", hidden, hidden);
  std::uint64_t first = 128;
  std::uint64_t second = 32;
  if (const auto channels = read_per_layer(audio, "subsampling_conv_channels", 2, kWidthRange);
      channels.size() == 2) {
    first = channels[0];
    second = channels[1];
  }
  add_values(spec, Part::audio, "subsample_conv_projection",
             9 * first + first + 9 * first * second + second);
  add_linear(spec, Part::audio, "model.audio_tower.subsample_conv_projection.input_proj_linear",
             hidden, first / 4 * second, false);
  add_linear(spec, Part::audio, "model.audio_tower.output_proj", outputs, hidden, true);
  add_linear(spec, Part::audio, "model.embed_audio.embedding_projection", spec.hidden_size, outputs,
             false);
}

void read(json::Fields& config, ModelSpec& spec) {
  const std::string_view name =
      spec.architecture.empty() ? std::string_view(spec.model_type) : spec.architecture;
  if (name.starts_with("PaliGemma") || name == "paligemma") {
    read_inner_model(config, {"text_config"}, "gemma", spec);
    read_with_part(config, "vision_config", "vision tower", add_paligemma_vision, spec);
  } else if (name.starts_with("Gemma3n") || name == "gemma3n") {
    read_inner_model(config, {"text_config"}, "gemma3n_text", spec);
    leave_out(spec, "vision and audio encoders");
  } else if (name.starts_with("Gemma4") || name == "gemma4") {
    read_inner_model(config, {"text_config"}, "gemma4_text", spec);
    read_with_part(config, "vision_config", "vision tower", add_gemma4_vision, spec);
    if (config.has("audio_config")) {
      read_with_part(config, "audio_config", "audio tower", add_gemma4_audio, spec);
    }
  } else {
    read_inner_model(config, {"text_config"}, "gemma3_text", spec);
    read_with_part(config, "vision_config", "vision tower", add_gemma3_vision, spec);
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::gemma_vision
