#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::internlm {
namespace {

constexpr std::string_view kArchitectures[] = {"InternLMForCausalLM",
                                               "InternLMForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"internlm"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.qkv_bias = Bias::by_key_or_true;
  profile.output_bias = Bias::by_key_or_true;
  profile.mlp_bias = Bias::never;
  profile.qkv_bias_key = "bias";
  profile.output_bias_key = "bias";
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::internlm
