#include <string>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/latent.hpp"
#include "wording.hpp"

namespace ridgepoint::model::pangu_ultra_moe {
namespace {

constexpr std::string_view kArchitectures[] = {"PanguUltraMoEForCausalLM"};
constexpr std::string_view kModelTypes[] = {"pangu_ultra_moe"};

/// openPangu-Ultra-MoE: DeepSeek-V3's shape under names of its own, with norms on both sides of
/// each block. Source: vLLM 0.28 models/openpangu.py.
void read(json::Fields& config, ModelSpec& spec) {
  LatentProfile profile;
  for (const std::string_view key : {"param_sink_number", "mome_kernel_size", "hc_mult"}) {
    if (config.whole_or({key}, {0, 1U << 20U}, 0) != 0) {
      config.fail(
          "unknown_architecture", key,
          worded({"This openPangu variant has attention sinks, convolutions or hyper-connections "
                  "that this version does not model; without ",
                  key, " the rest can be sized."}));
    }
  }
  profile.decoder.norms = config.boolean_or({"sandwich_norm"}, false) ? 4 : 2;
  profile.correction_bias = config.boolean_or({"router_enable_expert_bias"}, false);
  if (!config.has(profile.first_sparse)) {
    profile.first_sparse = "num_dense_layers";
  }
  read_latent_decoder(config, profile, spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::pangu_ultra_moe
