#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::glm4 {
namespace {

constexpr std::string_view kArchitectures[] = {"Glm4ForCausalLM", "Glm4ForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"glm4"};
/// GLM with norms after attention and feed-forward as well (transformers modeling_glm4).
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.head_dim = 128;
  profile.output_bias = Bias::never;
  profile.mlp_bias = Bias::never;
  profile.norms = 4;
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::glm4
