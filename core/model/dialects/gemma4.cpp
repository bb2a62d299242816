#include <nlohmann/json.hpp>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"
#include "model/per_layer_inputs.hpp"

namespace ridgepoint::model::gemma4 {
namespace {

constexpr std::string_view kArchitectures[] = {"Gemma4ForCausalLM", "Gemma4TextModel"};
constexpr std::string_view kModelTypes[] = {"gemma4_text"};
/// transformers Gemma4TextConfig: of six layers the last sees everything.
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.head_dim = 256;
  profile.key_value_heads = 4;
  profile.mlp_bias = Bias::never;
  profile.qk_norm = QkNorm::per_head;
  profile.norms = 4;
  profile.windows = Windows::pattern;
  profile.window = 512;
  profile.window_pattern = 6;
  return profile;
}();

/// An absent key stands for the class's default, null for none.
std::uint64_t width_or(json::Fields& config, std::string_view key, std::uint64_t absent) {
  const bool null = !config.has(key) && config.raw().contains(key);
  return null ? 0 : config.whole_or({key}, kOptionalWidthRange, absent);
}

/// The layers that see everything have heads of their own width and may have fewer of them.
void widen_global(json::Fields& config, ModelSpec& spec) {
  const std::uint64_t head_dim = width_or(config, "global_head_dim", 512);
  const bool keys_are_values = config.boolean_or({"attention_k_eq_v"}, false);
  const auto heads = config.whole({"num_global_key_value_heads"}, kHeadsRange);
  for (Layer& layer : spec.layers) {
    Attention& a = layer.attention;
    if (a.kind != AttentionKind::full) {
      continue;
    }
    a.head_dim = head_dim == 0 ? a.head_dim : head_dim;
    a.v_head_dim = a.head_dim;
    a.keys_are_values = keys_are_values;
    if (keys_are_values && heads) {
      a.num_key_value_heads = *heads;
    }
  }
}

/// A mixture beside the dense network, with norms of its own before and after; the router scales
/// its input by channel and its choice by expert.
void add_experts(json::Fields& config, ModelSpec& spec) {
  if (!config.boolean_or({"enable_moe_block", "use_second_mlp_block"}, false)) {
    return;
  }
  const FeedForward experts =
      read_experts(config, {"num_experts"}, {"top_k_experts", "num_experts_per_tok"},
                   {"moe_intermediate_size", "expert_intermediate_size"});
  for (Layer& layer : spec.layers) {
    const std::uint64_t dense = layer.feed_forward.intermediate_size;
    layer.feed_forward = experts;
    layer.feed_forward.intermediate_size = dense;
    layer.norms += 3;
    layer.extra.push_back(
        values(Part::router, "router.scale", spec.hidden_size + experts.num_experts));
  }
  spec.names.router = "router.proj";
  spec.names.experts = "experts.0.";
}

void read(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, kProfile, spec);
  if (spec.layers.empty()) {
    return;
  }
  // transformers forces the last layer, and vLLM takes the list as it comes from there.
  Attention& last = spec.layers.back().attention;
  last.kind = AttentionKind::full;
  last.window = 0;
  widen_global(config, spec);
  const std::uint64_t shared = config.whole_or({"num_kv_shared_layers"}, {0, kLayersRange.most}, 0);
  share_caches(config, shared, spec);
  if (config.boolean_or({"use_double_wide_mlp"}, false) && shared < spec.layers.size()) {
    for (std::size_t i = spec.layers.size() - shared; i < spec.layers.size(); ++i) {
      spec.layers[i].feed_forward.intermediate_size *= 2;
    }
  }
  add_experts(config, spec);
  add_per_layer_inputs(config, width_or(config, "hidden_size_per_layer_input", 256), spec);
  if (config.find("use_bidirectional_attention") != nullptr &&
      config.text({"use_bidirectional_attention"}) == "all") {
    config.fail("unknown_architecture", "use_bidirectional_attention",
                "A Gemma 4 whose tokens all see each other is not known to this reader.");
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read, nullptr, true};

}  // namespace ridgepoint::model::gemma4
