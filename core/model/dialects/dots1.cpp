#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::dots1 {
namespace {

constexpr std::string_view kArchitectures[] = {"Dots1ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"dots1"};

/// dots.llm1: ordinary heads with norms, DeepSeek-V3's mixtures.
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.qk_norm = QkNorm::per_head;
  profile.windows = Windows::pattern;
  read_decoder(config, profile, spec);
  FeedForward experts = read_mixture(config);
  experts.score_correction_bias = true;
  place_experts(sparse_layers(config, "first_k_dense_replace", spec.layers.size()), experts, spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::dots1
