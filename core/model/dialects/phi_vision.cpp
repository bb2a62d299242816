#include "model/dialect.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::phi_vision {
namespace {

constexpr std::string_view kArchitectures[] = {"Phi3VForCausalLM", "Phi4MMForCausalLM"};
constexpr std::string_view kModelTypes[] = {"phi3_v", "phi4mm"};

/// CLIP-L/14 of 336 pixels, always. Source: modeling_phi3_v.py of the checkpoints.
void add_phi3_vision(ModelSpec& spec) {
  Tower clip;
  clip.prefix = "model.vision_embed_tokens.img_processor.vision_model.encoder.layers.";
  clip.layers = 24;
  clip.hidden = 1024;
  clip.width = 4096;
  add_convolution(spec, Part::vision, "patch_embedding", 1024, 3ULL * 14 * 14, false);
  add_values(spec, Part::vision, "embeddings", (1 + 577 + 4) * 1024ULL);
  add_tower(clip, spec);
  add_values(spec, Part::vision, "model.vision_embed_tokens.glb_GN", 2ULL * 4096);
  add_linear(spec, Part::vision, "model.vision_embed_tokens.img_projection.0", spec.hidden_size,
             4096, true);
  add_linear(spec, Part::vision, "model.vision_embed_tokens.img_projection.2", spec.hidden_size,
             spec.hidden_size, true);
}

void add_two(ModelSpec& spec, Part part, std::uint64_t inputs) {
  add_linear(spec, part, "model.embed_tokens_extend.projection.0", spec.hidden_size, inputs, true);
  add_linear(spec, part, "model.embed_tokens_extend.projection.2", spec.hidden_size,
             spec.hidden_size, true);
}

/// SigLIP-so400m of 448 pixels with its pooling head, always. Source: vision_siglip_navit.py of the
/// checkpoint.
void add_phi4_vision(ModelSpec& spec) {
  Tower siglip;
  siglip.prefix = "model.embed_tokens_extend.image_embed.img_processor.encoder.layers.";
  siglip.layers = 27;
  siglip.hidden = 1152;
  siglip.width = 4304;
  add_convolution(spec, Part::vision, "patch_embedding", 1152, 3ULL * 14 * 14, true);
  add_values(spec, Part::vision, "embeddings", (1024 + 2) * 1152ULL);
  add_tower(siglip, spec);
  add_siglip_head(1152, 4304, spec);
  add_values(spec, Part::vision, "model.embed_tokens_extend.image_embed.glb_GN", 2ULL * 1152);
  add_two(spec, Part::vision, 1152);
}

/// A conformer: two gated feed-forwards around attention and a convolution module; subsampling by
/// three strided convolutions; one projection for speech alone and one beside images. Source:
/// transformers Phi4MultimodalAudioModel.
void add_phi4_audio(json::Fields& audio, ModelSpec& spec) {
  Tower tower;
  tower.part = Part::audio;
  tower.prefix = "model.embed_tokens_extend.audio_embed.encoder.encoders.";
  tower.mlp = "feed_forward_in.";
  tower.hidden = audio.whole_or({"attention_dim"}, kHiddenRange, 1024);
  tower.layers = audio.whole_or({"num_blocks"}, kLayersRange, 24);
  tower.width = audio.whole_or({"linear_units"}, kWidthRange, 1536);
  tower.gated = true;
  const std::uint64_t hidden = tower.hidden;
  const std::uint64_t kernel = audio.whole_or({"kernel_size"}, {1, 1024}, 3);
  const std::uint64_t heads = audio.whole_or({"attention_heads"}, kHeadsRange, 16);
  const std::uint64_t inputs = audio.whole_or({"input_size"}, kWidthRange, 80);
  // Five norms with bias, the second feed-forward's biases, the convolution module's vectors.
  tower.norms = 10;
  tower.rest = 2 * tower.width + hidden + (4 + kernel + 3) * hidden;
  add_tower(tower, spec);
  const auto each = [&](std::string_view module, std::uint64_t rows, std::uint64_t cols) {
    Tensor tensor = matrix(Part::audio, Split::replicated, module, rows, cols);
    tensor.kind = precision::ModuleKind::vision;
    tensor.prefix = tower.prefix;
    tensor.layers = tower.layers;
    spec.extra.push_back(tensor);
  };
  each("feed_forward_out.net.0", 2 * tower.width, hidden);
  each("feed_forward_out.net.2", hidden, tower.width);
  each("conv.glu", 2 * hidden, hidden);
  each("conv.dw_sep_conv_1d", hidden, hidden);
  each("conv.ext_pw_conv_1d", hidden, hidden);
  std::uint64_t distance = 500;
  std::uint64_t channels = hidden;
  if (auto bias = audio.object("relative_attention_bias_args")) {
    distance = bias->whole_or({"t5_bias_max_distance"}, kLengthRange, distance);
    audio.adopt(*bias);
  }
  if (auto conv = audio.object("nemo_conv_settings")) {
    channels = conv->whole_or({"conv_channels"}, kWidthRange, channels);
    audio.adopt(*conv);
  }
  add_values(spec, Part::audio, "audio_embed.embed",
             10 * channels + 2 * (10 * channels + channels * channels + channels));
  add_linear(spec, Part::audio, "audio_embed.encoder.embed.out", hidden, channels * (inputs / 8),
             true);
  add_values(spec, Part::audio, "audio_embed.relative_attention_bias",
             2 * distance * heads + 2 * inputs);
  add_two(spec, Part::audio, hidden);
  add_two(spec, Part::audio, hidden);
}

void read(json::Fields& config, ModelSpec& spec) {
  read_by(*dialect_of_model_type("phi3"), config, spec);
  if (spec.architecture.starts_with("Phi3V") || spec.model_type == "phi3_v") {
    add_phi3_vision(spec);
    return;
  }
  add_phi4_vision(spec);
  auto processor = config.object("audio_processor");
  if (auto audio = processor ? processor->object("config") : std::nullopt) {
    add_phi4_audio(*audio, spec);
    config.adopt(*audio);
  } else {
    leave_out(spec, "audio tower");
  }
  spec.notes.emplace_back(
      "The two LoRA adapters that the checkpoint holds besides (830,472,192 parameters in the "
      "published model) are not counted: vLLM loads them as adapters.");
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::phi_vision
