#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "precision/quantization.hpp"
#include "precision/weight_format.hpp"

namespace ridgepoint::model {

enum class AttentionKind : std::uint8_t {
  full,     ///< every earlier token is cached
  sliding,  ///< only the last `window` tokens
  latent,   ///< MLA: one compressed row a token, shared by all heads
};

enum class QkNorm : std::uint8_t { none, per_head };

/// One layer's attention. Dimensions are elements; names are those of config.json.
struct Attention {
  AttentionKind kind = AttentionKind::full;
  std::uint64_t num_attention_heads = 0;
  std::uint64_t num_key_value_heads = 0;  ///< latent: equal to num_attention_heads by nature
  std::uint64_t head_dim = 0;             ///< of queries and keys
  std::uint64_t v_head_dim = 0;
  std::uint64_t window = 0;  ///< sliding only, in tokens
  bool qkv_bias = false;
  bool output_bias = false;
  QkNorm qk_norm = QkNorm::none;
  bool sinks = false;  ///< one learned logit a head (gpt-oss)
  // Latent attention only.
  std::uint64_t q_lora_rank = 0;  ///< 0: queries are projected directly
  std::uint64_t kv_lora_rank = 0;
  std::uint64_t qk_nope_head_dim = 0;
  std::uint64_t qk_rope_head_dim = 0;

  friend bool operator==(const Attention&, const Attention&) = default;
};

/// One layer's feed-forward network: dense, or a mixture of experts when num_experts > 0.
struct FeedForward {
  std::uint64_t intermediate_size = 0;  ///< dense width, 0 in a mixture
  bool gated = true;                    ///< gate and up projections, else up alone
  bool bias = false;
  std::uint64_t num_experts = 0;
  std::uint64_t num_experts_per_tok = 0;
  std::uint64_t moe_intermediate_size = 0;
  bool expert_bias = false;
  bool router_bias = false;                    ///< a bias of the router's projection (gpt-oss)
  bool score_correction_bias = false;          ///< a per-expert load-balancing bias (DeepSeek-V3)
  std::uint64_t shared_intermediate_size = 0;  ///< all shared experts together
  bool shared_expert_gate = false;             ///< one gate value a token (Qwen2-MoE)

  [[nodiscard]] bool moe() const { return num_experts != 0; }
  friend bool operator==(const FeedForward&, const FeedForward&) = default;
};

struct Layer {
  Attention attention;
  FeedForward feed_forward;
  std::uint64_t norms = 2;  ///< vectors of hidden_size

  friend bool operator==(const Layer&, const Layer&) = default;
};

/// Rotary position settings, as far as they decide lengths and table sizes.
struct Rope {
  std::string type;  ///< "" when plain, else "llama3", "yarn", "linear", "longrope" …
  double factor = 1.0;
  std::uint64_t original_max_position_embeddings = 0;  ///< 0: not given
  std::uint64_t rotary_dim = 0;                        ///< values rotated a head
};

/// Names of a dialect's modules where they differ, for a checkpoint's list of unquantised modules.
struct ModuleNames {
  std::string_view router = "mlp.gate";
  std::string_view expert_gate = "mlp.experts.0.gate_proj";
  std::string_view expert_up = "mlp.experts.0.up_proj";
  std::string_view expert_down = "mlp.experts.0.down_proj";
};

/// A model layer by layer, independent of any engine. Made by read_model, which has checked every
/// size: products of these fields fit in 64 bits.
struct ModelSpec {
  std::string id;
  std::string architecture;
  std::string model_type;
  std::uint64_t hidden_size = 0;
  std::uint64_t vocab_size = 0;
  bool tie_word_embeddings = false;
  bool lm_head_bias = false;
  std::vector<Layer> layers;
  std::uint64_t mtp_layers = 0;  ///< multi-token-prediction layers in the checkpoint
  precision::Dtype dtype = precision::Dtype::bfloat16;
  bool dtype_given = false;
  std::uint64_t max_position_embeddings = 0;  ///< 0: not given
  std::uint64_t model_max_length = 0;         ///< overrides the above where a config has it
  Rope rope;
  ModuleNames names;
  precision::Quantization quantization;
  std::optional<std::uint64_t> checkpoint_bytes;  ///< as given with the request
  std::vector<std::string> notes;

  [[nodiscard]] bool moe() const;
  [[nodiscard]] bool latent() const;
  [[nodiscard]] bool windowed() const;
};

/// "mha", "gqa", "mqa", "mla", "swa" (every layer windowed) or "hybrid" (kinds mixed).
std::string_view attention_label(const ModelSpec& spec);

/// The length the model claims: max_position_embeddings or its override, 0 when not given.
std::uint64_t claimed_context(const ModelSpec& spec);

}  // namespace ridgepoint::model
