#include "checkpoint/gguf_config.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace ridgepoint::checkpoint {
namespace {

using json::Value;

/// A metadata key below the architecture's name, and what transformers calls it.
struct Key {
  std::string_view gguf;
  std::string_view config;
};
using Keys = std::span<const Key>;

constexpr json::Range kAnyNumber{0, 1ULL << 40U};

/// Reads of metadata and tensors, and the config being written.
class Builder {
 public:
  Builder(const Gguf& gguf, std::string arch, std::string path)
      : gguf_(gguf), arch_(std::move(arch)), fields_(gguf.metadata, std::move(path)) {}

  [[nodiscard]] std::string full(std::string_view key) const {
    return arch_ + "." + std::string(key);
  }

  std::optional<std::uint64_t> number(std::string_view key) {
    const std::string name = full(key);
    const Value* value = fields_.find(name);
    if (value != nullptr && value->is_array()) {
      return common(name, *value);
    }
    return fields_.whole({name}, kAnyNumber);
  }

  std::optional<double> real(std::string_view key) {
    return fields_.number({full(key)}, -1e30, 1e30);
  }

  /// One value a layer: an array as it is, nothing when the key holds one number for all.
  std::vector<std::uint64_t> by_layer(std::string_view key) {
    std::vector<std::uint64_t> list;
    const Value* value = fields_.find(full(key));
    if (value == nullptr || !value->is_array()) {
      return list;
    }
    for (const Value& each : *value) {
      list.push_back(each.is_boolean() ? std::uint64_t{each.get<bool>()} : whole(each));
    }
    return list;
  }

  [[nodiscard]] const Tensor* tensor(std::string_view name) const {
    for (const Tensor& each : gguf_.tensors) {
      if (each.name == name) {
        return &each;
      }
    }
    return nullptr;
  }
  [[nodiscard]] bool has(std::string_view name) const { return tensor(name) != nullptr; }
  [[nodiscard]] bool has(std::uint64_t layer, std::string_view rest) const {
    return has("blk." + std::to_string(layer) + "." + std::string(rest));
  }
  /// The second length of a matrix: its rows, as ggml puts the row length first.
  [[nodiscard]] std::uint64_t rows(std::string_view name) const {
    const Tensor* found = tensor(name);
    return found == nullptr || found->shape.size() < 2 ? 0 : found->shape[1];
  }

  /// Keeps a value that the metadata has; `config` may be one that a family's own key has set.
  void copy(std::string_view key, std::string_view config) {
    if (const auto value = number(key)) {
      set(config, *value);
    }
  }

  void set(std::string_view key, Value value) { config_[std::string(key)] = std::move(value); }
  [[nodiscard]] std::uint64_t get(std::string_view key) const {
    const auto found = config_.find(key);
    return found == config_.end() ? 0 : whole(*found);
  }
  void rename(std::string_view architecture, std::string_view type) {
    set("architectures", Value::array({std::string(architecture)}));
    set("model_type", std::string(type));
  }

  void fail(std::string_view code, std::string_view key, std::string message) {
    fields_.fail(code, full(key), std::move(message));
  }
  json::Fields& fields() { return fields_; }
  Value take() { return std::move(config_); }
  [[nodiscard]] std::uint64_t layers() const { return layers_; }
  void set_layers(std::uint64_t layers) { layers_ = layers; }

 private:
  static std::uint64_t whole(const Value& value) {
    return value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
  }

  /// The value that all layers share that have one at all: hybrids write 0 for the others.
  std::optional<std::uint64_t> common(const std::string& name, const Value& list) {
    std::uint64_t most = 0;
    bool several = false;
    for (const Value& each : list) {
      const std::uint64_t value = each.is_boolean() ? 0 : whole(each);
      several = several || (most != 0 && value != 0 && value != most);
      most = std::max(most, std::min(value, kAnyNumber.most));
    }
    if (several) {
      varies_.push_back(name);
    }
    return most;
  }

 public:
  /// Whether the layers differ in a value beyond having it or not.
  [[nodiscard]] bool varies(std::string_view key) const {
    return std::find(varies_.begin(), varies_.end(), full(key)) != varies_.end();
  }

