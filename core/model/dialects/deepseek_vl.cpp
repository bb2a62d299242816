#include <nlohmann/json.hpp>

#include "model/dialect.hpp"
#include "model/experts.hpp"
#include "model/language_model.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::deepseek_vl {
namespace {

constexpr std::string_view kArchitectures[] = {"DeepseekVLV2ForCausalLM", "DeepseekOCRForCausalLM",
                                               "DeepseekOCR2ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"deepseek_vl_v2", "deepseek_ocr", "deepseek_ocr2"};

/// SAM ViT-B over 1024 x 1024 pixels, whose neck and two convolutions end in `outputs` channels.
/// Source: deepencoder.py of the checkpoints.
void add_sam(std::uint64_t outputs, ModelSpec& spec) {
  Tower sam;
  sam.prefix = "model.sam_model.blocks.";
  sam.attention = "attn.";
  sam.layers = 12;
  sam.hidden = 768;
  sam.width = 3072;
  add_convolution(spec, Part::vision, "model.sam_model.patch_embed", 768, 3ULL * 16 * 16, true);
  add_convolution(spec, Part::vision, "model.sam_model.pos_embed", 768, 64ULL * 64, false);
  add_tower(sam, spec);
  // Relative positions: four layers see all 64 rows, eight a window of 14.
  add_values(spec, Part::vision, "model.sam_model.rel_pos", (4ULL * 127 + 8ULL * 27) * 2ULL * 64);
  add_values(spec, Part::vision, "model.sam_model.neck",
             768ULL * 256 + 512 + 9ULL * 256 * 256 + 512 + 9ULL * 256 * 512);
  add_convolution(spec, Part::vision, "model.sam_model.net_3", outputs, 9ULL * 512, false);
}

/// CLIP-L/14 over what SAM leaves: its own patch embedding is stored and not used.
void add_ocr(ModelSpec& spec) {
  add_sam(1024, spec);
  Tower clip;
  clip.prefix = "model.vision_model.transformer.layers.";
  clip.layers = 24;
  clip.hidden = 1024;
  clip.width = 4096;
  add_convolution(spec, Part::vision, "model.vision_model.patch_embedding", 1024, 3ULL * 14 * 14,
                  false);
  add_values(spec, Part::vision, "model.vision_model.embeddings", (1 + 257 + 2) * 1024ULL);
  add_tower(clip, spec);
  add_linear(spec, Part::vision, "model.projector", spec.hidden_size, 2048, true);
  add_values(spec, Part::vision, "model.image_newline", 2 * spec.hidden_size);
}

/// The second version reads SAM's output with the layers of Qwen2-0.5B and two tables of queries.
void add_ocr2(ModelSpec& spec) {
  add_sam(896, spec);
  Tower qwen;
  qwen.prefix = "model.qwen2_model.layers.";
  qwen.layers = 24;
  qwen.hidden = 896;
  qwen.width = 4864;
  qwen.key_value_width = 128;
  qwen.gated = true;
  qwen.output_bias = qwen.mlp_bias = false;
  qwen.norms = 2;
  add_tower(qwen, spec);
  add_values(spec, Part::vision, "model.qwen2_model.queries", (1 + 256 + 144) * 896ULL);
  add_linear(spec, Part::vision, "model.projector", spec.hidden_size, 896, true);
  add_values(spec, Part::vision, "model.view_seperator", spec.hidden_size);
}

void add_vl2(json::Fields& vision, ModelSpec& spec) {
  const std::uint64_t hidden = vision.whole_or({"width"}, kHiddenRange, 1152);
  const double ratio = vision.number({"mlp_ratio"}, 0.1, 64.0).value_or(3.7362);
  const Patches patches = read_patches(vision, 14, 384);
  Tower tower;
  tower.prefix = "vision.blocks.";
  tower.attention = "attn.";
  tower.hidden = hidden;
  tower.layers = vision.whole_or({"layers"}, kLayersRange, 27);
  tower.width = static_cast<std::uint64_t>(static_cast<double>(hidden) * ratio);
  add_convolution(spec, Part::vision, "vision.patch_embed", hidden, patches.inputs, true);
  add_values(spec, Part::vision, "vision.embeddings", (patches.count + 2) * hidden);
  add_tower(tower, spec);
  add_siglip_head(hidden, tower.width, spec);
  // Four patches meet in one; two vectors end an image's lines and part its views.
  add_linear(spec, Part::vision, "projector.layers.0", spec.hidden_size, 4 * hidden, true);
  add_linear(spec, Part::vision, "projector.layers.2", spec.hidden_size, spec.hidden_size, true);
  add_values(spec, Part::vision, "image_newline", 2 * spec.hidden_size);
}

/// The small language models have the experts of DeepSeek-V2 and plain attention of as many
/// key/value heads as query heads.
void read_plain(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, DecoderProfile{}, spec);
  FeedForward experts = read_experts(config, {"n_routed_experts"}, {"num_experts_per_tok"},
                                     {"moe_intermediate_size"});
  experts.shared_intermediate_size =
      config.whole_or({"n_shared_experts"}, {0, 1024}, 0) * experts.moe_intermediate_size;
  const auto sparse =
      sparse_from(config, "first_k_dense_replace", "moe_layer_freq", spec.layers.size());
  for (std::size_t i = 0; i < sparse.size(); ++i) {
    if (sparse[i]) {
      spec.layers[i].feed_forward = experts;
    }
  }
}

void read(json::Fields& config, ModelSpec& spec) {
  auto language = config.object("language_config");
  if (language && !language->boolean_or({"use_mla"}, true)) {
    read_plain(*language, spec);
    if (const auto length = language->whole({"max_position_embeddings"}, kLengthRange)) {
      spec.max_position_embeddings = *length;
    }
    config.adopt(*language);
  } else {
    read_inner_model(config, {"language_config", "text_config"}, "deepseek_v2", spec);
  }
  if (spec.architecture.starts_with("DeepseekOCR2") || spec.model_type == "deepseek_ocr2") {
    add_ocr2(spec);
  } else if (spec.architecture.starts_with("DeepseekOCR") || spec.model_type == "deepseek_ocr") {
    add_ocr(spec);
  } else {
    read_with_part(config, "vision_config", "vision tower", add_vl2, spec);
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::deepseek_vl
