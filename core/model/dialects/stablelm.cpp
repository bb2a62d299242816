#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::stablelm {
namespace {

constexpr std::string_view kArchitectures[] = {"StableLmForCausalLM", "StableLMEpochForCausalLM",
                                               "StableLmForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"stablelm", "stablelm_epoch"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.qkv_bias_key = "use_qkv_bias";
  profile.output_bias = Bias::never;
  profile.mlp_bias = Bias::never;
  profile.qk_norm = QkNorm::full_width;
  profile.qk_norm_key = "qk_layernorm";
  profile.norms = 4;
  profile.final_norms = 2;
  profile.windows = Windows::never;
  return profile;
}();

/// transformers modeling_stablelm: a parallel residual (12B) has one layer norm for both branches.
void read(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, kProfile, spec);
  if (config.boolean_or({"use_parallel_residual"}, false)) {
    for (Layer& layer : spec.layers) {
      layer.norms = 2;
    }
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::stablelm