 private:
  const Gguf& gguf_;
  std::string arch_;
  json::Fields fields_;
  Value config_ = Value::object();
  std::vector<std::string> varies_;
  std::uint64_t layers_ = 0;
};

/// What nearly every config class calls it. A family's own list is asked first, and what it names
/// is not written twice.
constexpr Key kCommon[] = {
    {"embedding_length", "hidden_size"},
    {"feed_forward_length", "intermediate_size"},
    {"attention.head_count", "num_attention_heads"},
    {"attention.head_count_kv", "num_key_value_heads"},
    {"attention.key_length", "head_dim"},
    {"context_length", "max_position_embeddings"},
    {"attention.sliding_window", "sliding_window"},
};

constexpr Key kLocalExperts[] = {
    {"expert_count", "num_local_experts"},
    {"expert_used_count", "num_experts_per_tok"},
};
constexpr Key kLocalExpertsOwnWidth[] = {
    {"expert_count", "num_local_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_feed_forward_length", "intermediate_size"},
    {"feed_forward_length", ""},
};
constexpr Key kGraniteMoe[] = {
    {"expert_count", "num_local_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_shared_feed_forward_length", "shared_intermediate_size"},
};
constexpr Key kLlama4[] = {
    {"expert_count", "num_local_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_feed_forward_length", "intermediate_size"},
    {"feed_forward_length", "intermediate_size_mlp"},
    {"interleave_moe_layer_step", "interleave_moe_layer_step"},
};
constexpr Key kNumExperts[] = {
    {"expert_count", "num_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
    {"expert_shared_feed_forward_length", "shared_expert_intermediate_size"},
    {"leading_dense_block_count", "num_dense_layers"},
};
constexpr Key kRouted[] = {
    {"expert_count", "n_routed_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
    {"expert_shared_count", "n_shared_experts"},
    {"leading_dense_block_count", "first_k_dense_replace"},
    {"attention.q_lora_rank", "q_lora_rank"},
    {"attention.kv_lora_rank", "kv_lora_rank"},
    {"attention.indexer.head_count", "index_n_heads"},
    {"attention.indexer.key_length", "index_head_dim"},
    {"attention.indexer.top_k", "index_topk"},
};
constexpr Key kBailing[] = {
    {"expert_count", "num_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
    {"expert_shared_count", "num_shared_experts"},
    {"leading_dense_block_count", "first_k_dense_replace"},
};
constexpr Key kErnie[] = {
    {"expert_count", "moe_num_experts"},
    {"expert_used_count", "moe_k"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
    {"expert_shared_count", "moe_num_shared_experts"},
    {"leading_dense_block_count", "moe_layer_start_index"},
    {"interleave_moe_layer_step", "moe_layer_interval"},
};
constexpr Key kHunyuan[] = {
    {"expert_count", "num_experts"},
    {"expert_used_count", "moe_topk"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
    {"expert_shared_count", "num_shared_expert"},
};
constexpr Key kGemma3n[] = {
    {"embedding_length_per_layer_input", "hidden_size_per_layer_input"},
    {"altup.num_inputs", "altup_num_inputs"},
    {"altup.active_idx", "altup_active_idx"},
    {"attention.shared_kv_layers", "num_kv_shared_layers"},
};
constexpr Key kGemma4[] = {
    {"embedding_length_per_layer_input", "hidden_size_per_layer_input"},
    {"attention.shared_kv_layers", "num_kv_shared_layers"},
    {"attention.key_length", "global_head_dim"},
    {"attention.key_length_swa", "head_dim"},
    {"expert_count", "num_experts"},
    {"expert_used_count", "top_k_experts"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
};
constexpr Key kGpt2[] = {
    {"embedding_length", "n_embd"},         {"block_count", "n_layer"},
    {"attention.head_count", "n_head"},     {"attention.head_count_kv", ""},
    {"feed_forward_length", "n_inner"},     {"context_length", "n_positions"},
    {"rope.dimension_count", "rotary_dim"}, {"attention.key_length", ""},
};
constexpr Key kBloom[] = {
    {"block_count", "n_layer"},       {"attention.head_count", "n_head"},
    {"attention.head_count_kv", ""},  {"feed_forward_length", ""},
    {"context_length", "seq_length"},
};
constexpr Key kMpt[] = {
    {"embedding_length", "d_model"},     {"block_count", "n_layers"},
    {"attention.head_count", "n_heads"}, {"attention.head_count_kv", ""},
    {"feed_forward_length", ""},         {"context_length", "max_seq_len"},
};
constexpr Key kFalcon[] = {
    {"feed_forward_length", "ffn_hidden_size"},
    {"attention.head_count_kv", "num_kv_heads"},
};
constexpr Key kChatGlm[] = {
    {"block_count", "num_layers"},
    {"feed_forward_length", "ffn_hidden_size"},
    {"attention.head_count_kv", "multi_query_group_num"},
    {"attention.key_length", "kv_channels"},
    {"context_length", "seq_length"},
};
constexpr Key kLinear[] = {
    {"expert_count", "num_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
    {"expert_shared_feed_forward_length", "shared_expert_intermediate_size"},
    {"ssm.conv_kernel", "linear_conv_kernel_dim"},
    {"ssm.state_size", "linear_key_head_dim"},
    {"ssm.group_count", "linear_num_key_heads"},
    {"ssm.time_step_rank", "linear_num_value_heads"},
};
constexpr Key kMamba[] = {
    {"ssm.inner_size", "intermediate_size"},
    {"ssm.state_size", "state_size"},
    {"ssm.conv_kernel", "conv_kernel"},
    {"feed_forward_length", ""},
    {"attention.head_count", ""},
    {"attention.head_count_kv", ""},
    {"ssm.time_step_rank", "time_step_rank"},
};
constexpr Key kMamba2[] = {
    {"ssm.inner_size", "intermediate_size"},
    {"ssm.state_size", "state_size"},
    {"ssm.conv_kernel", "conv_kernel"},
    {"feed_forward_length", ""},
    {"attention.head_count", ""},
    {"attention.head_count_kv", ""},
    {"ssm.time_step_rank", "num_heads"},
    {"ssm.group_count", "n_groups"},
};
constexpr Key kJamba[] = {
    {"expert_count", "num_experts"},         {"expert_used_count", "num_experts_per_tok"},
    {"ssm.state_size", "mamba_d_state"},     {"ssm.conv_kernel", "mamba_d_conv"},
    {"ssm.time_step_rank", "mamba_dt_rank"},
};
constexpr Key kMambaHybrid[] = {
    {"expert_count", "num_local_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_shared_feed_forward_length", "shared_intermediate_size"},
    {"ssm.state_size", "mamba_d_state"},
    {"ssm.conv_kernel", "mamba_d_conv"},
    {"ssm.group_count", "mamba_n_groups"},
    {"ssm.time_step_rank", "mamba_n_heads"},
    {"ssm.inner_size", "mamba_d_ssm"},
};
constexpr Key kNemotronH[] = {
    {"expert_count", "n_routed_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
    {"expert_shared_feed_forward_length", "moe_shared_expert_intermediate_size"},
    {"expert_shared_count", "n_shared_experts"},
    {"moe_latent_size", "moe_latent_size"},
    {"ssm.state_size", "ssm_state_size"},
    {"ssm.conv_kernel", "conv_kernel"},
    {"ssm.group_count", "n_groups"},
    {"ssm.time_step_rank", "mamba_num_heads"},
};
constexpr Key kLfm2[] = {
    {"shortconv.l_cache", "conv_L_cache"},
    {"expert_count", "num_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
    {"leading_dense_block_count", "num_dense_layers"},
};

// What a table of keys cannot say, family by family. ---------------------------------------------

void llama(Builder& b) {
  if (b.get("num_local_experts") > 0) {
    b.rename("MixtralForCausalLM", "mixtral");
  }
}

/// llama.cpp builds the window in (llama-model.cpp, n_swa of llama4): the metadata has none.
void llama4(Builder& b) { b.set("attention_chunk_size", std::uint64_t{8192}); }

void use_bias(Builder& b) {
  b.set("use_bias", b.has(0, "attn_q.bias"));
  b.set("use_qkv_bias", b.has(0, "attn_q.bias"));
}

void qkv_bias_alone(Builder& b) {
  b.set("attention_bias", b.has(0, "attn_q.bias"));
  b.set("attention_out_bias", b.has(0, "attn_output.bias"));
  b.set("use_qk_norm", b.has(0, "attn_q_norm.weight"));
}

void qk_norm(Builder& b) {
  b.set("use_qk_norm", b.has(0, "attn_q_norm.weight"));
  b.set("use_routing_bias", b.has(b.layers() - 1, "exp_probs_b.bias"));
}

void phi3(Builder& b) {
  if (!b.has("rope_factors_long.weight")) {
    return;
  }
  Value rope = Value::object();
  rope["rope_type"] = "longrope";
  b.set("rope_scaling", std::move(rope));
  b.copy("rope.scaling.original_context_length", "original_max_position_embeddings");
}

/// Key lengths of latent attention: of a head, or (older files) the same under the plain key.
void latent(Builder& b) {
  const std::uint64_t rope = b.number("rope.dimension_count").value_or(0);
  const std::uint64_t key =
      b.number("attention.key_length_mla").value_or(b.number("attention.key_length").value_or(0));
  const std::uint64_t value = b.number("attention.value_length_mla")
                                  .value_or(b.number("attention.value_length").value_or(0));
  if (b.get("kv_lora_rank") == 0 || rope == 0 || key <= rope || value == 0) {
    b.fail("missing_field", "attention.key_length",
           "The metadata of this latent attention must have attention.kv_lora_rank, "
           "rope.dimension_count, and a key_length above it.");
    return;
  }
  b.set("qk_rope_head_dim", rope);
  b.set("qk_nope_head_dim", key - rope);
  b.set("v_head_dim", value);
  b.set("head_dim", nullptr);
  // The absorbed form is written as one key-value head; the model has one a query head.
  b.set("num_key_value_heads", b.get("num_attention_heads"));
}

void deepseek2(Builder& b) {
  latent(b);
  constexpr std::uint64_t kSigmoid = 2;  // gguf-py, ExpertGatingFuncType
  if (b.number("expert_gating_func").value_or(0) == kSigmoid) {
    b.rename("DeepseekV3ForCausalLM", "deepseek_v3");
    b.set("topk_method", b.has(b.layers() - 1, "exp_probs_b.bias") ? "noaux_tc" : "greedy");
  }
}

void granitemoe(Builder& b) {
  if (b.get("shared_intermediate_size") > 0) {
    b.rename("GraniteMoeSharedForCausalLM", "granitemoeshared");
  }
}

void falcon(Builder& b) {
  b.set("multi_query", b.get("num_kv_heads") == 1);
  b.set("new_decoder_architecture", b.has(0, "attn_norm_2.weight"));
  b.set("parallel_attn", true);
  b.set("bias", b.has(0, "attn_qkv.bias"));
}

void mpt(Builder& b) {
  const std::uint64_t width = b.get("d_model");
  b.set("expansion_ratio",
        width == 0 ? std::uint64_t{0} : b.number("feed_forward_length").value_or(0) / width);
  b.set("no_bias", !b.has(0, "attn_qkv.bias"));
  Value attention = Value::object();
  attention["alibi"] = !b.has("position_embd.weight");
  if (const auto heads = b.number("attention.head_count_kv")) {
    attention["kv_n_heads"] = *heads;
  }
  b.set("attn_config", std::move(attention));
}

void starcoder(Builder& b) { b.set("multi_query", b.number("attention.head_count_kv") == 1); }

void chatglm(Builder& b) {
  b.set("multi_query_attention", true);
  b.set("add_qkv_bias", b.has(0, "attn_qkv.bias") || b.has(0, "attn_q.bias"));
  b.set("padded_vocab_size", b.get("vocab_size"));
}

void olmo2(Builder& b) {
  if (b.get("sliding_window") > 0) {
    b.rename("Olmo3ForCausalLM", "olmo3");
  }
}

void gemma3n(Builder& b) {
  b.set("vocab_size_per_layer_input", b.rows("per_layer_token_embd.weight"));
  b.set("laurel_rank", b.rows("blk.0.laurel_l.weight"));
}

void gemma4(Builder& b) {
  b.set("vocab_size_per_layer_input", b.rows("per_layer_token_embd.weight"));
  const auto windowed = b.by_layer("attention.sliding_window_pattern");
  const auto heads = b.by_layer("attention.head_count_kv");
  for (std::size_t i = 0; i < windowed.size() && i < heads.size(); ++i) {
    b.set(windowed[i] != 0 ? "num_key_value_heads" : "num_global_key_value_heads", heads[i]);
    if (windowed[i] == 0) {
      b.set("attention_k_eq_v", !b.has(i, "attn_v.weight"));
    }
  }
  const auto widths = b.by_layer("feed_forward_length");
  if (!widths.empty()) {
    const auto [least, most] = std::minmax_element(widths.begin(), widths.end());
    b.set("intermediate_size", *least);
    b.set("use_double_wide_mlp", *most == 2 * *least);
  }
}

/// Names of layers by what each has: hybrids write 0 key-value heads where there is no attention.
void layer_types(Builder& b, std::string_view other, std::string_view attention) {
  const auto heads = b.by_layer("attention.head_count_kv");
  if (heads.empty()) {
    return;
  }
  Value types = Value::array();
  for (std::size_t i = 0; i < heads.size() && i < b.layers(); ++i) {
    types.push_back(std::string(heads[i] == 0 ? other : attention));
  }
  b.set("layer_types", std::move(types));
}

void linear(Builder& b) {
  const std::uint64_t heads = b.get("linear_num_value_heads");
  const std::uint64_t inner = b.number("ssm.inner_size").value_or(0);
  b.set("linear_value_head_dim", heads == 0 ? std::uint64_t{0} : inner / heads);
  // Qwen3-Next's default, which converters before the key was added leave out.
  const std::uint64_t every = b.number("full_attention_interval").value_or(4);
  b.set("full_attention_interval", every);
  Value types = Value::array();
  for (std::uint64_t i = 0; i < b.layers(); ++i) {
    const bool full = every != 0 && (i + 1) % every == 0;
    types.push_back(full ? "full_attention" : "linear_attention");
  }
  b.set("layer_types", std::move(types));
  b.set("decoder_sparse_step", std::uint64_t{1});
}

void mamba_expand(Builder& b, std::string_view key) {
  const std::uint64_t hidden = b.get("hidden_size");
  const std::uint64_t inner = b.number("ssm.inner_size").value_or(0);
  b.set(key, hidden == 0 ? std::uint64_t{0} : inner / hidden);
}

void mamba(Builder& b) { mamba_expand(b, "expand"); }

void mamba2(Builder& b) {
  mamba_expand(b, "expand");
  const std::uint64_t heads = b.get("num_heads");
  b.set("head_dim", heads == 0 ? std::uint64_t{0} : b.get("intermediate_size") / heads);
}

void mamba_hybrid(Builder& b) {
  mamba_expand(b, "mamba_expand");
  const std::uint64_t heads = b.get("mamba_n_heads");
  b.set("mamba_d_head", heads == 0 ? std::uint64_t{0} : b.get("mamba_d_ssm") / heads);
  layer_types(b, "mamba", "attention");
}

void lfm2(Builder& b) {
  layer_types(b, "conv", "full_attention");
  b.set("block_auto_adjust_ff_dim", false);
}

/// The first layer that `chosen` takes, and the distance to the next one.
template <typename Chosen>
void set_period(Builder& b, std::string_view offset, std::string_view period, Chosen chosen) {
  std::optional<std::uint64_t> first;
  for (std::uint64_t i = 0; i < b.layers(); ++i) {
    if (!chosen(i)) {
      continue;
    }
    if (first) {
      b.set(period, i - *first);
      return;
    }
    first = i;
    b.set(offset, i);
    b.set(period, b.layers());
  }
}

void jamba(Builder& b) {
  mamba_expand(b, "mamba_expand");
  const auto heads = b.by_layer("attention.head_count_kv");
  set_period(b, "attn_layer_offset", "attn_layer_period",
             [&](std::uint64_t i) { return i < heads.size() && heads[i] != 0; });
  set_period(b, "expert_layer_offset", "expert_layer_period",
             [&](std::uint64_t i) { return b.has(i, "ffn_gate_inp.weight"); });
}

void nemotron_h(Builder& b) {
  const std::uint64_t heads = b.get("mamba_num_heads");
  const std::uint64_t inner = b.number("ssm.inner_size").value_or(0);
  b.set("mamba_head_dim", heads == 0 ? std::uint64_t{0} : inner / heads);
  mamba_expand(b, "expand");
  const auto attention = b.by_layer("attention.head_count_kv");
  const auto widths = b.by_layer("feed_forward_length");
  std::string pattern;
  for (std::uint64_t i = 0; i < b.layers(); ++i) {
    const bool attends = i < attention.size() && attention[i] != 0;
    const bool feeds = i < widths.size() && widths[i] != 0;
    const bool routes = b.has(i, "ffn_gate_inp.weight");
    pattern += attends ? '*' : (routes ? 'E' : (feeds ? '-' : 'M'));
  }
  b.set("hybrid_override_pattern", pattern);
}

struct Family {
  std::string_view gguf;
  std::string_view architecture;
  std::string_view model_type;
  Keys keys;
  std::uint64_t period = 0;  ///< every n-th layer is full, the others windowed; 0: see the metadata
  void (*more)(Builder&) = nullptr;
};

/// llama.cpp's names of architectures (gguf-py, MODEL_ARCH_NAMES) and the classes they are
/// converted from. Periods are those of llama.cpp's set_swa_pattern.
constexpr Family kFamilies[] = {
    {"llama", "LlamaForCausalLM", "llama", kLocalExperts, 0, llama},
    {"llama4", "Llama4ForCausalLM", "llama4_text", kLlama4, 0, llama4},
    {"mistral3", "Ministral3ForCausalLM", "ministral3", {}},
    {"qwen2", "Qwen2ForCausalLM", "qwen2", {}},
    {"qwen2vl", "Qwen2ForCausalLM", "qwen2", {}},
    {"qwen2moe", "Qwen2MoeForCausalLM", "qwen2_moe", kNumExperts},
    {"qwen3", "Qwen3ForCausalLM", "qwen3", {}},
    {"qwen3vl", "Qwen3ForCausalLM", "qwen3", {}},
    {"qwen3moe", "Qwen3MoeForCausalLM", "qwen3_moe", kNumExperts},
    {"qwen3vlmoe", "Qwen3MoeForCausalLM", "qwen3_moe", kNumExperts},
    {"qwen3next", "Qwen3NextForCausalLM", "qwen3_next", kLinear, 0, linear},
    {"qwen35", "Qwen3_5ForCausalLM", "qwen3_5_text", kLinear, 0, linear},
    {"qwen35moe", "Qwen3_5MoeForCausalLM", "qwen3_5_moe_text", kLinear, 0, linear},
    {"gemma", "GemmaForCausalLM", "gemma", {}},
    {"gemma2", "Gemma2ForCausalLM", "gemma2", {}, 2},
    {"gemma3", "Gemma3ForCausalLM", "gemma3_text", {}, 6},
    {"gemma3n", "Gemma3nForCausalLM", "gemma3n_text", kGemma3n, 5, gemma3n},
    {"gemma4", "Gemma4ForCausalLM", "gemma4_text", kGemma4, 6, gemma4},
    {"phi2", "PhiForCausalLM", "phi", {}},
    {"phi3", "Phi3ForCausalLM", "phi3", {}, 0, phi3},
    {"phimoe", "PhiMoEForCausalLM", "phimoe", kLocalExperts, 0, phi3},
    {"falcon", "FalconForCausalLM", "falcon", kFalcon, 0, falcon},
    {"falcon-h1", "FalconH1ForCausalLM", "falcon_h1", kMambaHybrid, 0, mamba_hybrid},
    {"mpt", "MPTForCausalLM", "mpt", kMpt, 0, mpt},
    {"bloom", "BloomForCausalLM", "bloom", kBloom},
    {"gpt2", "GPT2LMHeadModel", "gpt2", kGpt2},
    {"starcoder", "GPTBigCodeForCausalLM", "gpt_bigcode", kGpt2, 0, starcoder},
    {"gptj", "GPTJForCausalLM", "gptj", kGpt2},
    {"gptneox", "GPTNeoXForCausalLM", "gpt_neox", {}},
    {"stablelm", "StableLmForCausalLM", "stablelm", {}, 0, use_bias},
    {"starcoder2", "Starcoder2ForCausalLM", "starcoder2", {}, 0, use_bias},
    {"baichuan", "BaichuanForCausalLM", "baichuan", {}},
    {"xverse", "XverseForCausalLM", "xverse", {}},
    {"orion", "OrionForCausalLM", "orion", {}},
    {"minicpm", "MiniCPMForCausalLM", "minicpm", {}},
    {"minicpm3", "MiniCPM3ForCausalLM", "minicpm3", kRouted, 0, latent},
    {"internlm2", "InternLM2ForCausalLM", "internlm2", {}},
    {"olmo", "OlmoForCausalLM", "olmo", {}},
    {"olmo2", "Olmo2ForCausalLM", "olmo2", {}, 4, olmo2},
    {"olmoe", "OlmoeForCausalLM", "olmoe", kNumExperts},
    {"command-r", "CohereForCausalLM", "cohere", {}, 0, qk_norm},
    {"cohere2", "Cohere2ForCausalLM", "cohere2", {}, 4},
    {"deepseek", "DeepseekForCausalLM", "deepseek", kRouted},
    {"deepseek2", "DeepseekV2ForCausalLM", "deepseek_v2", kRouted, 0, deepseek2},
    {"glm-dsa", "GlmMoeDsaForCausalLM", "glm_moe_dsa", kRouted, 0, latent},
    {"chatglm", "ChatGLMModel", "chatglm", kChatGlm, 0, chatglm},
    {"glm4", "Glm4ForCausalLM", "glm4", {}},
    {"glm4moe", "Glm4MoeForCausalLM", "glm4_moe", kRouted, 0, qkv_bias_alone},
    {"dots1", "Dots1ForCausalLM", "dots1", kRouted},
    {"gpt-oss", "GptOssForCausalLM", "gpt_oss", kLocalExpertsOwnWidth, 2},
    {"granite", "GraniteForCausalLM", "granite", {}},
    {"granitemoe", "GraniteMoeForCausalLM", "granitemoe", kGraniteMoe, 0, granitemoe},
    {"granitehybrid", "GraniteMoeHybridForCausalLM", "granitemoehybrid", kMambaHybrid, 0,
     mamba_hybrid},
    {"exaone", "ExaoneForCausalLM", "exaone", {}},
    {"exaone4", "Exaone4ForCausalLM", "exaone4", {}, 4},
    {"nemotron", "NemotronForCausalLM", "nemotron", {}},
    {"nemotron_h", "NemotronHForCausalLM", "nemotron_h", kNemotronH, 0, nemotron_h},
    {"nemotron_h_moe", "NemotronHForCausalLM", "nemotron_h", kNemotronH, 0, nemotron_h},
    {"mamba", "MambaForCausalLM", "mamba", kMamba, 0, mamba},
    {"mamba2", "Mamba2ForCausalLM", "mamba2", kMamba2, 0, mamba2},
    {"jamba", "JambaForCausalLM", "jamba", kJamba, 0, jamba},
    {"lfm2", "Lfm2ForCausalLM", "lfm2", kLfm2, 0, lfm2},
    {"lfm2moe", "Lfm2MoeForCausalLM", "lfm2_moe", kLfm2, 0, lfm2},
    {"minimax-m2", "MiniMaxM2ForCausalLM", "minimax_m2", kLocalExpertsOwnWidth, 0, qk_norm},
    {"ernie4_5", "Ernie4_5ForCausalLM", "ernie4_5", {}, 0, use_bias},
    {"ernie4_5-moe", "Ernie4_5_MoeForCausalLM", "ernie4_5_moe", kErnie, 0, use_bias},
    {"hunyuan-dense", "HunYuanDenseV1ForCausalLM", "hunyuan_v1_dense", {}, 0, qk_norm},
    {"hunyuan-moe", "HunYuanMoEV1ForCausalLM", "hunyuan_v1_moe", kHunyuan, 0, qk_norm},
    {"bailingmoe", "BailingMoeForCausalLM", "bailing_moe", kBailing},
    {"bailingmoe2", "BailingMoeV2ForCausalLM", "bailing_moe_v2", kBailing, 0, qk_norm},
    {"seed_oss", "SeedOssForCausalLM", "seed_oss", {}, 0, qkv_bias_alone},
    {"smollm3", "SmolLM3ForCausalLM", "smollm3", {}},
    {"apertus", "ApertusForCausalLM", "apertus", {}},
    {"arcee", "ArceeForCausalLM", "arcee", {}},
};

const Family* find_family(std::string_view name) {
  for (const Family& family : kFamilies) {
    if (family.gguf == name) {
      return &family;
    }
  }
  return nullptr;
}

const Key* find_key(Keys keys, std::string_view name) {
  for (const Key& key : keys) {
    if (key.gguf == name) {
      return &key;
    }
  }
  return nullptr;
}

/// GGUF files that hold something else, by the type they give themselves or their architecture.
Check refuse_other_files(std::string_view architecture, std::string_view type,
                         const std::string& path) {
  const auto refuse = [&](std::string_view what) {
    return Error{"not_a_model",
                 "This GGUF holds " + std::string(what) + ": give the GGUF of the model itself.",
                 path};
  };
  if (type == "adapter") {
    return refuse("a LoRA adapter");
  }
  if (type == "imatrix") {
    return refuse("an importance matrix");
  }
  if (type == "mmproj" || architecture == "clip") {
    return refuse("the image or audio projector of a multimodal model (mmproj)");
  }
  return std::nullopt;
}

void write_vocabulary(Builder& b) {
  auto size = b.number("vocab_size");
  if (!size) {
    const auto tokens = b.fields().raw().find("tokenizer.ggml.tokens");
    if (tokens != b.fields().raw().end() && tokens->is_object()) {
      const auto length = tokens->find("array_length");
      if (length != tokens->end() && length->is_number_unsigned()) {
        size = length->get<std::uint64_t>();
      }
    }
  }
  // Some converters leave the padding out of the list that the table has.
  const std::uint64_t rows = b.rows("token_embd.weight");
  if (rows != 0) {
    size = std::max(size.value_or(0), rows);
  }
  if (size) {
    b.set("vocab_size", *size);
  }
}

void write_windows(Builder& b, const Family& family) {
  if (b.get("sliding_window") == 0) {
    return;
  }
  const auto pattern = b.by_layer("attention.sliding_window_pattern");
  std::uint64_t period = family.period;
  if (pattern.empty()) {
    period = b.number("attention.sliding_window_pattern").value_or(period);
  }
  if (pattern.empty() && period == 0) {
    return;
  }
  Value types = Value::array();
  for (std::uint64_t i = 0; i < b.layers(); ++i) {
    const bool full =
        pattern.empty() ? (i + 1) % period == 0 : i >= pattern.size() || pattern[i] == 0;
    types.push_back(full ? "full_attention" : "sliding_attention");
  }
  b.set("layer_types", std::move(types));
}

void write_rope(Builder& b) {
  if (const auto base = b.real("rope.freq_base")) {
    b.set("rope_theta", *base);
  }
  const std::uint64_t head = b.get("head_dim");
  const auto rotated = b.number("rope.dimension_count");
  if (rotated && head != 0 && *rotated < head) {
    b.set("partial_rotary_factor", static_cast<double>(*rotated) / static_cast<double>(head));
  }
  const std::string key = b.full("rope.scaling.type");
  const auto type = b.fields().text({key});
  if (!type || *type == "none" || type->empty()) {
    return;
  }
  Value scaling = Value::object();
  scaling["rope_type"] = std::string(*type);
  if (const auto factor = b.real("rope.scaling.factor")) {
    scaling["factor"] = *factor;
  }
  if (const auto length = b.number("rope.scaling.original_context_length")) {
    scaling["original_max_position_embeddings"] = *length;
  }
  b.set("rope_scaling", std::move(scaling));
}

void write_keys(Builder& b, const Family& family) {
  const Key* layers = find_key(family.keys, "block_count");
  b.set(layers == nullptr ? "num_hidden_layers" : layers->config, b.layers());
  for (const Key& key : kCommon) {
    if (find_key(family.keys, key.gguf) == nullptr) {
      b.copy(key.gguf, key.config);
    }
  }
  for (const Key& key : family.keys) {
    if (!key.config.empty() && key.gguf != "block_count") {
      b.copy(key.gguf, key.config);
    }
  }
  if (b.get("head_dim") == 0 && b.get("num_attention_heads") != 0) {
    b.set("head_dim", b.get("hidden_size") / b.get("num_attention_heads"));
  }
  b.set("attention_bias", b.has(0, "attn_q.bias") && b.has(0, "attn_output.bias"));
  b.set("mlp_bias", b.has(0, "ffn_up.bias"));
}

/// Layers of different sizes cannot be said in the config of most families.
void refuse_varied(Builder& b, const Family& family) {
  if (family.more == gemma3n || family.more == gemma4) {
    return;
  }
  for (const std::string_view key :
       {"attention.head_count", "attention.head_count_kv", "feed_forward_length"}) {
    if (b.varies(key)) {
      b.fail("unknown_architecture", key,
             "The layers of this model differ in " + std::string(key) +
                 ", which this version does not size.");
    }
  }
}

}  // namespace

Result<json::Value> gguf_config(const Gguf& gguf, std::string_view path) {
  const std::string at = std::string(path) + ".metadata";
  json::Fields general(gguf.metadata, at);
  const std::string architecture(general.text({"general.architecture"}).value_or(""));
  const std::string type(general.text({"general.type"}).value_or(""));
  if (general.error()) {
    return *general.error();
  }
  if (auto other = refuse_other_files(architecture, type, at)) {
    return *std::move(other);
  }
  if (architecture.empty()) {
    return Error{"missing_field",
                 "The GGUF names no architecture (general.architecture), so its attention design "
                 "is unknown.",
                 at + ".general.architecture"};
  }
  const Family* family = find_family(architecture);
  if (family == nullptr) {
    return Error{"unknown_architecture",
                 "The GGUF architecture \"" + json::excerpt(architecture, 60) +
                     "\" is not known to this version, and guessing its attention would give a "
                     "wrong answer. Give the model's config.json as model.config beside it.",
                 at + ".general.architecture"};
  }
  Builder b(gguf, architecture, at);
  b.rename(family->architecture, family->model_type);
  const std::uint64_t extra = b.number("nextn_predict_layers").value_or(0);
  const auto blocks = b.number("block_count");
  if (!blocks || *blocks <= extra || *blocks > 10000) {
    b.fail("missing_field", "block_count", "The metadata must have the number of layers.");
    return *b.fields().error();
  }
  // block_count counts the layers that predict further tokens; config.json does not.
  b.set_layers(*blocks - extra);
  if (extra != 0) {
    b.set("num_nextn_predict_layers", extra);
  }
  write_keys(b, *family);
  write_vocabulary(b);
  write_windows(b, *family);
  write_rope(b);
  b.set("tie_word_embeddings", !b.has("output.weight"));
  // Weights that are not quantised and the cache are 16-bit in every engine that loads GGUF.
  b.set("torch_dtype", "float16");
  if (family->more != nullptr) {
    family->more(b);
  }
  refuse_varied(b, *family);
  if (b.fields().error()) {
    return *b.fields().error();
  }
  return b.take();
}

}  // namespace ridgepoint::checkpoint
