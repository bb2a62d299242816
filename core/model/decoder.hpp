#pragma once

#include <cstdint>
#include <vector>

#include "json/fields.hpp"
#include "model/spec.hpp"

namespace ridgepoint::model {

/// Whether projections have biases.
enum class Bias : std::uint8_t {
  never,
  always,          ///< the class has them and no key says so
  by_key,          ///< `attention_bias` or `mlp_bias`, absent: false
  by_key_or_true,  ///< the same, absent: true
};

/// Which layers see a window only.
enum class Windows : std::uint8_t {
  uniform,  ///< every layer, by `sliding_window`, unless `use_sliding_window` says no
  pattern,  ///< `layer_types`, or all but every n-th by `sliding_window_pattern` or its default
  above,    ///< the layers from `max_window_layers` on, if `use_sliding_window` says so
  never,    ///< keys of windows are not read
};

/// A decoder of the usual shape: what its Hugging Face config class fills in when a key is absent,
/// and what its modules have that no key tells.
struct DecoderProfile {
  bool tie_word_embeddings = false;
  std::uint64_t head_dim = 0;             ///< 0: hidden_size / num_attention_heads
  std::uint64_t key_value_heads = 0;      ///< when absent; 0: as many as queries
  std::uint64_t intermediate_factor = 0;  ///< an absent width is this many hidden sizes; 0: error
  Bias qkv_bias = Bias::by_key;
  Bias output_bias = Bias::by_key;
  Bias mlp_bias = Bias::by_key;
  std::string_view qkv_bias_key = "attention_bias";
  std::string_view output_bias_key = "attention_bias";
  std::string_view mlp_bias_key = "mlp_bias";
  QkNorm qk_norm = QkNorm::none;
  std::string_view qk_norm_key = {};  ///< when given: the norms exist only where it is true
  bool gated = true;
  std::uint64_t norms = 2;        ///< vectors of hidden_size a layer; LayerNorms with bias have two
  std::uint64_t final_norms = 1;  ///< likewise, after the last layer
  bool lm_head_bias = false;
  Windows windows = Windows::uniform;
  bool uses_sliding_window = true;   ///< uniform: what an absent `use_sliding_window` means
  std::uint64_t window = 0;          ///< when `sliding_window` is absent; 0: none
  std::uint64_t window_pattern = 0;  ///< pattern: every n-th layer is full; 0: all full
  const ModuleNames* names = nullptr;
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
inline constexpr json::Range kOptionalWidthRange{0, 1U << 24U};  ///< 0 stands for "none"

/// The keys under which configs name one size, in order of preference.
namespace keys {
inline constexpr std::string_view kHidden[] = {"hidden_size", "n_embd", "n_embed", "d_model"};
inline constexpr std::string_view kLayers[] = {"num_hidden_layers", "n_layer", "n_layers",
                                               "num_layers"};
inline constexpr std::string_view kHeads[] = {"num_attention_heads", "n_head", "n_heads",
                                              "num_heads"};
inline constexpr std::string_view kKeyValueHeads[] = {
    "num_key_value_heads",   "n_head_kv",        "num_kv_heads",
    "multi_query_group_num", "num_query_groups", "num_attention_groups"};
inline constexpr std::string_view kHeadDim[] = {"head_dim", "attention_head_dim", "kv_channels",
                                                "hidden_size_per_head"};
inline constexpr std::string_view kWidth[] = {"intermediate_size", "n_inner", "ffn_hidden_size",
                                              "ffn_dim", "d_ff"};
inline constexpr std::string_view kTied[] = {"tie_word_embeddings", "tie_embeddings",
                                             "weight_tying"};
}  // namespace keys

/// Reads hidden size, vocabulary, tied embeddings and the number of layers into `spec`, whose
/// layers are left empty.
void read_sizes(json::Fields& config, const DecoderProfile& profile, ModelSpec& spec);

/// Grouped-query attention from the usual keys. Needs spec.hidden_size.
Attention read_attention(json::Fields& config, const DecoderProfile& profile,
                         const ModelSpec& spec);

/// The dense feed-forward from the usual keys. Needs spec.hidden_size.
FeedForward read_dense(json::Fields& config, const DecoderProfile& profile, const ModelSpec& spec);

/// The whole of an ordinary dense decoder: sizes, attention, feed-forward, norms, windows.
void read_decoder(json::Fields& config, const DecoderProfile& profile, ModelSpec& spec);

/// Gives layers their windows by the profile's rule. Source: vLLM 0.28 engine/arg_utils.py and the
/// model classes; Hugging Face config classes for what derives absent layer_types.
void apply_windows(json::Fields& config, const DecoderProfile& profile, ModelSpec& spec);

/// Windows of a list, one entry a layer and the list begun again where it ends: a number, or null
/// for a layer that sees everything. One number stands for all layers.
void apply_window_list(json::Fields& config, std::string_view key, ModelSpec& spec);

/// The names of `layer_types` (or another list of names), one a layer; empty when the key is
/// absent. A list of another length is an error, as it is to the config classes.
std::vector<std::string_view> read_names(json::Fields& config, std::string_view key,
                                         std::size_t layers);

/// The numbers of a list such as `mlp_only_layers` or `full_attn_idxs`, counted from `base`; true
/// where a layer is named. Empty when the key is absent.
std::vector<bool> read_layer_set(json::Fields& config, std::string_view key, std::size_t layers,
                                 std::uint64_t base = 0);

/// One number a layer: a list, or one number for all. Empty when the key is absent.
std::vector<std::uint64_t> read_per_layer(json::Fields& config, std::string_view key,
                                          std::size_t layers, json::Range range);

}  // namespace ridgepoint::model
