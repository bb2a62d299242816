#include <string>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"
#include "model/latent.hpp"
#include "model/mixers.hpp"
#include "wording.hpp"

namespace ridgepoint::model::bailing_hybrid {
namespace {

constexpr std::string_view kArchitectures[] = {"BailingMoeV2_5ForCausalLM",
                                               "BailingMoeV3ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"bailing_hybrid", "bailing_hybrid_v3",
                                            "bailing_moe_v3"};

FeedForward read_mixture(json::Fields& config, bool third) {
  FeedForward experts =
      read_experts(config, {"num_experts"}, {"num_experts_per_tok"}, {"moe_intermediate_size"});
  const std::uint64_t shared = config.whole_or({"moe_shared_expert_intermediate_size"}, kWidthRange,
                                               experts.moe_intermediate_size);
  experts.shared_intermediate_size =
      config.whole_or({"num_shared_experts"}, {0, kExpertsRange.most}, 0) * shared;
  experts.score_correction_bias =
      third || config.boolean_or({"moe_router_enable_expert_bias"}, false);
  return experts;
}

State read_state(json::Fields& config, const ModelSpec& spec, bool third) {
  State state;
  state.heads = config.require_whole({"num_attention_heads"}, kHeadsRange);
  state.head_dim = config.whole_or({"head_dim"}, kHeadDimRange, spec.hidden_size / state.heads);
  if (state.head_dim == 0) {
    config.fail("bad_value", "num_attention_heads", "num_attention_heads exceeds hidden_size.");
  }
  if (!third) {
    state.kind = StateKind::linear;
    return state;
  }
  state.kind = StateKind::kda;
  state.key_heads = state.heads;
  state.key_head_dim = state.head_dim;
  state.conv_kernel = config.require_whole({"short_conv_kernel_size"}, {1, 1024});
  state.full_rank_gate = true;
  state.full_rank_decay = true;
  if (!config.boolean_or({"no_kda_lora"}, false)) {
    config.fail("unknown_architecture", "no_kda_lora",
                "Delta attention with bottlenecks (no_kda_lora false) is not known to this "
                "architecture's reader.");
  }
  return state;
}

/// The gate on latent attention's output: one value a head, or one a channel.
void add_gate(json::Fields& config, const ModelSpec& spec, Layer& layer) {
  const std::string_view kind = config.text({"gated_attention_proj_granularity_type"}).value_or("");
  const Attention& a = layer.attention;
  const std::uint64_t rows = kind == "head_wise"      ? a.num_attention_heads
                             : kind == "element_wise" ? a.num_attention_heads * a.v_head_dim
                                                      : 0;
  if (rows != 0) {
    Tensor gate = matrix(Part::attention, Split::column, "g_proj", rows, spec.hidden_size);
    gate.block = "attention.";
    layer.extra.push_back(gate);
  } else if (!kind.empty()) {
    config.fail("unknown_architecture", "gated_attention_proj_granularity_type",
                worded({"The gate \"", json::excerpt(kind, 40),
                        "\" is not known to this architecture's reader."}));
  }
}

/// Ling 2.5 mixes lightning with latent attention, Ling 3 Kimi delta with latent attention. Source:
/// vLLM models/bailing_moe_linear.py, models/bailing_moe_v3.py.
void read(json::Fields& config, ModelSpec& spec) {
  const bool third = spec.architecture.starts_with("BailingMoeV3") ||
                     (spec.architecture.empty() && config.has("short_conv_kernel_size"));
  const DecoderProfile profile;
  read_sizes(config, profile, spec);
  for (const std::string_view key : {"use_bias", "use_qkv_bias"}) {
    if (config.boolean_or({key}, false)) {
      config.fail("unknown_architecture", key,
                  "Biases are not known to this architecture's reader.");
    }
  }
  Layer full;
  full.attention = read_latent(config);
  add_gate(config, spec, full);
  Layer linear = state_layer(read_state(config, spec, third), {}, 2);
  if (!third && config.boolean_or({"use_qk_norm"}, false)) {
    linear.extra.push_back(values(Part::state_mixer, "query_layernorm", 2 * linear.state.head_dim));
  }
  const FeedForward dense = read_dense(config, profile, spec);
  const FeedForward experts = read_mixture(config, third);
  const std::uint64_t group = config.require_whole({"layer_group_size"}, {0, 1000});
  const std::uint64_t first = config.whole_or({"first_k_dense_replace"}, {0, 1000}, 0);
  const std::size_t count = spec.layers.size();
  for (std::size_t i = 0; i < count; ++i) {
    const bool latent = group == 0 || (i + 1) % group == 0 || (third && i >= count / group * group);
    spec.layers[i] = latent ? full : linear;
    spec.layers[i].feed_forward = i < first ? dense : experts;
  }
  Layer module = full;
  module.feed_forward = experts;
  spec.mtp.modules = config.whole_or({"num_nextn_predict_layers"}, {0, 100}, 0);
  spec.mtp.layers.assign(spec.mtp.modules, module);
  if (third) {
    spec.confidence = Confidence::assumed;
    spec.notes.emplace_back(
        "Read by the layout of vLLM's class for Ling 3; no published total confirms it to the last "
        "parameter.");
  }
  if (config.boolean_or({"pregate_enabled"}, false)) {
    spec.notes.emplace_back("The pre-gates of this model (pregate_enabled) are not counted.");
  }
  spec.names.attention = "attention.";
  spec.names.state = "attention.";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read, nullptr, true};

}  // namespace ridgepoint::model::bailing_hybrid
