#include <string>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/mixers.hpp"
#include "wording.hpp"

namespace ridgepoint::model::olmo_hybrid {
namespace {

constexpr std::string_view kArchitectures[] = {"OlmoHybridForCausalLM", "OlmoHybridModel"};
constexpr std::string_view kModelTypes[] = {"olmo_hybrid"};

/// OLMo 3's attention, and gated delta nets in the other layers (vLLM models/olmo_hybrid.py).
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.qk_norm = QkNorm::full_width;
  profile.mlp_bias = Bias::never;
  read_sizes(config, profile, spec);
  Layer full;
  full.attention = read_attention(config, profile, spec);
  full.feed_forward = read_dense(config, profile, spec);
  State delta = read_gated_delta(config);
  delta.split_inputs = true;
  for (const std::string_view key : {"linear_num_key_heads", "linear_num_value_heads",
                                     "linear_key_head_dim", "linear_value_head_dim"}) {
    config.require_whole({key}, kHeadDimRange);
  }
  const Layer linear = state_layer(delta, full.feed_forward, 2);
  const auto names = read_names(config, "layer_types", spec.layers.size());
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    // Absent: every fourth layer attends (transformers OlmoHybridConfig).
    const bool attends = names.empty() ? i % 4 == 3 : names[i] == "full_attention";
    if (!names.empty() && !attends && names[i] != "linear_attention") {
      config.fail("unknown_architecture", "layer_types",
                  worded({"The layer type \"", json::excerpt(names[i], 40),
                          "\" is not known to this architecture's reader."}));
      return;
    }
    spec.layers[i] = attends ? full : linear;
  }
  spec.names.state = "linear_attn.";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read, nullptr, true};

}  // namespace ridgepoint::model::olmo_hybrid
