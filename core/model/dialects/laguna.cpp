#include <nlohmann/json.hpp>
#include <string>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::laguna {
namespace {

constexpr std::string_view kArchitectures[] = {"LagunaForCausalLM"};
constexpr std::string_view kModelTypes[] = {"laguna"};

/// Laguna: query heads may differ by layer, and a gate weighs each head or each value. Source: vLLM
/// 0.28 models/laguna.py, transformers LagunaConfig.
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.head_dim = 128;
  profile.qkv_bias = config.boolean_or({"qkv_bias"}, false) ? Bias::always : Bias::never;
  profile.qk_norm = QkNorm::per_head;
  profile.windows = Windows::pattern;
  profile.window = 512;
  read_decoder(config, profile, spec);
  const std::size_t layers = spec.layers.size();
  const auto heads = read_per_layer(config, "num_attention_heads_per_layer", layers, kHeadsRange);
  const json::Value* gating = config.find("gating");
  const bool by_value = gating != nullptr && gating->is_string() &&
                        gating->get_ref<const std::string&>() == "per-element";
  const bool gated = gating == nullptr || !gating->is_boolean() || gating->get<bool>();
  const bool sinks = config.boolean_or({"swa_attention_sink_enabled"}, false);
  for (std::size_t i = 0; i < layers; ++i) {
    Attention& a = spec.layers[i].attention;
    a.num_attention_heads = i < heads.size() ? heads[i] : a.num_attention_heads;
    if (a.num_attention_heads % a.num_key_value_heads != 0) {
      config.fail("bad_value", "num_attention_heads_per_layer",
                  "Every layer's query heads must be a multiple of num_key_value_heads.");
      return;
    }
    a.sinks = sinks && a.kind == AttentionKind::sliding;
    a.output_gate = gated && by_value;
    if (gated && !by_value) {
      Tensor gate =
          matrix(Part::attention, Split::column, "g_proj", a.num_attention_heads, spec.hidden_size);
      gate.block = "self_attn.";
      spec.layers[i].extra = {gate};
    }
  }
  FeedForward experts = read_mixture(config);
  experts.score_correction_bias = true;
  experts.shared_intermediate_size =
      config.whole_or({"shared_expert_intermediate_size"}, kOptionalWidthRange, 512);
  auto sparse = sparse_layers(config, "first_k_dense_replace", layers);
  const auto dense = read_layer_set(config, "mlp_only_layers", layers);
  const bool named = config.has("first_k_dense_replace") || config.has("mlp_layer_types");
  for (std::size_t i = 0; i < layers && !named; ++i) {
    sparse[i] = dense.empty() ? i != 0 : !dense[i];
  }
  place_experts(sparse, experts, spec);
  spec.names.shared = "mlp.shared_expert.";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::laguna
