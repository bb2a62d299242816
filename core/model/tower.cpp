#include "model/tower.hpp"

#include <string>

#include "model/decoder.hpp"
#include "wording.hpp"

namespace ridgepoint::model {
namespace {

/// An encoder is as much part of the model as its decoder; what other methods do to towers and
/// projectors, each says itself.
Tensor linear(Part part, Split split, std::string_view module, std::uint64_t rows,
              std::uint64_t cols, precision::ModuleKind kind) {
  Tensor tensor = matrix(part, split, module, rows, cols);
  if (part != Part::encoder) {
    tensor.kind = kind;
  }
  return tensor;
}

/// Puts a tower's tensors into the list, each in all of its layers.
class Blocks {
 public:
  Blocks(const Tower& tower, std::vector<Tensor>& out) : tower_(tower), out_(out) {}

  void matrix(std::string_view block, Split split, std::string_view module, std::uint64_t rows,
              std::uint64_t cols) {
    push(linear(tower_.part, split, module, rows, cols, precision::ModuleKind::vision), block);
  }
  void values(std::uint64_t count, Split split) {
    if (count != 0) {
      push(model::values(tower_.part, "", count, split), "");
    }
  }

 private:
  void push(Tensor tensor, std::string_view block) {
    tensor.prefix = tower_.prefix;
    tensor.block = block;
    tensor.layers = tower_.layers;
    out_.push_back(tensor);
  }

