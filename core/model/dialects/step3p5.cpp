#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"
#include "model/latent.hpp"

namespace ridgepoint::model::step3p5 {
namespace {

constexpr std::string_view kArchitectures[] = {"Step3p5ForCausalLM", "Step3p7FlashForCausalLM",
                                               "Step3p7ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"step3p5", "step3p7", "step3p7_text"};

/// Head counts of the windowed layers, which attention_other_setting names.
void read_other(json::Fields& config, Attention& sliding, ModelSpec& spec) {
  sliding.num_attention_heads =
      config.whole_or({"num_sliding_attention_heads"}, kHeadsRange, sliding.num_attention_heads);
  if (auto other = config.object("attention_other_setting")) {
    sliding.num_attention_heads =
        other->whole_or({"num_attention_heads"}, kHeadsRange, sliding.num_attention_heads);
    sliding.num_key_value_heads =
        other->whole_or({"num_attention_groups"}, kHeadsRange, sliding.num_key_value_heads);
    sliding.head_dim = other->whole_or({"head_dim"}, kHeadDimRange, sliding.head_dim);
    sliding.v_head_dim = sliding.head_dim;
    if (sliding.num_attention_heads % sliding.num_key_value_heads != 0) {
      other->fail("bad_value", "num_attention_groups",
                  "num_attention_heads must be a multiple of num_attention_groups.");
    }
    config.adopt(*other);
  } else if (!config.has("num_sliding_attention_heads")) {
    spec.confidence = Confidence::assumed;
    spec.notes.push_back(
        "attention_other_setting is missing: windowed layers were read with the heads of the full "
        "ones, and published Step-3.5 models have more.");
  }
}

/// Step-3.5 and 3.7: windowed layers with more heads, a gate for each head. Source: vLLM 0.28
/// models/step3p5.py, transformers Step3p7 classes.
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.output_bias = Bias::never;
  profile.qk_norm = QkNorm::per_head;
  profile.windows = Windows::never;
  read_decoder(config, profile, spec);
  const std::size_t layers = spec.layers.size();
  if (layers == 0) {
    return;
  }
  // The list goes on over the prediction modules.
  const json::Value* list = config.array("layer_types");
  const auto types =
      read_names(config, "layer_types", list == nullptr ? layers : std::max(layers, list->size()));
  const std::uint64_t window = config.whole_or({"sliding_window"}, {0, kLengthRange.most}, 0);
  const bool gated = config.boolean_or({"use_head_wise_attn_gate"}, false);
  const Attention full = spec.layers.front().attention;
  Attention sliding = full;
  read_other(config, sliding, spec);
  if (window != 0) {
    sliding.kind = AttentionKind::sliding;
    sliding.window = window;
  }
  const auto give = [&](Layer& layer, const Attention& attention) {
    layer.attention = attention;
    if (gated) {
      Tensor gate = matrix(Part::attention, Split::column, "g_proj", attention.num_attention_heads,
                           spec.hidden_size);
      gate.block = "self_attn.";
      layer.extra = {gate};
    }
  };
  for (std::size_t i = 0; i < layers; ++i) {
    const bool windowed = types.empty() ? i % 2 == 0 : types[i] == "sliding_attention";
    give(spec.layers[i], windowed ? sliding : full);
  }
  // Prediction modules are dense and windowed and store a head of their own.
  read_mtp(config, false, spec);
  spec.mtp.copies_lm_head = !spec.mtp.layers.empty();
  for (Layer& layer : spec.mtp.layers) {
    give(layer, sliding);
  }
  FeedForward experts = read_mixture(config);
  experts.score_correction_bias = config.boolean_or({"use_moe_router_bias"}, false);
  experts.shared_intermediate_size =
      config.whole_or({"share_expert_dim"}, kOptionalWidthRange, experts.moe_intermediate_size);
  place_experts(step_mixtures(config, layers), experts, spec);
  spec.names.shared = "share_expert.";
  spec.names.experts = "moe.";
  spec.names.router = "moe.gate";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::step3p5
