#include "model/dialect.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::molmo {
namespace {

constexpr std::string_view kArchitectures[] = {"MolmoForCausalLM"};
constexpr std::string_view kModelTypes[] = {"molmo"};

/// CLIP-L/14 of 336 pixels, whose last layer is left away, attention that pools four patches of two
/// layers' features, a gated projector. Source: modeling_molmo.py of the checkpoints.
void add_vision(std::uint64_t width, ModelSpec& spec) {
  Tower clip;
  clip.prefix = "model.vision_backbone.image_vit.transformer.resblocks.";
  clip.attention = "attention.";
  clip.mlp = "feed_forward.";
  clip.layers = 23;
  clip.hidden = 1024;
  clip.width = 4096;
  add_linear(spec, Part::vision, "model.vision_backbone.image_vit.patch_embedding", 1024,
             3ULL * 14 * 14, false);
  add_values(spec, Part::vision, "model.vision_backbone.embeddings", (1 + 577 + 2 + 4) * 1024ULL);
  add_tower(clip, spec);
  add_linear(spec, Part::vision, "model.vision_backbone.image_pooling_2d.wqkv", 3ULL * 1024, 2048,
             true);
  add_linear(spec, Part::vision, "model.vision_backbone.image_pooling_2d.wo", 1024, 1024, true);
  add_linear(spec, Part::vision, "model.vision_backbone.image_projector.w1", 2 * width, 1024,
             false);
  add_linear(spec, Part::vision, "model.vision_backbone.image_projector.w2", spec.hidden_size,
             width, false);
}

void read(json::Fields& config, ModelSpec& spec) {
  const DecoderProfile profile;
  if (config.boolean_or({"norm_after"}, false) || config.has("moe_num_experts") ||
      config.boolean_or({"attention_layer_norm"}, false)) {
    config.fail("unknown_architecture", "norm_after",
                "This variant of Molmo (norms after the layers, norms of queries and keys, or "
                "experts) is not known to this version.");
    return;
  }
  read_decoder(config, profile, spec);
  const bool bias = config.boolean_or({"qkv_bias"}, false);
  spec.vocab_size = config.whole_or({"embedding_size"}, kVocabRange, spec.vocab_size);
  std::uint64_t width = 0;
  for (Layer& layer : spec.layers) {
    layer.attention.qkv_bias = bias;
    // The key counts gate and value together.
    width = layer.feed_forward.intermediate_size / 2;
    layer.feed_forward.intermediate_size = width;
  }
  const std::uint64_t added = config.whole_or({"additional_vocab_size"}, {0, 1U << 20U}, 128);
  add_convolution(spec, Part::embedding, "model.transformer.wte.new_embedding", spec.hidden_size,
                  added, false);
  spec.names.layers = "model.transformer.blocks.";
  add_vision(width, spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::molmo
