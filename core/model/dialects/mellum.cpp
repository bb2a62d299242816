#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::mellum {
namespace {

constexpr std::string_view kArchitectures[] = {"MellumForCausalLM"};
constexpr std::string_view kModelTypes[] = {"mellum"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.qk_norm = QkNorm::per_head;
  profile.output_bias = Bias::never;
  return profile;
}();

/// vLLM 0.28 models/mellum.py: Qwen3-MoE with windows by `layer_types` and mixtures by
/// `mlp_layer_types`.
void read(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, kProfile, spec);
  const FeedForward experts = read_experts(config, {"num_experts", "num_local_experts"},
                                           {"num_experts_per_tok"}, {"moe_intermediate_size"});
  const auto names = read_names(config, "mlp_layer_types", spec.layers.size());
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    if (names.empty() || names[i] == "sparse") {
      spec.layers[i].feed_forward = experts;
    }
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::mellum
