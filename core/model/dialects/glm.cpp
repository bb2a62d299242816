#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::glm {
namespace {

constexpr std::string_view kArchitectures[] = {"GlmForCausalLM", "GlmForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"glm"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.head_dim = 128;
  profile.output_bias = Bias::never;
  profile.mlp_bias = Bias::never;
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::glm
