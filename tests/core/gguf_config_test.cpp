#include "checkpoint/gguf_config.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checkpoint/gguf.hpp"
#include "checkpoint/gguf_families.hpp"
#include "checkpoint/safetensors.hpp"
#include "checkpoint/source.hpp"
#include "checkpoint_files.hpp"
#include "model/dialect.hpp"

using namespace checkpoint_files;  // NOLINT(google-build-using-namespace)
using fixtures::answer;

namespace {

/// The config of a GGUF with these keys below the architecture's name and these tensors.
Json config_of(const std::string& arch, const Json& keys,
               const std::vector<std::pair<std::string, std::vector<std::uint64_t>>>& tensors) {
  Json metadata = {{"general.architecture", arch}};
  for (const auto& item : keys.items()) {
    metadata[arch + "." + item.key()] = item.value();
  }
  Json list = Json::array();
  for (const auto& [name, shape] : tensors) {
    list.push_back({{"name", name}, {"type", "F16"}, {"shape", shape}});
  }
  const Json summary = fixtures::parsed({{"metadata", metadata}, {"tensors", list}});
  const auto gguf = checkpoint::read_gguf_summary(summary, "g");
  if (!gguf) {
    FAIL(gguf.error().message);
  }
  const auto config = checkpoint::gguf_config(*gguf, "g");
  if (!config) {
    return {{"error", config.error().code + " at " + config.error().path}};
  }
  return *config;
}

/// The members of `config` that `expected` has.
Json part_of(const Json& config, const Json& expected) {
  Json part = Json::object();
  for (const auto& item : expected.items()) {
    part[item.key()] = config.contains(item.key()) ? config[item.key()] : Json("absent");
  }
  return part;
}

const Json kSizes = {
    {"block_count", 4},          {"embedding_length", 256},      {"feed_forward_length", 512},
    {"attention.head_count", 8}, {"attention.head_count_kv", 2}, {"context_length", 4096},
    {"vocab_size", 1000}};

Json sizes_and(const Json& more) {
  Json keys = kSizes;
  keys.update(more);
  return keys;
}

void check_config(const std::string& arch, const Json& keys, const Json& expected,
                  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> tensors = {}) {
  tensors.push_back({"token_embd.weight", {256, 1000}});
  const Json config = config_of(arch, keys, tensors);
  INFO(arch << ": " << config.dump());
  CHECK(part_of(config, expected) == expected);
}

}  // namespace

