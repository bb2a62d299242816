#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::chatglm {
namespace {

constexpr std::string_view kArchitectures[] = {"ChatGLMModel", "ChatGLMForConditionalGeneration",
                                               "ChatGLMForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"chatglm"};
constexpr ModuleNames kNames{.layers = "transformer.encoder.layers.",
                             .attention = "self_attention.",
                             .mlp = "mlp.",
                             .gate = "dense_h_to_4h",
                             .up = "dense_h_to_4h",
                             .down = "dense_4h_to_h"};

/// ChatGLM-6B, the first: layer norms, biases everywhere and a plain feed-forward. Its checkpoint
/// stores the head a second time; the class ties it.
void read_first(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.qkv_bias = Bias::always;
  profile.output_bias = Bias::always;
  profile.gated = false;
  profile.norms = 4;
  profile.final_norms = 2;
  profile.windows = Windows::never;
  profile.names = &kNames;
  read_sizes(config, profile, spec);
  Layer layer;
  layer.attention = read_attention(config, profile, spec);
  layer.feed_forward.intermediate_size =
      config.whole_or({"inner_hidden_size"}, kWidthRange, 4 * spec.hidden_size);
  layer.feed_forward.gated = false;
  layer.feed_forward.bias = true;
  layer.norms = profile.norms;
  spec.layers.assign(spec.layers.size(), layer);
}

/// GLM-4V-9B's EVA tower, its strided convolution and gated projector, two marks around an image.
/// Source: visual.py of the checkpoint.
void add_vision(json::Fields& vision, ModelSpec& spec) {
  Tower tower;
  tower.prefix = "transformer.vision.transformer.layers.";
  tower.attention = "attention.";
  read_tower_sizes(vision, {1792, 63, 15360}, tower);
  const Patches patches = read_patches(vision, 14, 1120);
  const std::uint64_t positions = vision.whole_or({"num_positions"}, kWidthRange, 6401);
  add_convolution(spec, Part::vision, "transformer.vision.patch_embedding.proj", tower.hidden,
                  patches.inputs, true);
  add_values(spec, Part::vision, "transformer.vision.patch_embedding",
             (1 + positions) * tower.hidden);
  add_tower(tower, spec);
  const std::uint64_t hidden = spec.hidden_size;
  const std::uint64_t width =
      spec.layers.empty() ? 1 : spec.layers.front().feed_forward.intermediate_size;
  add_convolution(spec, Part::vision, "transformer.vision.conv", hidden, 4 * tower.hidden, true);
  add_linear(spec, Part::vision, "transformer.vision.linear_proj.linear_proj", hidden, hidden,
             false);
  add_linear(spec, Part::vision, "transformer.vision.linear_proj.gate_proj", width, hidden, false);
  add_linear(spec, Part::vision, "transformer.vision.linear_proj.dense_h_to_4h", width, hidden,
             false);
  add_linear(spec, Part::vision, "transformer.vision.linear_proj.dense_4h_to_h", hidden, width,
             false);
  add_values(spec, Part::vision, "transformer.vision.boi", 4 * hidden);
}

/// ChatGLM2, ChatGLM3 and GLM-4-9B (vLLM 0.28 models/chatglm.py).
void read(json::Fields& config, ModelSpec& spec) {
  if (config.has("inner_hidden_size") || config.boolean_or({"position_encoding_2d"}, false)) {
    read_first(config, spec);
    return;
  }
  const bool rms = config.boolean_or({"rmsnorm"}, true);
  DecoderProfile profile;
  profile.qkv_bias = config.boolean_or({"add_bias_linear"}, false) ? Bias::always : Bias::by_key;
  profile.qkv_bias_key = "add_qkv_bias";
  profile.output_bias_key = "add_bias_linear";
  profile.mlp_bias_key = "add_bias_linear";
  profile.norms = rms ? 2 : 4;
  profile.final_norms = rms ? 1 : 2;
  profile.windows = Windows::never;
  profile.names = &kNames;
  if (!config.boolean_or({"post_layer_norm"}, true)) {
    profile.final_norms = 0;
  }
  read_decoder(config, profile, spec);
  // The padded size is the tables', where both are given.
  spec.vocab_size = config.whole_or({"padded_vocab_size"}, kVocabRange, spec.vocab_size);
  if (!config.boolean_or({"multi_query_attention"}, false)) {
    for (Layer& layer : spec.layers) {
      layer.attention.num_key_value_heads = layer.attention.num_attention_heads;
    }
  }
  if (auto vision = config.object("vision_config"); vision && !config.error()) {
    add_vision(*vision, spec);
    config.adopt(*vision);
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::chatglm
