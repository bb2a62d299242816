#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::hunyuan_moe {
namespace {

constexpr std::string_view kArchitectures[] = {"HunYuanMoEV1ForCausalLM", "HunYuanForCausalLM"};
constexpr std::string_view kModelTypes[] = {"hunyuan_v1_moe", "hunyuan"};

/// Hunyuan-A13B: any of its expert keys may be a list with one entry a layer. Source: vLLM 0.28
/// models/hunyuan_v1.py.
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.qk_norm = config.boolean_or({"use_qk_norm"}, false) ? QkNorm::per_head : QkNorm::none;
  profile.windows = Windows::never;
  read_decoder(config, profile, spec);
  if (config.boolean_or({"use_cla"}, false) &&
      config.whole_or({"cla_share_factor"}, kLayersRange, 1) > 1) {
    config.fail("unknown_architecture", "use_cla",
                "Layers that take over keys and values of others (cross-layer attention, "
                "Hunyuan-Large) are not modelled: vLLM does not start such checkpoints.");
  }
  const std::size_t layers = spec.layers.size();
  const bool shared = config.boolean_or({"use_mixed_mlp_moe"}, false);
  const auto experts = read_per_layer(config, "num_experts", layers, kExpertsRange);
  const auto chosen = read_per_layer(config, "moe_topk", layers, kExpertsRange);
  const auto widths = read_per_layer(config, "moe_intermediate_size", layers, kWidthRange);
  const auto shares = read_per_layer(config, "num_shared_expert", layers, {0, 1U << 16U});
  const std::uint64_t first = config.whole_or({"moe_layer_num_skipped"}, {0, 10000}, 0);
  if (experts.empty() || config.error()) {
    config.require_whole({"num_experts"}, kExpertsRange);
    return;
  }
  for (std::size_t i = first; i < layers; ++i) {
    FeedForward& ffn = spec.layers[i].feed_forward;
    const std::uint64_t dense = ffn.intermediate_size;
    ffn.intermediate_size = 0;
    ffn.num_experts = experts[i];
    ffn.num_experts_per_tok = chosen.empty() ? 1 : chosen[i];
    ffn.moe_intermediate_size = widths.empty() ? dense : widths[i];
    ffn.shared_intermediate_size = shared ? dense * (shares.empty() ? 1 : shares[i]) : 0;
    if (ffn.num_experts_per_tok > ffn.num_experts) {
      config.fail("bad_value", "moe_topk", "moe_topk exceeds the number of experts.");
      return;
    }
  }
  spec.names.shared = "mlp.shared_mlp.";
  spec.names.router = "mlp.gate.wg";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::hunyuan_moe
