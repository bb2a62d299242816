#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/tensor.hpp"
#include "precision/quantization.hpp"
#include "precision/weight_format.hpp"

namespace ridgepoint::model {

enum class AttentionKind : std::uint8_t {
  none,           ///< the layer has no attention, or another mixer in its place
  full,           ///< every earlier token is cached
  sliding,        ///< only the last `window` tokens
  chunked,        ///< only the tokens of the same chunk of `window` tokens
  latent,         ///< MLA: one compressed row a token, shared by all heads
  compressed,     ///< DeepSeek-V4: a window, and rows that stand for `compress_ratio` tokens each
  bidirectional,  ///< of an encoder: nothing is cached
  cross,          ///< keys and values of an encoder or a vision tower
};

enum class QkNorm : std::uint8_t {
  none,
  per_head,    ///< one vector of head_dim for all query heads, one for all key heads
  full_width,  ///< a vector over all query heads, one over all key heads
};

/// The selection network of sparse attention (DeepSeek Sparse Attention). Zero heads: none.
struct Indexer {
  std::uint64_t heads = 0;
  std::uint64_t head_dim = 0;
  bool caches = true;        ///< false: the layer takes over the choice of an earlier one
  std::uint64_t chosen = 0;  ///< rows that attention then looks at; 0: not told

  friend bool operator==(const Indexer&, const Indexer&) = default;
};

/// One layer's attention. Dimensions are elements; names are those of config.json.
struct Attention {
  AttentionKind kind = AttentionKind::none;
  std::uint64_t num_attention_heads = 0;
  std::uint64_t num_key_value_heads = 0;  ///< latent: equal to num_attention_heads by nature
  std::uint64_t head_dim = 0;             ///< of queries and keys
  std::uint64_t v_head_dim = 0;
  std::uint64_t window = 0;  ///< sliding, chunked, compressed: in tokens
  bool qkv_bias = false;
  bool output_bias = false;
  bool output_gate = false;  ///< queries come with a gate of their own width (Qwen3-Next)
  QkNorm qk_norm = QkNorm::none;
  bool sinks = false;            ///< one learned logit a head (gpt-oss)
  bool keys_are_values = false;  ///< no v_proj: the value is the key (Gemma 4 global layers)
  /// Reads the cache of this layer and owns neither cache nor key and value weights.
  std::optional<std::uint64_t> shares_cache_of;
  std::uint64_t q_lora_rank = 0;  ///< 0: queries are projected directly
  // Latent attention only.
  std::uint64_t kv_lora_rank = 0;
  std::uint64_t qk_nope_head_dim = 0;
  std::uint64_t qk_rope_head_dim = 0;
  /// MLA weights whose cache the engine keeps per head (MiniCPM3).
  bool cached_per_head = false;
  Indexer indexer;
  std::uint64_t compress_ratio = 0;  ///< compressed only: 0 or 1 (window alone), 4, 128
  bool weights_apart = false;        ///< its dialect lists the weights (Zamba2's shared blocks)

  /// Whether the layer owns a cache that a token adds to.
  [[nodiscard]] bool caches() const {
    return kind != AttentionKind::none && kind != AttentionKind::bidirectional &&
           !shares_cache_of.has_value();
  }
  friend bool operator==(const Attention&, const Attention&) = default;
};

enum class StateKind : std::uint8_t {
  none,
  mamba1,
  mamba2,
  gated_delta,  ///< GDN (Qwen3-Next)
  kda,          ///< Kimi delta attention
  short_conv,   ///< LFM2
  linear,       ///< lightning attention (MiniMax-01, Ling 2.5)
};

/// A mixer whose memory of the past is a state of fixed size.
struct State {
  StateKind kind = StateKind::none;
  std::uint64_t inner_size = 0;  ///< channels: mamba1, mamba2, short_conv
  std::uint64_t state_size = 0;  ///< mamba1, mamba2: N
  std::uint64_t groups = 1;      ///< mamba2
  std::uint64_t heads = 0;       ///< mamba2, delta rules (value heads), linear
  std::uint64_t head_dim = 0;    ///< of those heads
  std::uint64_t key_heads = 0;   ///< delta rules
  std::uint64_t key_head_dim = 0;
  std::uint64_t conv_kernel = 0;
  std::uint64_t dt_rank = 0;     ///< mamba1
  bool conv_bias = true;         ///< mamba, short_conv
  bool projection_bias = false;  ///< in and out projections
  bool inner_norm = false;       ///< mamba2: a gated norm of inner_size before the out projection
  bool split_inputs = false;     ///< gated_delta: stored as in_proj_qkv, z, b and a (Qwen3.5)
  bool full_rank_gate = false;   ///< kda: the output gate is one projection, without a bottleneck
  bool full_rank_decay = false;  ///< kda: likewise the decay
  bool weights_apart = false;    ///< its dialect lists the weights (PLaMo 2)

  friend bool operator==(const State&, const State&) = default;
};

/// One layer's feed-forward network: dense of intermediate_size, a mixture when num_experts > 0,
/// both beside each other when both are set, none when neither is.
struct FeedForward {
  std::uint64_t intermediate_size = 0;
  bool gated = true;  ///< gate and up projections, else up alone
  bool bias = false;
  std::uint64_t num_experts = 0;
  std::uint64_t num_experts_per_tok = 0;
  std::uint64_t moe_intermediate_size = 0;
  bool experts_gated = true;
  bool expert_bias = false;
  std::uint64_t expert_hidden_size = 0;  ///< the width experts read and write; 0: hidden_size
  std::uint64_t router_outputs = 0;      ///< 0: num_experts; more with experts that do nothing
  bool router_bias = false;              ///< a bias of the router's projection (gpt-oss)
  bool score_correction_bias = false;    ///< a per-expert load-balancing bias (DeepSeek-V3)
  std::uint64_t shared_intermediate_size = 0;  ///< all shared experts together
  bool shared_expert_gate = false;             ///< one gate value a token (Qwen2-MoE)

