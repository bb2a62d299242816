#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"
#include "model/latent.hpp"

namespace ridgepoint::model::longcat_flash {
namespace {

constexpr std::string_view kArchitectures[] = {"LongcatFlashForCausalLM"};
constexpr std::string_view kModelTypes[] = {"longcat_flash"};

/// LongCat-Flash: each of its layers is two here, latent attention and a dense network each, with a
/// mixture beside the first. The router also chooses among experts that do nothing. Source: vLLM
/// 0.28 models/longcat_flash.py.
void read(json::Fields& config, ModelSpec& spec) {
  const DecoderProfile profile;
  read_sizes(config, profile, spec);
  Layer layer;
  layer.attention = read_latent(config);
  layer.feed_forward = read_dense(config, profile, spec);
  const std::uint64_t pairs = config.whole_or({"num_layers", "num_hidden_layers"}, {1, 500}, 1);
  FeedForward experts = read_mixture(config);
  if (config.error()) {
    return;
  }
  experts.intermediate_size = layer.feed_forward.intermediate_size;
  experts.score_correction_bias = true;
  experts.router_bias = config.boolean_or({"router_bias"}, false);
  experts.router_outputs =
      experts.num_experts + config.whole_or({"zero_expert_num"}, {0, kExpertsRange.most}, 0);
  spec.layers.assign(2 * pairs, layer);
  read_mtp(config, true, spec);
  spec.mtp.copies_lm_head = false;
  for (std::size_t i = 0; i < spec.layers.size(); i += 2) {
    spec.layers[i].feed_forward = experts;
  }
  spec.names.attention = "self_attn.0.";
  spec.names.mlp = "mlps.0.";
  spec.names.router = "mlp.router.classifier";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::longcat_flash
