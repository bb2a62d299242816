#include "checkpoint/gguf_families.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace ridgepoint::checkpoint {
namespace {

using json::Value;

constexpr GgufKey kLocalExperts[] = {
    {"expert_count", "num_local_experts"},
    {"expert_used_count", "num_experts_per_tok"},
};
constexpr GgufKey kLocalExpertsOwnWidth[] = {
    {"expert_count", "num_local_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_feed_forward_length", "intermediate_size"},
    {"feed_forward_length", ""},
};
constexpr GgufKey kGraniteMoe[] = {
    {"expert_count", "num_local_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_shared_feed_forward_length", "shared_intermediate_size"},
};
constexpr GgufKey kLlama4[] = {
    {"expert_count", "num_local_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_feed_forward_length", "intermediate_size"},
    {"feed_forward_length", "intermediate_size_mlp"},
    {"interleave_moe_layer_step", "interleave_moe_layer_step"},
};
constexpr GgufKey kNumExperts[] = {
    {"expert_count", "num_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
    {"expert_shared_feed_forward_length", "shared_expert_intermediate_size"},
    {"leading_dense_block_count", "num_dense_layers"},
};
constexpr GgufKey kRouted[] = {
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
constexpr GgufKey kBailing[] = {
    {"expert_count", "num_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
    {"expert_shared_count", "num_shared_experts"},
    {"leading_dense_block_count", "first_k_dense_replace"},
};
constexpr GgufKey kErnie[] = {
    {"expert_count", "moe_num_experts"},
    {"expert_used_count", "moe_k"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
    {"expert_shared_count", "moe_num_shared_experts"},
    {"leading_dense_block_count", "moe_layer_start_index"},
    {"interleave_moe_layer_step", "moe_layer_interval"},
};
constexpr GgufKey kHunyuan[] = {
    {"expert_count", "num_experts"},
    {"expert_used_count", "moe_topk"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
    {"expert_shared_count", "num_shared_expert"},
};
constexpr GgufKey kGemma3n[] = {
    {"embedding_length_per_layer_input", "hidden_size_per_layer_input"},
    {"altup.num_inputs", "altup_num_inputs"},
    {"altup.active_idx", "altup_active_idx"},
    {"attention.shared_kv_layers", "num_kv_shared_layers"},
};
constexpr GgufKey kGemma4[] = {
    {"embedding_length_per_layer_input", "hidden_size_per_layer_input"},
    {"attention.shared_kv_layers", "num_kv_shared_layers"},
    {"attention.key_length", "global_head_dim"},
    {"attention.key_length_swa", "head_dim"},
    {"expert_count", "num_experts"},
    {"expert_used_count", "top_k_experts"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
};
constexpr GgufKey kGpt2[] = {
    {"embedding_length", "n_embd"},         {"block_count", "n_layer"},
    {"attention.head_count", "n_head"},     {"attention.head_count_kv", ""},
    {"feed_forward_length", "n_inner"},     {"context_length", "n_positions"},
    {"rope.dimension_count", "rotary_dim"}, {"attention.key_length", ""},
};
constexpr GgufKey kBloom[] = {
    {"block_count", "n_layer"},       {"attention.head_count", "n_head"},
    {"attention.head_count_kv", ""},  {"feed_forward_length", ""},
    {"context_length", "seq_length"},
};
constexpr GgufKey kMpt[] = {
    {"embedding_length", "d_model"},     {"block_count", "n_layers"},
    {"attention.head_count", "n_heads"}, {"attention.head_count_kv", ""},
    {"feed_forward_length", ""},         {"context_length", "max_seq_len"},
};
constexpr GgufKey kFalcon[] = {
    {"feed_forward_length", "ffn_hidden_size"},
    {"attention.head_count_kv", "num_kv_heads"},
};
constexpr GgufKey kChatGlm[] = {
    {"block_count", "num_layers"},
    {"feed_forward_length", "ffn_hidden_size"},
    {"attention.head_count_kv", "multi_query_group_num"},
    {"attention.key_length", "kv_channels"},
    {"context_length", "seq_length"},
};
constexpr GgufKey kLinear[] = {
    {"expert_count", "num_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
    {"expert_shared_feed_forward_length", "shared_expert_intermediate_size"},
    {"ssm.conv_kernel", "linear_conv_kernel_dim"},
    {"ssm.state_size", "linear_key_head_dim"},
    {"ssm.group_count", "linear_num_key_heads"},
    {"ssm.time_step_rank", "linear_num_value_heads"},
};
constexpr GgufKey kMamba[] = {
    {"ssm.inner_size", "intermediate_size"},
    {"ssm.state_size", "state_size"},
    {"ssm.conv_kernel", "conv_kernel"},
    {"feed_forward_length", ""},
    {"attention.head_count", ""},
    {"attention.head_count_kv", ""},
    {"ssm.time_step_rank", "time_step_rank"},
};
constexpr GgufKey kMamba2[] = {
    {"ssm.inner_size", "intermediate_size"},
    {"ssm.state_size", "state_size"},
    {"ssm.conv_kernel", "conv_kernel"},
    {"feed_forward_length", ""},
    {"attention.head_count", ""},
    {"attention.head_count_kv", ""},
    {"ssm.time_step_rank", "num_heads"},
    {"ssm.group_count", "n_groups"},
};
constexpr GgufKey kJamba[] = {
    {"expert_count", "num_experts"},         {"expert_used_count", "num_experts_per_tok"},
    {"ssm.state_size", "mamba_d_state"},     {"ssm.conv_kernel", "mamba_d_conv"},
    {"ssm.time_step_rank", "mamba_dt_rank"},
};
constexpr GgufKey kMambaHybrid[] = {
    {"expert_count", "num_local_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_shared_feed_forward_length", "shared_intermediate_size"},
    {"ssm.state_size", "mamba_d_state"},
    {"ssm.conv_kernel", "mamba_d_conv"},
    {"ssm.group_count", "mamba_n_groups"},
    {"ssm.time_step_rank", "mamba_n_heads"},
    {"ssm.inner_size", "mamba_d_ssm"},
};
constexpr GgufKey kNemotronH[] = {
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
constexpr GgufKey kLfm2[] = {
    {"shortconv.l_cache", "conv_L_cache"},
    {"expert_count", "num_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
    {"leading_dense_block_count", "num_dense_layers"},
};

// What a table of keys cannot say, family by family. ---------------------------------------------

void llama(GgufModel& b) {
  if (b.get("num_local_experts") > 0) {
    b.rename("MixtralForCausalLM", "mixtral");
  }
}

/// llama.cpp builds the window in (llama-model.cpp, n_swa of llama4): the metadata has none.
void llama4(GgufModel& b) { b.set("attention_chunk_size", std::uint64_t{8192}); }

void use_bias(GgufModel& b) {
  b.set("use_bias", b.has(0, "attn_q.bias"));
  b.set("use_qkv_bias", b.has(0, "attn_q.bias"));
}

void qkv_bias_alone(GgufModel& b) {
  b.set("attention_bias", b.has(0, "attn_q.bias"));
  b.set("attention_out_bias", b.has(0, "attn_output.bias"));
  b.set("use_qk_norm", b.has(0, "attn_q_norm.weight"));
}

void qk_norm(GgufModel& b) {
  b.set("use_qk_norm", b.has(0, "attn_q_norm.weight"));
  b.set("use_routing_bias", b.has(b.layers() - 1, "exp_probs_b.bias"));
}

void phi3(GgufModel& b) {
  if (!b.has("rope_factors_long.weight")) {
    return;
  }
  Value rope = Value::object();
  rope["rope_type"] = "longrope";
  b.set("rope_scaling", std::move(rope));
  b.copy("rope.scaling.original_context_length", "original_max_position_embeddings");
}

/// Key lengths of latent attention: of a head, or (older files) the same under the plain key.
void latent(GgufModel& b) {
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

void deepseek2(GgufModel& b) {
  latent(b);
  constexpr std::uint64_t kSigmoid = 2;  // gguf-py, ExpertGatingFuncType
  if (b.number("expert_gating_func").value_or(0) == kSigmoid) {
    b.rename("DeepseekV3ForCausalLM", "deepseek_v3");
    b.set("topk_method", b.has(b.layers() - 1, "exp_probs_b.bias") ? "noaux_tc" : "greedy");
  }
}

void granitemoe(GgufModel& b) {
  if (b.get("shared_intermediate_size") > 0) {
    b.rename("GraniteMoeSharedForCausalLM", "granitemoeshared");
  }
}

void falcon(GgufModel& b) {
  b.set("multi_query", b.get("num_kv_heads") == 1);
  b.set("new_decoder_architecture", b.has(0, "attn_norm_2.weight"));
  b.set("parallel_attn", true);
  b.set("bias", b.has(0, "attn_qkv.bias"));
}

void mpt(GgufModel& b) {
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

void starcoder(GgufModel& b) { b.set("multi_query", b.number("attention.head_count_kv") == 1); }

void chatglm(GgufModel& b) {
  b.set("multi_query_attention", true);
  b.set("add_qkv_bias", b.has(0, "attn_qkv.bias") || b.has(0, "attn_q.bias"));
  b.set("padded_vocab_size", b.get("vocab_size"));
}

void olmo2(GgufModel& b) {
  if (b.get("sliding_window") > 0) {
    b.rename("Olmo3ForCausalLM", "olmo3");
  }
}

void gemma3n(GgufModel& b) {
  b.set("vocab_size_per_layer_input", b.rows("per_layer_token_embd.weight"));
  b.set("laurel_rank", b.rows("blk.0.laurel_l.weight"));
}

void gemma4(GgufModel& b) {
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
void layer_types(GgufModel& b, std::string_view other, std::string_view attention) {
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

void linear(GgufModel& b) {
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

void mamba_expand(GgufModel& b, std::string_view key) {
  const std::uint64_t hidden = b.get("hidden_size");
  const std::uint64_t inner = b.number("ssm.inner_size").value_or(0);
  b.set(key, hidden == 0 ? std::uint64_t{0} : inner / hidden);
}

void mamba(GgufModel& b) { mamba_expand(b, "expand"); }

void mamba2(GgufModel& b) {
  mamba_expand(b, "expand");
  const std::uint64_t heads = b.get("num_heads");
  b.set("head_dim", heads == 0 ? std::uint64_t{0} : b.get("intermediate_size") / heads);
}

void mamba_hybrid(GgufModel& b) {
  mamba_expand(b, "mamba_expand");
  const std::uint64_t heads = b.get("mamba_n_heads");
  b.set("mamba_d_head", heads == 0 ? std::uint64_t{0} : b.get("mamba_d_ssm") / heads);
  layer_types(b, "mamba", "attention");
}

void lfm2(GgufModel& b) {
  layer_types(b, "conv", "full_attention");
  b.set("block_auto_adjust_ff_dim", false);
}

/// The first layer that `chosen` takes, and the distance to the next one.
template <typename Chosen>
void set_period(GgufModel& b, std::string_view offset, std::string_view period, Chosen chosen) {
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

void jamba(GgufModel& b) {
  mamba_expand(b, "mamba_expand");
  const auto heads = b.by_layer("attention.head_count_kv");
  set_period(b, "attn_layer_offset", "attn_layer_period",
             [&](std::uint64_t i) { return i < heads.size() && heads[i] != 0; });
  set_period(b, "expert_layer_offset", "expert_layer_period",
             [&](std::uint64_t i) { return b.has(i, "ffn_gate_inp.weight"); });
}

void nemotron_h(GgufModel& b) {
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

/// llama.cpp's names of architectures (gguf-py, MODEL_ARCH_NAMES) and the classes they are
/// converted from. Periods are those of llama.cpp's set_swa_pattern.
constexpr GgufFamily kFamilies[] = {
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
    {"gemma3n", "Gemma3nForCausalLM", "gemma3n_text", kGemma3n, 5, gemma3n, true},
    {"gemma4", "Gemma4ForCausalLM", "gemma4_text", kGemma4, 6, gemma4, true},
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

}  // namespace

std::span<const GgufFamily> gguf_families() { return kFamilies; }

}  // namespace ridgepoint::checkpoint