  [[nodiscard]] bool moe() const { return num_experts != 0; }
  [[nodiscard]] bool none() const { return num_experts == 0 && intermediate_size == 0; }
  friend bool operator==(const FeedForward&, const FeedForward&) = default;
};

struct Layer {
  Attention attention;
  Attention cross;  ///< a second attention, over an encoder's output
  State state;      ///< in place of attention, or beside it (Falcon-H1, Zamba2)
  FeedForward feed_forward;
  std::uint64_t norms = 2;    ///< vectors of hidden_size; a LayerNorm with bias has two
  std::vector<Tensor> extra;  ///< what none of the above says

  friend bool operator==(const Layer&, const Layer&) = default;
};

/// Rotary position settings, as far as they decide lengths and table sizes.
struct Rope {
  std::string type;  ///< "" when plain, else "llama3", "yarn", "linear", "longrope" …
  double factor = 1.0;
  std::uint64_t original_max_position_embeddings = 0;  ///< 0: not given
  std::uint64_t rotary_dim = 0;                        ///< values rotated a head; 0: none
  /// Values rotated a head in windowed layers that have frequencies of their own; 0: they have not.
  std::uint64_t local_rotary_dim = 0;
  bool length_is_scaled = false;  ///< the length that the model claims has the factor in it
};

/// Names of a dialect's modules where they differ, for a checkpoint's list of unquantised modules.
/// Blocks end in a dot.
struct ModuleNames {
  std::string_view layers = "model.layers.";
  std::string_view attention = "self_attn.";
  std::string_view state = "mixer.";
  std::string_view mlp = "mlp.";
  std::string_view shared = "mlp.shared_experts.";
  std::string_view experts = "mlp.experts.0.";
  std::string_view router = "mlp.gate";
  std::string_view gate = "gate_proj";
  std::string_view up = "up_proj";
  std::string_view down = "down_proj";
};

/// Multi-token-prediction modules of a checkpoint. Engines load them only to speculate.
struct Mtp {
  std::vector<Layer> layers;
  std::uint64_t modules = 0;      ///< each joins embedding and hidden state: 2h x h
  std::uint64_t join_norms = 3;   ///< vectors of hidden_size a module
  bool copies_embedding = false;  ///< each module stores the table again
  bool copies_lm_head = false;
};

/// What a config says of its vision tower under the names that engines read; 0: not said.
struct VisionConfig {
  bool present = false;
  std::uint64_t num_hidden_layers = 0;
  std::uint64_t hidden_size = 0;
};

/// A tensor as a GGUF stores it, in a format of its own.
struct StoredTensor {
  std::string name;         ///< "blk.0.attn_q.weight"
  std::string_view format;  ///< ggml's name of the number format: "Q4_K"
  std::uint64_t elements = 0;
  std::uint64_t bytes = 0;
};

/// How far the reader knows what it read.
enum class Confidence : std::uint8_t { exact, assumed };

/// A model layer by layer, independent of any engine. Made by read_model, which has checked every
/// size: products of these fields fit in 64 bits.
struct ModelSpec {
  std::string id;
  std::string architecture;
  std::string model_type;
  std::uint64_t hidden_size = 0;
  std::uint64_t vocab_size = 0;
  std::uint64_t embedding_size = 0;  ///< width of the vocabulary's tables; 0: hidden_size
  bool tie_word_embeddings = false;
  bool lm_head = true;  ///< false: an encoder or a reward model without one
  bool lm_head_bias = false;
  std::vector<Layer> layers;
  std::uint64_t final_norms = 1;  ///< vectors of hidden_size after the last layer
  std::vector<Tensor> extra;      ///< outside the layers: towers, projectors, further tables
  Mtp mtp;
  bool encoder_only = false;
  std::uint64_t encoder_tokens = 0;  ///< the longest input of the encoder, for cross attention
  bool state_float32 = false;        ///< the recurrent state is kept in float32 by default
  precision::Dtype dtype = precision::Dtype::bfloat16;
  bool dtype_given = false;
  std::uint64_t max_position_embeddings = 0;  ///< 0: not given
  std::uint64_t model_max_length = 0;         ///< overrides the above where a config has it
  Rope rope;
  ModuleNames names;
  VisionConfig vision;
  precision::Quantization quantization;
  std::optional<std::uint64_t> checkpoint_bytes;   ///< as given, or as the weights' own files say
  std::string weights_source = "config";           ///< what told the size of the checkpoint
  std::optional<std::uint64_t> stored_parameters;  ///< elements stored in all tensors
  std::string stored_format;  ///< of the weights, for people, where the files tell; else empty
  std::vector<StoredTensor> stored_tensors;  ///< of a GGUF that was given; else empty
  Confidence confidence = Confidence::exact;
  std::vector<std::string> notes;

  [[nodiscard]] bool has(AttentionKind kind) const;
  [[nodiscard]] bool moe() const;
  [[nodiscard]] bool latent() const;
  [[nodiscard]] bool windowed() const;
  [[nodiscard]] bool stateful() const;
};

/// "mha", "gqa", "mqa", "mla", "swa" (every layer windowed), "ssm" (states alone), "encoder" or
/// "hybrid" (kinds mixed).
std::string_view attention_label(const ModelSpec& spec);

/// The first layer with attention of its own; null in a model without any.
const Attention* first_attention(const ModelSpec& spec);

/// The length the model claims: max_position_embeddings or its override, 0 when not given.
std::uint64_t claimed_context(const ModelSpec& spec);

}  // namespace ridgepoint::model
