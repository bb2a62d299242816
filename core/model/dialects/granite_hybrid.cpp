#include <string>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"
#include "model/mixers.hpp"
#include "wording.hpp"

namespace ridgepoint::model::granite_hybrid {
namespace {

constexpr std::string_view kArchitectures[] = {"GraniteMoeHybridForCausalLM",
                                               "GraniteMoeHybridModel"};
constexpr std::string_view kModelTypes[] = {"granitemoehybrid"};

/// The shared expert is there with and without routed ones; alone it is a dense network
/// (transformers GraniteMoeHybridDecoderLayer).
FeedForward read_feed_forward(json::Fields& config, ModelSpec& spec) {
  const std::uint64_t shared = config.require_whole({"shared_intermediate_size"}, kWidthRange);
  spec.names.mlp = "shared_mlp.";
  spec.names.shared = "shared_mlp.";
  spec.names.router = "block_sparse_moe.router.layer";
  spec.names.experts = "block_sparse_moe.";
  spec.names.gate = "input_linear";
  spec.names.up = "input_linear";
  spec.names.down = "output_linear";
  FeedForward ffn;
  if (config.whole_or({"num_local_experts"}, {0, kExpertsRange.most}, 8) == 0) {
    ffn.intermediate_size = shared;
    return ffn;
  }
  ffn = read_experts(config, {"num_local_experts"}, {"num_experts_per_tok"}, {"intermediate_size"});
  ffn.shared_intermediate_size = shared;
  return ffn;
}

void read(json::Fields& config, ModelSpec& spec) {
  const DecoderProfile profile;
  read_sizes(config, profile, spec);
  Layer full;
  full.attention = read_attention(config, profile, spec);
  full.feed_forward = read_feed_forward(config, spec);
  const auto names = read_names(config, "layer_types", spec.layers.size());
  if (names.empty()) {
    config.fail("missing_field", "layer_types",
                "layer_types is missing: it says which layers have attention and which Mamba-2.");
    return;
  }
  State state;
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    if (names[i] == "attention" || names[i] == "full_attention") {
      spec.layers[i] = full;
      continue;
    }
    if (names[i] != "mamba") {
      config.fail("unknown_architecture", "layer_types",
                  worded({"The layer type \"", json::excerpt(names[i], 40),
                          "\" is not known to this architecture's reader."}));
      return;
    }
    if (state.kind == StateKind::none) {
      state = read_mamba2(config,
                          {"mamba_d_head", expanded(config, {"mamba_expand"}, spec), 128, 1, 256});
    }
    spec.layers[i] = state_layer(state, full.feed_forward, 2);
  }
  spec.names.state = "mamba.";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read, nullptr, true};

}  // namespace ridgepoint::model::granite_hybrid
