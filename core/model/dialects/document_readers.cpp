#include "model/dialect.hpp"
#include "model/language_model.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::document_readers {
namespace {

constexpr std::string_view kArchitectures[] = {"PaddleOCRVLForConditionalGeneration",
                                               "DotsOCRForCausalLM", "FuyuForCausalLM", "MiniCPMV",
                                               "Exaone4_5_ForConditionalGeneration"};
constexpr std::string_view kModelTypes[] = {"paddleocr_vl", "dots_ocr", "fuyu", "minicpmv",
                                            "exaone4_5"};

/// SigLIP with its pooling head and a second table of positions, a projector of four patches.
/// Source: modeling_paddleocr_vl.py of the checkpoint.
void add_paddle(json::Fields& vision, ModelSpec& spec) {
  const std::uint64_t hidden = add_siglip(vision, true, spec);
  const std::uint64_t merge = vision.whole_or({"spatial_merge_size"}, {1, 64}, 2);
  const std::uint64_t inputs = hidden * merge * merge;
  add_convolution(spec, Part::vision, "visual.packing_position_embedding", hidden, 32768, false);
  add_values(spec, Part::vision, "mlp_AR.pre_norm", 2 * hidden);
  add_linear(spec, Part::vision, "mlp_AR.linear_1", inputs, inputs, true);
  add_linear(spec, Part::vision, "mlp_AR.linear_2", spec.hidden_size, inputs, true);
}

/// Source: modeling_dots_vision.py of the checkpoint.
void add_dots(json::Fields& vision, ModelSpec& spec) {
  const Patches patches = read_patches(vision, 14, 14);
  Tower tower;
  tower.prefix = "vision_tower.blocks.";
  tower.attention = "attn.";
  tower.hidden = vision.whole_or({"embed_dim"}, kHiddenRange, 1536);
  tower.layers = vision.whole_or({"num_hidden_layers"}, kLayersRange, 42);
  tower.width = vision.whole_or({"intermediate_size"}, kWidthRange, 4224);
  tower.gated = true;
  tower.norms = 2;
  tower.qkv_bias = tower.output_bias = tower.mlp_bias = vision.boolean_or({"use_bias"}, false);
  const std::uint64_t merge = vision.whole_or({"spatial_merge_size"}, {1, 64}, 2);
  const std::uint64_t inputs = tower.hidden * merge * merge;
  const std::uint64_t outputs = vision.whole_or({"hidden_size"}, kHiddenRange, spec.hidden_size);
  const bool post_norm = vision.boolean_or({"post_norm"}, true);
  add_convolution(spec, Part::vision, "vision_tower.patch_embed", tower.hidden, patches.inputs,
                  true);
  // A norm of the patches, one after the blocks, one with bias before the merger.
  add_values(spec, Part::vision, "vision_tower.norms", (post_norm ? 4 : 3) * tower.hidden);
  add_tower(tower, spec);
  add_linear(spec, Part::vision, "vision_tower.merger.mlp.0", inputs, inputs, true);
  add_linear(spec, Part::vision, "vision_tower.merger.mlp.2", outputs, inputs, true);
}

/// SigLIP and a resampler of learned queries. Source: modeling_minicpmv.py and resampler.py of the
/// checkpoints.
void add_minicpm(json::Fields& vision, ModelSpec& spec, std::uint64_t queries, bool drop_last) {
  const std::uint64_t layers = vision.whole_or({"num_hidden_layers"}, kLayersRange, 27);
  const std::size_t first = spec.extra.size();
  const std::uint64_t inner = add_siglip(vision, false, spec);
  for (std::size_t i = first; drop_last && i < spec.extra.size(); ++i) {
    if (spec.extra[i].layers == layers) {
      --spec.extra[i].layers;
    }
  }
  const std::uint64_t hidden = spec.hidden_size;
  add_values(spec, Part::vision, "resampler.query", (queries + 6) * hidden);
  if (inner != hidden) {
    add_linear(spec, Part::vision, "resampler.kv_proj", hidden, inner, false);
  }
  add_linear(spec, Part::vision, "resampler.attn.in_proj", 3 * hidden, hidden, true);
  add_linear(spec, Part::vision, "resampler.attn.out_proj", hidden, hidden, true);
  add_linear(spec, Part::vision, "resampler.proj", hidden, hidden, false);
}

void read_minicpm(json::Fields& config, ModelSpec& spec) {
  const double version = config.number({"version"}, 0.0, 100.0).value_or(0.0);
  std::string_view language;
  if (version == 2.5 || version == 4.0) {
    language = "llama";
  } else if (version == 2.6) {
    language = "qwen2";
  } else if (version == 4.5) {
    language = "qwen3";
  } else {
    config.fail("unknown_architecture", "version",
                "MiniCPM-V 2.5, 2.6, 4.0 and 4.5 are known to this version; this config names "
                "none of them.");
    return;
  }
  read_by(*dialect_of_model_type(language), config, spec);
  auto vision = config.object("vision_config");
  if (!vision) {
    leave_out(spec, "vision tower and resampler");
    return;
  }
  add_minicpm(*vision, spec, config.whole_or({"query_num"}, kLengthRange, 64),
              config.boolean_or({"drop_vision_last_layer"}, false));
  config.adopt(*vision);
}

void read(json::Fields& config, ModelSpec& spec) {
  const std::string_view name =
      spec.architecture.empty() ? std::string_view(spec.model_type) : spec.architecture;
  if (name.starts_with("MiniCPMV") || name == "minicpmv") {
    read_minicpm(config, spec);
  } else if (name.starts_with("Paddle") || name == "paddleocr_vl") {
    read_inner_model(config, {"text_config"}, "llama", spec);
    read_with_part(config, "vision_config", "vision tower", add_paddle, spec);
  } else if (name.starts_with("Dots") || name == "dots_ocr") {
    read_inner_model(config, {"text_config"}, "qwen2", spec);
    read_with_part(config, "vision_config", "vision tower", add_dots, spec);
  } else if (name.starts_with("Exaone") || name == "exaone4_5") {
    read_inner_model(config, {"text_config"}, "exaone4", spec);
    leave_out(spec, "vision tower");
  } else {
    read_inner_model(config, {"text_config"}, "persimmon", spec);
    const std::uint64_t patch = config.whole_or({"patch_size"}, {1, 1024}, 30);
    const std::uint64_t channels = config.whole_or({"num_channels"}, {1, 64}, 3);
    add_linear(spec, Part::vision, "vision_embed_tokens", spec.hidden_size,
               channels * patch * patch, true);
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::document_readers
