#pragma once

#include <cstdint>
#include <vector>

#include "json/fields.hpp"
#include "model/spec.hpp"

namespace ridgepoint::model {

/// What a Hugging Face config class fills in when a key is absent.
struct DecoderDefaults {
  bool tie_word_embeddings = false;
  std::uint64_t head_dim = 0;  ///< 0: hidden_size / num_attention_heads
  bool qkv_bias = false;
  bool output_bias = false;
  bool bias_from_config = true;  ///< `attention_bias` and `mlp_bias` are read
  QkNorm qk_norm = QkNorm::none;
  bool uses_sliding_window = true;  ///< what an absent `use_sliding_window` means
};

/// Limits that keep every later product within 64 bits; read_model checks the total besides.
inline constexpr json::Range kHiddenRange{1, 1U << 20U};
inline constexpr json::Range kWidthRange{1, 1U << 24U};
inline constexpr json::Range kHeadsRange{1, 1U << 16U};
inline constexpr json::Range kHeadDimRange{1, 1U << 16U};
inline constexpr json::Range kLayersRange{1, 1000};
inline constexpr json::Range kVocabRange{1, 1U << 24U};
inline constexpr json::Range kExpertsRange{1, 1U << 16U};
inline constexpr json::Range kLengthRange{1, 1ULL << 32U};

/// Reads hidden_size, vocab_size, num_hidden_layers and tie_word_embeddings into `spec`, with
/// `layer` for every layer.
void read_sizes(json::Fields& config, const DecoderDefaults& defaults, ModelSpec& spec);

/// Grouped-query attention from the usual keys. Needs spec.hidden_size.
Attention read_attention(json::Fields& config, const DecoderDefaults& defaults,
                         const ModelSpec& spec);

FeedForward read_dense(json::Fields& config, const DecoderDefaults& defaults);

/// The whole of an ordinary dense decoder: sizes, attention, feed-forward, windows, rope.
void read_decoder(json::Fields& config, const DecoderDefaults& defaults, ModelSpec& spec);

/// Gives layers their windows: `layer_types` where present, else `sliding_window` on every layer,
/// unless `use_sliding_window` is false or its absence means so. Source: vLLM 0.28
/// engine/arg_utils.py and the model classes.
void apply_windows(json::Fields& config, const DecoderDefaults& defaults, ModelSpec& spec);

}  // namespace ridgepoint::model
