#include <nlohmann/json.hpp>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"
#include "model/latent.hpp"

namespace ridgepoint::model::ernie4_5_moe {
namespace {

constexpr std::string_view kArchitectures[] = {"Ernie4_5_MoeForCausalLM", "Ernie4_5_MoeModel"};
constexpr std::string_view kModelTypes[] = {"ernie4_5_moe"};

/// ERNIE 4.5. Source: transformers Ernie4_5_MoeConfig, whose class always has the load-balancing
/// bias; vLLM 0.28 models/ernie45_moe.py.
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  const Bias bias = config.boolean_or({"use_bias"}, false) ? Bias::always : Bias::never;
  profile.qkv_bias = bias;
  profile.output_bias = bias;
  profile.mlp_bias = bias;
  read_decoder(config, profile, spec);
  // The prediction module is dense, joins with two norms and stores no copies.
  read_mtp(config, false, spec);
  spec.mtp.join_norms = 2;
  FeedForward experts = read_mixture(config);
  experts.score_correction_bias = config.boolean_or({"moe_use_aux_free"}, true);
  const std::size_t layers = spec.layers.size();
  const std::uint64_t first = config.whole_or({"moe_layer_start_index"}, {0, 10000}, 1);
  const std::uint64_t every = config.whole_or({"moe_layer_interval"}, kLayersRange, 1);
  const json::Value* last = config.find("moe_layer_end_index");
  const std::uint64_t end = last == nullptr || (last->is_number() && last->get<double>() < 0)
                                ? layers
                                : config.whole_or({"moe_layer_end_index"}, {0, 10000}, 0) + 1;
  std::vector<bool> sparse(layers, false);
  for (std::size_t i = first; i < layers && i < end; ++i) {
    sparse[i] = (i + 1) % every == 0;
  }
  place_experts(sparse, experts, spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::ernie4_5_moe