TEST_CASE("GGUF keys become those of config.json") {
  check_config("llama", sizes_and({{"rope.freq_base", 10000.0}, {"attention.key_length", 64}}),
               {{"architectures", {"LlamaForCausalLM"}},
                {"model_type", "llama"},
                {"hidden_size", 256},
                {"intermediate_size", 512},
                {"num_hidden_layers", 4},
                {"num_attention_heads", 8},
                {"num_key_value_heads", 2},
                {"head_dim", 64},
                {"max_position_embeddings", 4096},
                {"vocab_size", 1000},
                {"rope_theta", 10000.0},
                {"tie_word_embeddings", true},
                {"attention_bias", false}});
  check_config("llama", kSizes,
               {{"tie_word_embeddings", false}, {"attention_bias", true}, {"mlp_bias", true}},
               {{"output.weight", {256, 1000}},
                {"blk.0.attn_q.bias", {256}},
                {"blk.0.attn_output.bias", {256}},
                {"blk.0.ffn_up.bias", {512}}});
  check_config(
      "llama",
      sizes_and({{"rope.scaling.type", "yarn"},
                 {"rope.scaling.factor", 4.0},
                 {"rope.scaling.original_context_length", 1024}}),
      {{"rope_scaling",
        {{"rope_type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 1024}}}});
}

TEST_CASE("the vocabulary of a GGUF is told by a key, the token list or the table") {
  Json keys = kSizes;
  keys.erase("vocab_size");
  const Json config = config_of("llama", keys, {{"token_embd.weight", {256, 777}}});
  CHECK(config["vocab_size"] == 777);
  CHECK(config_of("llama", sizes_and({{"vocab_size", 900}}), {})["vocab_size"] == 900);
  Json metadata = {{"general.architecture", "llama"},
                   {"llama.block_count", 1},
                   {"tokenizer.ggml.tokens", {{"array_length", 555}}}};
  const Json summary = fixtures::parsed(
      {{"metadata", metadata}, {"tensors", {{{"name", "a"}, {"type", "F16"}, {"shape", {1}}}}}});
  const auto gguf = checkpoint::read_gguf_summary(summary, "g");
  REQUIRE(gguf);
  const auto read = checkpoint::gguf_config(*gguf, "g");
  REQUIRE(read);
  CHECK((*read)["vocab_size"] == 555);
}

TEST_CASE("experts of a GGUF have the names of each family") {
  const Json experts = sizes_and({{"expert_count", 16},
                                  {"expert_used_count", 2},
                                  {"expert_feed_forward_length", 128},
                                  {"expert_shared_feed_forward_length", 64},
                                  {"expert_shared_count", 1},
                                  {"leading_dense_block_count", 1}});
  check_config("llama", experts,
               {{"architectures", {"MixtralForCausalLM"}},
                {"model_type", "mixtral"},
                {"num_local_experts", 16},
                {"num_experts_per_tok", 2},
                {"intermediate_size", 512}});
  check_config("qwen2moe", experts,
               {{"num_experts", 16},
                {"moe_intermediate_size", 128},
                {"shared_expert_intermediate_size", 64},
                {"intermediate_size", 512}});
  check_config("gpt-oss", experts, {{"num_local_experts", 16}, {"intermediate_size", 128}});
  check_config("glm4moe", experts,
               {{"n_routed_experts", 16},
                {"n_shared_experts", 1},
                {"first_k_dense_replace", 1},
                {"moe_intermediate_size", 128}});
  check_config("llama4", experts,
               {{"num_local_experts", 16},
                {"intermediate_size", 128},
                {"intermediate_size_mlp", 512},
                {"attention_chunk_size", 8192}});
  check_config("ernie4_5-moe", experts, {{"moe_num_experts", 16}, {"moe_k", 2}});
  check_config("hunyuan-moe", experts, {{"num_experts", 16}, {"moe_topk", 2}});
  check_config("bailingmoe", experts, {{"num_experts", 16}, {"num_shared_experts", 1}});
  check_config("granitemoe", experts,
               {{"architectures", {"GraniteMoeSharedForCausalLM"}},
                {"num_local_experts", 16},
                {"shared_intermediate_size", 64}});
}

TEST_CASE("latent attention of a GGUF is the same in its older and its newer form") {
  const Json expected = {{"kv_lora_rank", 512},      {"qk_nope_head_dim", 128},
                         {"qk_rope_head_dim", 64},   {"v_head_dim", 128},
                         {"num_key_value_heads", 8}, {"q_lora_rank", 1536}};
  const Json shared = {{"attention.kv_lora_rank", 512},
                       {"attention.q_lora_rank", 1536},
                       {"rope.dimension_count", 64}};
  Json newer = sizes_and(shared);
  newer.update({{"attention.head_count_kv", 1},
                {"attention.key_length", 576},
                {"attention.value_length", 512},
                {"attention.key_length_mla", 192},
                {"attention.value_length_mla", 128}});
  check_config("deepseek2", newer, expected);
  Json older = sizes_and(shared);
  older.update({{"attention.key_length", 192}, {"attention.value_length", 128}});
  check_config("deepseek2", older, expected);
  newer.update({{"expert_gating_func", 2}});
  check_config("deepseek2", newer,
               {{"architectures", {"DeepseekV3ForCausalLM"}}, {"topk_method", "noaux_tc"}},
               {{"blk.3.exp_probs_b.bias", {16}}});
  older.erase("rope.dimension_count");
  check_config("deepseek2", older,
               {{"error", "missing_field at g.metadata.deepseek2.attention.key_length"}});
}

TEST_CASE("windows of a GGUF are on the layers where llama.cpp has them") {
  const Json window = sizes_and({{"attention.sliding_window", 128}});
  const std::string full = "full_attention";
  const std::string sliding = "sliding_attention";
  check_config("gpt-oss", window,
               {{"sliding_window", 128}, {"layer_types", {sliding, full, sliding, full}}});
  check_config("cohere2", window, {{"layer_types", {sliding, sliding, sliding, full}}});
  check_config("gemma3", sizes_and({{"attention.sliding_window", 512}, {"block_count", 7}}),
               {{"layer_types", {sliding, sliding, sliding, sliding, sliding, full, sliding}}});
  check_config("gemma3",
               sizes_and({{"attention.sliding_window", 512},
                          {"attention.sliding_window_pattern", {true, false, false, true}}}),
               {{"layer_types", {sliding, full, full, sliding}}});
  // No pattern: the config class decides (Phi-3 and Mistral put it on every layer).
  check_config("phi3", window, {{"sliding_window", 128}, {"layer_types", "absent"}});
  check_config("exaone4", kSizes, {{"layer_types", "absent"}});
  check_config("olmo2", window, {{"architectures", {"Olmo3ForCausalLM"}}});
}

TEST_CASE("hybrids of a GGUF name what each layer is") {
  check_config("nemotron_h",
               sizes_and({{"attention.head_count_kv", {0, 2, 0, 0}},
                          {"feed_forward_length", {0, 0, 512, 0}},
                          {"ssm.inner_size", 512},
                          {"ssm.time_step_rank", 8}}),
               {{"hybrid_override_pattern", "M*-E"},
                {"mamba_num_heads", 8},
                {"mamba_head_dim", 64},
                {"num_key_value_heads", 2},
                {"intermediate_size", 512}},
               {{"blk.3.ffn_gate_inp.weight", {256, 16}}});
  check_config(
      "lfm2", sizes_and({{"attention.head_count_kv", {0, 2, 0, 2}}, {"shortconv.l_cache", 3}}),
      {{"layer_types", {"conv", "full_attention", "conv", "full_attention"}}, {"conv_L_cache", 3}});
  check_config("granitehybrid",
               sizes_and({{"attention.head_count_kv", {0, 0, 2, 0}},
                          {"ssm.inner_size", 512},
                          {"ssm.time_step_rank", 8},
                          {"ssm.state_size", 128}}),
               {{"layer_types", {"mamba", "mamba", "attention", "mamba"}},
                {"mamba_n_heads", 8},
                {"mamba_d_head", 64},
                {"mamba_expand", 2},
                {"mamba_d_state", 128}});
  check_config("jamba", sizes_and({{"attention.head_count_kv", {0, 2, 0, 2}}, {"expert_count", 4}}),
               {{"attn_layer_offset", 1},
                {"attn_layer_period", 2},
                {"expert_layer_offset", 0},
                {"expert_layer_period", 3}},
               {{"blk.0.ffn_gate_inp.weight", {256, 4}}, {"blk.3.ffn_gate_inp.weight", {256, 4}}});
  check_config("qwen3next",
               sizes_and({{"ssm.inner_size", 512},
                          {"ssm.time_step_rank", 4},
                          {"ssm.group_count", 2},
                          {"ssm.state_size", 128},
                          {"ssm.conv_kernel", 4}}),
               {{"linear_num_value_heads", 4},
                {"linear_value_head_dim", 128},
                {"linear_num_key_heads", 2},
                {"linear_key_head_dim", 128},
                {"linear_conv_kernel_dim", 4},
                {"layer_types",
                 {"linear_attention", "linear_attention", "linear_attention", "full_attention"}}});
  check_config("mamba2",
               {{"block_count", 4},
                {"embedding_length", 256},
                {"ssm.inner_size", 512},
                {"ssm.time_step_rank", 8},
                {"ssm.group_count", 1},
                {"ssm.state_size", 128}},
               {{"intermediate_size", 512}, {"num_heads", 8}, {"head_dim", 64}, {"expand", 2}});
}

TEST_CASE("layers that predict further tokens are counted apart") {
  check_config("glm4moe", sizes_and({{"nextn_predict_layers", 1}}),
               {{"num_hidden_layers", 3}, {"num_nextn_predict_layers", 1}});
}

TEST_CASE("older families keep their own names of sizes") {
  check_config("gpt2", kSizes, {{"n_embd", 256}, {"n_layer", 4}, {"n_head", 8}, {"n_inner", 512}});
  check_config("mpt", kSizes,
               {{"d_model", 256}, {"n_layers", 4}, {"n_heads", 8}, {"expansion_ratio", 2}});
  check_config("falcon", sizes_and({{"attention.head_count_kv", 1}}), {{"multi_query", true}});
  check_config("chatglm", kSizes, {{"num_layers", 4}, {"multi_query_group_num", 2}});
  check_config("bloom", kSizes, {{"n_layer", 4}, {"n_head", 8}, {"seq_length", 4096}});
}

TEST_CASE("layers that differ in size are refused, not averaged") {
  check_config("llama", sizes_and({{"attention.head_count_kv", {2, 4, 2, 4}}}),
               {{"error", "unknown_architecture at g.metadata.llama.attention.head_count_kv"}});
  check_config("llama", sizes_and({{"feed_forward_length", {512, 512, 512, 512}}}),
               {{"intermediate_size", 512}});
}

TEST_CASE("models read from a GGUF's metadata are those of their config.json") {
  // What the converters write for each of these repositories (gguf-py key names).
  struct Pair {
    std::string fixture;
    std::string arch;
    Json keys;
    std::vector<std::pair<std::string, std::vector<std::uint64_t>>> tensors;
  };
  const std::vector<Pair> pairs = {
      {"Qwen--Qwen3-8B",
       "qwen3",
       {{"block_count", 36},
        {"embedding_length", 4096},
        {"feed_forward_length", 12288},
        {"attention.head_count", 32},
        {"attention.head_count_kv", 8},
        {"attention.key_length", 128},
        {"context_length", 40960}},
       {{"token_embd.weight", {4096, 151936}}, {"output.weight", {4096, 151936}}}},
      {"Qwen--Qwen3-30B-A3B",
       "qwen3moe",
       {{"block_count", 48},
        {"embedding_length", 2048},
        {"feed_forward_length", 6144},
        {"attention.head_count", 32},
        {"attention.head_count_kv", 4},
        {"attention.key_length", 128},
        {"expert_count", 128},
        {"expert_used_count", 8},
        {"expert_feed_forward_length", 768},
        {"context_length", 40960}},
       {{"token_embd.weight", {2048, 151936}}, {"output.weight", {2048, 151936}}}},
      {"mistralai--Mixtral-8x7B-v0.1",
       "llama",
       {{"block_count", 32},
        {"embedding_length", 4096},
        {"feed_forward_length", 14336},
        {"attention.head_count", 32},
        {"attention.head_count_kv", 8},
        {"expert_count", 8},
        {"expert_used_count", 2},
        {"context_length", 32768}},
       {{"token_embd.weight", {4096, 32000}}, {"output.weight", {4096, 32000}}}},
      {"google--gemma-7b",
       "gemma",
       {{"block_count", 28},
        {"embedding_length", 3072},
        {"feed_forward_length", 24576},
        {"attention.head_count", 16},
        {"attention.head_count_kv", 16},
        {"attention.key_length", 256},
        {"context_length", 8192}},
       {{"token_embd.weight", {3072, 256000}}}},
      {"deepseek-ai--DeepSeek-V2-Lite",
       "deepseek2",
       {{"block_count", 27},
        {"embedding_length", 2048},
        {"feed_forward_length", 10944},
        {"attention.head_count", 16},
        {"attention.head_count_kv", 1},
        {"attention.key_length", 576},
        {"attention.value_length", 512},
        {"attention.key_length_mla", 192},
        {"attention.value_length_mla", 128},
        {"attention.kv_lora_rank", 512},
        {"rope.dimension_count", 64},
        {"expert_count", 64},
        {"expert_used_count", 6},
        {"expert_shared_count", 2},
        {"expert_feed_forward_length", 1408},
        {"leading_dense_block_count", 1},
        {"context_length", 163840}},
       {{"token_embd.weight", {2048, 102400}}, {"output.weight", {2048, 102400}}}},
      {"openai--gpt-oss-20b",
       "gpt-oss",
       {{"block_count", 24},
        {"embedding_length", 2880},
        {"feed_forward_length", 2880},
        {"attention.head_count", 64},
        {"attention.head_count_kv", 8},
        {"attention.key_length", 64},
        {"attention.sliding_window", 128},
        {"expert_count", 32},
        {"expert_used_count", 4},
        {"expert_feed_forward_length", 2880},
        {"context_length", 131072}},
       {{"token_embd.weight", {2880, 201088}},
        {"output.weight", {2880, 201088}},
        {"blk.0.attn_q.bias", {4096}},
        {"blk.0.attn_output.bias", {2880}}}},
      {"microsoft--Phi-3-mini-128k-instruct",
       "phi3",
       {{"block_count", 32},
        {"embedding_length", 3072},
        {"feed_forward_length", 8192},
        {"attention.head_count", 32},
        {"attention.head_count_kv", 32},
        {"rope.dimension_count", 96},
        {"rope.scaling.original_context_length", 4096},
        {"attention.sliding_window", 262144},
        {"context_length", 131072}},
       {{"token_embd.weight", {3072, 32064}},
        {"output.weight", {3072, 32064}},
        {"rope_factors_long.weight", {48}}}},
  };
  for (const Pair& pair : pairs) {
    INFO(pair.fixture);
    const auto wanted = fixtures::model(pair.fixture);
    const auto read = fixtures::model_of(config_of(pair.arch, pair.keys, pair.tensors));
    CHECK(read.architecture == wanted.architecture);
    CHECK(read.hidden_size == wanted.hidden_size);
    CHECK(read.vocab_size == wanted.vocab_size);
    CHECK(read.tie_word_embeddings == wanted.tie_word_embeddings);
    CHECK(read.layers == wanted.layers);
    CHECK(fixtures::parameters(read).total == fixtures::parameters(wanted).total);
    CHECK(ridgepoint::model::claimed_context(read) == ridgepoint::model::claimed_context(wanted));
  }
}

TEST_CASE("every architecture of llama.cpp that is read leads to a dialect") {
  for (const checkpoint::GgufFamily& family : checkpoint::gguf_families()) {
    INFO(family.gguf);
    CHECK(ridgepoint::model::dialect_of_architecture(family.architecture) != nullptr);
    CHECK(ridgepoint::model::dialect_of_model_type(family.model_type) != nullptr);
  }
}
