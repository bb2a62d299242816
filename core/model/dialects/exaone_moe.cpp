#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"
#include "model/latent.hpp"

namespace ridgepoint::model::exaone_moe {
namespace {

constexpr std::string_view kArchitectures[] = {"ExaoneMoeForCausalLM"};
constexpr std::string_view kModelTypes[] = {"exaone_moe"};

/// K-EXAONE. Its prediction module is dense and stores no copies of embedding and head.
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.qkv_bias = Bias::never;
  profile.output_bias = Bias::never;
  profile.qk_norm = QkNorm::per_head;
  profile.windows = Windows::pattern;
  profile.window = 4096;
  profile.window_pattern = 4;
  read_decoder(config, profile, spec);
  if (spec.layers.empty()) {
    return;
  }
  read_mtp(config, false, spec);
  FeedForward experts = read_mixture(config);
  experts.score_correction_bias = true;
  place_experts(sparse_layers(config, "first_k_dense_replace", spec.layers.size()), experts, spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::exaone_moe
