#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::qwen2 {
namespace {

constexpr std::string_view kArchitectures[] = {"Qwen2ForCausalLM", "Qwen2Model",
                                               "Qwen2ForSequenceClassification",
                                               "Qwen2ForTokenClassification"};
constexpr std::string_view kModelTypes[] = {"qwen2"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.qkv_bias = Bias::always;
  profile.output_bias = Bias::never;
  profile.mlp_bias = Bias::never;
  profile.windows = Windows::above;
  profile.uses_sliding_window = false;
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile, true};

}  // namespace ridgepoint::model::qwen2
