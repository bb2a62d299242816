#include <nlohmann/json.hpp>

#include "model/dialect.hpp"
#include "model/language_model.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::qwen_vl {
namespace {

constexpr std::string_view kArchitectures[] = {
    "Qwen2VLForConditionalGeneration",      "Qwen2_5_VLForConditionalGeneration",
    "Qwen3VLForConditionalGeneration",      "Qwen3VLMoeForConditionalGeneration",
    "Qwen3_5ForConditionalGeneration",      "Qwen3_5MoeForConditionalGeneration",
    "Qwen2AudioForConditionalGeneration",   "Qwen2_5OmniModel",
    "Qwen2_5OmniForConditionalGeneration",  "Qwen2_5OmniThinkerForConditionalGeneration",
    "Qwen3OmniMoeForConditionalGeneration", "Qwen3OmniMoeThinkerForConditionalGeneration",
    "Qwen2_5_VLForSequenceClassification",
};
constexpr std::string_view kModelTypes[] = {
    "qwen2_vl",
    "qwen2_5_vl",
    "qwen3_vl",
    "qwen3_vl_moe",
    "qwen3_5",
    "qwen3_5_moe",
    "qwen2_audio",
    "qwen2_5_omni",
    "qwen2_5_omni_thinker",
    "qwen3_omni_moe",
    "qwen3_omni_moe_thinker",
};

/// Sources: transformers Qwen2VLVisionConfig, Qwen2_5_VLVisionConfig, Qwen3VLVisionConfig and the
/// modules they configure; vLLM 0.28 models/qwen2_vl.py, qwen2_5_vl.py, qwen3_vl.py.
enum class Generation : std::uint8_t { two, two_and_half, three };

struct Merger {
  std::uint64_t inputs;  ///< hidden x merged patches
  std::uint64_t outputs;
};

void add_merger(const Merger& merger, std::uint64_t norm, ModelSpec& spec) {
  add_values(spec, Part::vision, "visual.merger.ln_q", norm);
  add_linear(spec, Part::vision, "visual.merger.mlp.0", merger.inputs, merger.inputs, true);
  add_linear(spec, Part::vision, "visual.merger.mlp.2", merger.outputs, merger.inputs, true);
}

void add_vision(json::Fields& vision, Generation generation, ModelSpec& spec) {
  Tower tower;
  tower.prefix = "visual.blocks.";
  tower.attention = "attn.";
  const std::uint64_t patch = vision.whole_or({"patch_size", "spatial_patch_size"}, {1, 1024},
                                              generation == Generation::three ? 16 : 14);
  const std::uint64_t frames = vision.whole_or({"temporal_patch_size"}, {1, 64}, 2);
  const std::uint64_t channels = vision.whole_or({"in_channels", "in_chans"}, {1, 64}, 3);
  const std::uint64_t merge = vision.whole_or({"spatial_merge_size"}, {1, 64}, 2);
  std::uint64_t outputs = spec.hidden_size;
  if (generation == Generation::two) {
    tower.hidden = vision.whole_or({"embed_dim"}, kHiddenRange, 1280);
    tower.layers = vision.whole_or({"depth"}, kLayersRange, 32);
    tower.width = tower.hidden * vision.whole_or({"mlp_ratio"}, {1, 64}, 4);
    outputs = vision.whole_or({"hidden_size"}, kHiddenRange, outputs);
  } else if (generation == Generation::two_and_half) {
    read_tower_sizes(vision, {1280, 32, 3420}, tower);
    tower.gated = true;
    tower.norms = 2;
    outputs = vision.whole_or({"out_hidden_size"}, kHiddenRange, outputs);
  } else {
    read_tower_sizes(vision, {1152, 27, 4304}, tower);
    outputs = vision.whole_or({"out_hidden_size"}, kHiddenRange, outputs);
  }
  const bool third = generation == Generation::three;
  add_convolution(spec, Part::vision, "visual.patch_embed.proj", tower.hidden,
                  channels * frames * patch * patch, third);
  if (third) {
    const std::uint64_t positions =
        vision.whole_or({"num_position_embeddings"}, kLengthRange, 2304);
    add_convolution(spec, Part::vision, "visual.pos_embed", tower.hidden, positions, false);
  }
  add_tower(tower, spec);
  const Merger merger = {tower.hidden * merge * merge, outputs};
  add_merger(merger, tower.norms / 2 * tower.hidden, spec);
  // Each layer that deepstack taps has a merger of its own, with its norm over the merged patches.
  if (const json::Value* taps = vision.array("deepstack_visual_indexes");
      third && taps != nullptr) {
    const std::uint64_t count = taps->size() < tower.layers ? taps->size() : tower.layers;
    for (std::uint64_t i = 0; i < count; ++i) {
      add_merger(merger, 2 * merger.inputs, spec);
    }
  }
}

void add_second(json::Fields& vision, ModelSpec& spec) {
  add_vision(vision, Generation::two, spec);
}
void add_second_half(json::Fields& vision, ModelSpec& spec) {
  add_vision(vision, Generation::two_and_half, spec);
}
void add_third(json::Fields& vision, ModelSpec& spec) {
  add_vision(vision, Generation::three, spec);
}

/// Whisper's encoder, whose position table the checkpoint stores, and one linear layer.
void add_qwen2_audio(json::Fields& audio, ModelSpec& spec) {
  const std::uint64_t hidden =
      add_whisper_encoder(audio, Part::audio, "audio_tower.layers.", true, spec);
  add_linear(spec, Part::audio, "multi_modal_projector.linear", spec.hidden_size, hidden, true);
}

/// Whisper's blocks with computed positions, two learned vectors that frame a clip, a projection.
void add_omni_audio(json::Fields& audio, ModelSpec& spec) {
  const std::uint64_t hidden =
      add_whisper_encoder(audio, Part::audio, "thinker.audio_tower.layers.", false, spec);
  add_values(spec, Part::audio, "thinker.audio_tower.audio_bos_eos_token",
             2 * audio.whole_or({"output_dim"}, kHiddenRange, spec.hidden_size));
  add_linear(spec, Part::audio, "thinker.audio_tower.proj",
             audio.whole_or({"output_dim"}, kHiddenRange, spec.hidden_size), hidden, true);
}

/// Qwen3-Omni: three 2D convolutions of 480 channels over the mel bins, a linear layer, Whisper's
/// blocks with key biases, two projections. Source: transformers Qwen3OmniMoeAudioEncoder.
void add_omni3_audio(json::Fields& audio, ModelSpec& spec) {
  Tower tower;
  tower.part = Part::audio;
  tower.prefix = "thinker.audio_tower.layers.";
  tower.mlp = "";
  read_tower_sizes(audio, {1280, 32, 5120}, tower);
  const std::uint64_t mel = audio.whole_or({"num_mel_bins"}, kWidthRange, 128);
  const std::uint64_t channels = audio.whole_or({"downsample_hidden_size"}, kWidthRange, 480);
  const std::uint64_t outputs = audio.whole_or({"output_dim"}, kHiddenRange, spec.hidden_size);
  const std::uint64_t bins = (((mel + 1) / 2 + 1) / 2 + 1) / 2;
  add_convolution(spec, Part::audio, "conv2d1", channels, 9, true);
  add_convolution(spec, Part::audio, "conv2d2", channels, 9 * channels, true);
  add_convolution(spec, Part::audio, "conv2d3", channels, 9 * channels, true);
  add_linear(spec, Part::audio, "thinker.audio_tower.conv_out", tower.hidden, channels * bins,
             false);
  add_values(spec, Part::audio, "ln_post", 2 * tower.hidden);
  add_tower(tower, spec);
  add_linear(spec, Part::audio, "thinker.audio_tower.proj1", tower.hidden, tower.hidden, true);
  add_linear(spec, Part::audio, "thinker.audio_tower.proj2", outputs, tower.hidden, true);
}

void read_thinker(json::Fields& config, bool third, ModelSpec& spec) {
  read_inner_model(config, {"text_config"}, third ? "qwen3_moe" : "qwen2", spec);
  read_with_part(config, "vision_config", "vision tower", third ? add_third : add_second_half,
                 spec);
  read_with_part(config, "audio_config", "audio tower", third ? add_omni3_audio : add_omni_audio,
                 spec);
}

/// Engines load the thinker alone: it reads everything and writes text.
void read_omni(json::Fields& config, bool third, ModelSpec& spec) {
  if (auto thinker = config.object("thinker_config")) {
    read_thinker(*thinker, third, spec);
    config.adopt(*thinker);
  } else {
    read_thinker(config, third, spec);
  }
  spec.notes.emplace_back(
      "The thinker is counted, with its vision and audio towers: it is what vLLM serves. The "
      "talker and the vocoder, which the checkpoint holds besides, are not.");
}

void read(json::Fields& config, ModelSpec& spec) {
  const std::string_view name =
      spec.architecture.empty() ? std::string_view(spec.model_type) : spec.architecture;
  const auto is = [&](std::string_view upper, std::string_view lower) {
    return name.starts_with(upper) || name.starts_with(lower);
  };
  if (is("Qwen2_5Omni", "qwen2_5_omni")) {
    read_omni(config, false, spec);
    return;
  }
  if (is("Qwen3Omni", "qwen3_omni")) {
    read_omni(config, true, spec);
    return;
  }
  std::string_view fallback = "qwen2";
  auto add = add_second;
  if (is("Qwen2Audio", "qwen2_audio")) {
    read_inner_model(config, {"text_config"}, fallback, spec);
    read_with_part(config, "audio_config", "audio tower", add_qwen2_audio, spec);
    return;
  }
  if (is("Qwen2_5", "qwen2_5")) {
    add = add_second_half;
  } else if (is("Qwen3", "qwen3")) {
    add = add_third;
    const bool moe = is("Qwen3VLMoe", "qwen3_vl_moe") || is("Qwen3_5Moe", "qwen3_5_moe");
    const bool hybrid = is("Qwen3_5", "qwen3_5");
    fallback = hybrid ? (moe ? "qwen3_5_moe_text" : "qwen3_5_text") : (moe ? "qwen3_moe" : "qwen3");
  }
  read_inner_model(config, {"text_config"}, fallback, spec);
  read_with_part(config, "vision_config", "vision tower", add, spec);
  if (spec.architecture.ends_with("ForSequenceClassification")) {
    spec.lm_head = false;
    spec.extra.push_back(matrix(Part::lm_head, Split::replicated, "score",
                                config.whole_or({"num_labels"}, kWidthRange, 1), spec.hidden_size));
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::qwen_vl
