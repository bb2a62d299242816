#pragma once

#include <cstdint>
#include <string_view>

#include "json/fields.hpp"
#include "model/spec.hpp"

namespace ridgepoint::model {

/// A stack of equal transformer blocks beside the language model: of an image or audio encoder.
struct Tower {
  Part part = Part::vision;
  std::string_view prefix = "vision_tower.layers.";  ///< before a layer's number
  std::string_view attention = "self_attn.";
  std::string_view mlp = "mlp.";
  std::string_view output = "out_proj";  ///< of attention with projections apart ("self_attn.")
  std::uint64_t layers = 0;
  std::uint64_t hidden = 0;
  std::uint64_t width = 0;            ///< of the feed-forward
  std::uint64_t attention_width = 0;  ///< all heads together; 0: hidden
  std::uint64_t key_value_width = 0;  ///< 0: attention_width
  bool gated = false;
  bool qkv_bias = true;
  bool key_bias = true;  ///< false: queries and values alone (Whisper)
  bool output_bias = true;
  bool mlp_bias = true;
  std::uint64_t norms = 4;  ///< vectors of hidden a layer, layer scales included
  std::uint64_t rest = 0;   ///< further values a layer: QK norms, gates
};

/// Appends the blocks to spec.extra.
void add_tower(const Tower& tower, ModelSpec& spec);

/// A linear layer outside the blocks: projectors, patch embeddings.
void add_linear(ModelSpec& spec, Part part, std::string_view name, std::uint64_t outputs,
                std::uint64_t inputs, bool bias);

/// Values outside the blocks: norms, position tables, class tokens.
void add_values(ModelSpec& spec, Part part, std::string_view name, std::uint64_t count);

/// A convolution: `inputs` is the kernel's whole extent, channels included.
void add_convolution(ModelSpec& spec, Part part, std::string_view name, std::uint64_t outputs,
                     std::uint64_t inputs, bool bias);

/// What the patch embedding of an image encoder says.
struct Patches {
  std::uint64_t inputs = 0;  ///< channels x patch x patch
  std::uint64_t count = 0;   ///< patches of the largest image; 0 without `image_size`
};
Patches read_patches(json::Fields& vision, std::uint64_t default_patch,
                     std::uint64_t default_image);

/// Layers, hidden size and feed-forward width by the usual keys, with what the class fills in.
struct TowerDefaults {
  std::uint64_t hidden = 0;
  std::uint64_t layers = 0;
  std::uint64_t width = 0;
};
void read_tower_sizes(json::Fields& config, const TowerDefaults& defaults, Tower& tower);

/// The image encoder that vision_config.model_type names: CLIP, SigLIP, Pixtral, InternViT.
/// Returns its hidden size, 0 when the name is not known (the error is set).
std::uint64_t add_vision_encoder(json::Fields& vision, std::string_view fallback, ModelSpec& spec);

/// SigLIP's encoder; `head`: the attention pooling that some classes leave out.
std::uint64_t add_siglip(json::Fields& vision, bool head, ModelSpec& spec);
void add_siglip_head(std::uint64_t hidden, std::uint64_t width, ModelSpec& spec);
std::uint64_t add_pixtral(json::Fields& vision, ModelSpec& spec);

/// The encoder of Whisper, as audio models reuse it, or as an encoder of its own.
std::uint64_t add_whisper_encoder(json::Fields& audio, Part part, std::string_view prefix,
                                  bool positions, ModelSpec& spec);

/// Two linear layers with an activation between: the usual projector.
void add_projector(ModelSpec& spec, Part part, std::uint64_t outputs, std::uint64_t inputs,
                   bool bias);

/// For a part of the model whose shape is not known here: the language model is sized, and the
/// answer says what it lacks.
void leave_out(ModelSpec& spec, std::string_view what);

/// The language model under `keys`, then `add` with the config of the part under `key`; where that
/// is absent, the answer says that the part is left out.
void read_with_part(json::Fields& config, std::string_view key, std::string_view what,
                    void (*add)(json::Fields& part, ModelSpec& spec), ModelSpec& spec);

}  // namespace ridgepoint::model