  const Tower& tower_;
  std::vector<Tensor>& out_;
};

std::uint64_t add_clip(json::Fields& vision, ModelSpec& spec) {
  const Patches patches = read_patches(vision, 32, 224);
  Tower tower;
  tower.prefix = "vision_tower.vision_model.encoder.layers.";
  read_tower_sizes(vision, {768, 12, 3072}, tower);
  add_convolution(spec, Part::vision, "patch_embedding", tower.hidden, patches.inputs, false);
  // A class token, the positions and it, a norm before and one after.
  add_values(spec, Part::vision, "embeddings", (1 + patches.count + 1 + 4) * tower.hidden);
  add_tower(tower, spec);
  return tower.hidden;
}

/// InternViT. Sources: modeling_intern_vit.py of the checkpoints; transformers
/// InternVLVisionConfig.
std::uint64_t add_intern_vit(json::Fields& vision, ModelSpec& spec) {
  const Patches patches = read_patches(vision, 14, 224);
  Tower tower;
  tower.prefix = "vision_model.encoder.layers.";
  tower.attention = "attn.";
  read_tower_sizes(vision, {3200, 48, 12800}, tower);
  const std::string_view norm = vision.text({"norm_type"}).value_or("rms_norm");
  tower.norms = norm == "layer_norm" ? 6 : 4;  // two of them layer scales
  tower.qkv_bias = vision.boolean_or({"qkv_bias", "attention_bias"}, false);
  if (vision.boolean_or({"qk_normalization", "use_qk_norm"}, true)) {
    tower.rest = 2 * tower.hidden;
  }
  add_convolution(spec, Part::vision, "patch_embedding", tower.hidden, patches.inputs, true);
  add_values(spec, Part::vision, "embeddings", (1 + patches.count + 1) * tower.hidden);
  add_tower(tower, spec);
  return tower.hidden;
}

}  // namespace

void add_tower(const Tower& tower, ModelSpec& spec) {
  if (tower.layers == 0) {
    return;
  }
  Blocks blocks(tower, spec.extra);
  const std::uint64_t hidden = tower.hidden;
  const std::uint64_t q = tower.attention_width == 0 ? hidden : tower.attention_width;
  const std::uint64_t kv = tower.key_value_width == 0 ? q : tower.key_value_width;
  if (tower.attention == "self_attn.") {
    blocks.matrix(tower.attention, Split::column, "q_proj", q, hidden);
    blocks.matrix(tower.attention, Split::column, "k_proj", kv, hidden);
    blocks.matrix(tower.attention, Split::column, "v_proj", kv, hidden);
    blocks.matrix(tower.attention, Split::row, tower.output, hidden, q);
  } else {
    blocks.matrix(tower.attention, Split::column, "qkv", q + 2 * kv, hidden);
    blocks.matrix(tower.attention, Split::row, "proj", hidden, q);
  }
  if (tower.qkv_bias) {
    blocks.values(q + kv + (tower.key_bias ? kv : 0), Split::column);
  }
  blocks.matrix(tower.mlp, Split::column, tower.gated ? "gate_up_proj" : "fc1",
                tower.width * (tower.gated ? 2 : 1), hidden);
  blocks.matrix(tower.mlp, Split::row, tower.gated ? "down_proj" : "fc2", hidden, tower.width);
  if (tower.mlp_bias) {
    blocks.values(tower.width * (tower.gated ? 2 : 1), Split::column);
  }
  blocks.values(
      (tower.norms + (tower.output_bias ? 1 : 0) + (tower.mlp_bias ? 1 : 0)) * hidden + tower.rest,
      Split::replicated);
}

void add_linear(ModelSpec& spec, Part part, std::string_view name, std::uint64_t outputs,
                std::uint64_t inputs, bool bias) {
  spec.extra.push_back(
      linear(part, Split::replicated, name, outputs, inputs, precision::ModuleKind::projector));
  if (bias) {
    add_values(spec, part, name, outputs);
  }
}

void add_values(ModelSpec& spec, Part part, std::string_view name, std::uint64_t count) {
  spec.extra.push_back(values(part, name, count));
}

void add_convolution(ModelSpec& spec, Part part, std::string_view name, std::uint64_t outputs,
                     std::uint64_t inputs, bool bias) {
  Tensor tensor = values(part, name, outputs);
  tensor.cols = inputs;
  spec.extra.push_back(tensor);
  if (bias) {
    add_values(spec, part, name, outputs);
  }
}

Patches read_patches(json::Fields& vision, std::uint64_t default_patch,
                     std::uint64_t default_image) {
  // Newer configs give a height and a width.
  const std::string_view patch_key = vision.has("patch_size") ? "patch_size" : "spatial_patch_size";
  auto patch = read_per_layer(vision, patch_key, 2, {1, 1024});
  auto image = read_per_layer(vision, "image_size", 2, {1, 1U << 16U});
  patch.resize(2, patch.empty() ? default_patch : patch.front());
  image.resize(2, image.empty() ? default_image : image.front());
  const std::uint64_t channels =
      vision.whole_or({"num_channels", "in_channels", "in_chans"}, {1, 64}, 3);
  return {channels * patch[0] * patch[1], image[0] / patch[0] * (image[1] / patch[1])};
}

void read_tower_sizes(json::Fields& config, const TowerDefaults& defaults, Tower& tower) {
  tower.hidden =
      config.whole_or({"hidden_size", "width", "d_model"}, kHiddenRange, defaults.hidden);
  tower.layers = config.whole_or({"num_hidden_layers", "depth", "layers", "encoder_layers"},
                                 kLayersRange, defaults.layers);
  tower.width =
      config.whole_or({"intermediate_size", "encoder_ffn_dim"}, kWidthRange, defaults.width);
}

void add_siglip_head(std::uint64_t hidden, std::uint64_t width, ModelSpec& spec) {
  add_values(spec, Part::vision, "vision_tower.vision_model.head.probe", hidden);
  add_linear(spec, Part::vision, "vision_tower.vision_model.head.attention.in_proj", 3 * hidden,
             hidden, true);
  add_linear(spec, Part::vision, "vision_tower.vision_model.head.attention.out_proj", hidden,
             hidden, true);
  add_values(spec, Part::vision, "vision_tower.vision_model.head.layernorm", 2 * hidden);
  add_linear(spec, Part::vision, "vision_tower.vision_model.head.mlp.fc1", width, hidden, true);
  add_linear(spec, Part::vision, "vision_tower.vision_model.head.mlp.fc2", hidden, width, true);
}

std::uint64_t add_siglip(json::Fields& vision, bool head, ModelSpec& spec) {
  const Patches patches = read_patches(vision, 16, 224);
  Tower tower;
  tower.prefix = "vision_tower.vision_model.encoder.layers.";
  read_tower_sizes(vision, {768, 12, 3072}, tower);
  add_convolution(spec, Part::vision, "patch_embedding", tower.hidden, patches.inputs, true);
  add_values(spec, Part::vision, "embeddings", (patches.count + 2) * tower.hidden);
  add_tower(tower, spec);
  if (head) {
    add_siglip_head(tower.hidden, tower.width, spec);
  }
  return tower.hidden;
}

std::uint64_t add_pixtral(json::Fields& vision, ModelSpec& spec) {
  const Patches patches = read_patches(vision, 16, 1024);
  Tower tower;
  tower.prefix = "vision_tower.transformer.layers.";
  tower.attention = "attention.";
  tower.mlp = "feed_forward.";
  read_tower_sizes(vision, {1024, 24, 4096}, tower);
  // A head_dim beside hidden / heads is for the rotary table alone: the projections are square.
  tower.gated = true;
  tower.qkv_bias = tower.output_bias = tower.mlp_bias = false;
  tower.norms = 2;
  add_convolution(spec, Part::vision, "patch_conv", tower.hidden, patches.inputs, false);
  add_values(spec, Part::vision, "ln_pre", tower.hidden);
  add_tower(tower, spec);
  return tower.hidden;
}

std::uint64_t add_vision_encoder(json::Fields& vision, std::string_view fallback, ModelSpec& spec) {
  const std::string_view type = vision.text({"model_type"}).value_or(fallback);
  if (type == "clip_vision_model" || type == "clip") {
    return add_clip(vision, spec);
  }
  if (type == "siglip_vision_model" || type == "siglip") {
    return add_siglip(vision, vision.boolean_or({"vision_use_head"}, true), spec);
  }
  if (type == "pixtral") {
    return add_pixtral(vision, spec);
  }
  if (type.starts_with("intern")) {
    return add_intern_vit(vision, spec);
  }
  vision.fail("unknown_architecture", "model_type",
              worded({"The vision tower \"", json::excerpt(type, 40),
                      "\" is not known to this version; remove vision_config to size the language "
                      "model alone."}));
  return 0;
}

std::uint64_t add_whisper_encoder(json::Fields& audio, Part part, std::string_view prefix,
                                  bool positions, ModelSpec& spec) {
  Tower tower;
  tower.part = part;
  tower.prefix = prefix;
  tower.mlp = "";
  read_tower_sizes(audio, {384, 4, 1536}, tower);
  tower.key_bias = false;
  const std::uint64_t mel = audio.whole_or({"num_mel_bins"}, kWidthRange, 80);
  const std::uint64_t length = audio.whole_or({"max_source_positions"}, {1, 1U << 20U}, 1500);
  add_convolution(spec, part, "conv1", tower.hidden, 3 * mel, true);
  add_convolution(spec, part, "conv2", tower.hidden, 3 * tower.hidden, true);
  add_values(spec, part, "positions", ((positions ? length : 0) + 2) * tower.hidden);
  add_tower(tower, spec);
  return tower.hidden;
}

void add_projector(ModelSpec& spec, Part part, std::uint64_t outputs, std::uint64_t inputs,
                   bool bias) {
  add_linear(spec, part, "multi_modal_projector.linear_1", outputs, inputs, bias);
  add_linear(spec, part, "multi_modal_projector.linear_2", outputs, outputs, bias);
}

void leave_out(ModelSpec& spec, std::string_view what) {
  spec.confidence = Confidence::assumed;
  spec.notes.push_back(
      worded({"The weights of the ", what, " are not counted: add them to what is shown here."}));
}

void read_with_part(json::Fields& config, std::string_view key, std::string_view what,
                    void (*add)(json::Fields& part, ModelSpec& spec), ModelSpec& spec) {
  auto part = config.object(key);
  if (!part) {
    leave_out(spec, what);
    spec.notes.back() += worded({" The config has no ", key, "."});
    return;
  }
  add(*part, spec);
  config.adopt(*part);
}

}  // namespace ridgepoint::model
