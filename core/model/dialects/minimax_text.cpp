#include <string>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"
#include "model/mixers.hpp"

namespace ridgepoint::model::minimax_text {
namespace {

constexpr std::string_view kArchitectures[] = {"MiniMaxText01ForCausalLM", "MiniMaxM1ForCausalLM",
                                               "MiniMaxForCausalLM", "MiniMaxModel"};
constexpr std::string_view kModelTypes[] = {"minimax_text_01", "minimax_m1", "minimax"};

/// True where a layer has softmax attention: `attn_type_list` (1; lightning attention is 0), or
/// `layer_types`, or every second layer (transformers MiniMaxConfig).
std::vector<bool> full_layers(json::Fields& config, std::size_t layers) {
  std::vector<bool> full(layers, false);
  const auto types = read_per_layer(config, "attn_type_list", layers, {0, 1});
  const auto names = read_names(config, "layer_types", layers);
  if (types.empty() && names.empty() && !config.error()) {
    config.fail("missing_field", "attn_type_list",
                "attn_type_list (or layer_types) is missing: it says which layers have softmax "
                "and which lightning attention.");
  }
  for (std::size_t i = 0; i < layers; ++i) {
    full[i] =
        (i < types.size() && types[i] == 1) || (i < names.size() && names[i] == "full_attention");
  }
  return full;
}

void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.qkv_bias = Bias::never;
  profile.output_bias = Bias::never;
  read_sizes(config, profile, spec);
  Layer full;
  full.attention = read_attention(config, profile, spec);
  full.feed_forward =
      read_experts(config, {"num_local_experts"}, {"num_experts_per_tok"}, {"intermediate_size"});
  if (config.whole_or({"shared_intermediate_size"}, kOptionalWidthRange, 0) != 0) {
    config.fail("unknown_architecture", "shared_intermediate_size",
                "MiniMax-01 with a shared expert is not known to this reader.");
  }
  State state;
  state.kind = StateKind::linear;
  state.heads = full.attention.num_attention_heads;
  state.head_dim = full.attention.head_dim;
  const auto attends = full_layers(config, spec.layers.size());
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    spec.layers[i] = attends[i] ? full : state_layer(state, full.feed_forward, 2);
  }
  spec.names.state = "self_attn.";
  spec.names.router = "block_sparse_moe.gate";
  spec.names.experts = "block_sparse_moe.experts.0.";
  spec.names.gate = "w1";
  spec.names.up = "w3";
  spec.names.down = "w2";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read, nullptr, true};

}  // namespace ridgepoint::model::minimax_text
