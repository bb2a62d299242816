#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::exaone4 {
namespace {

constexpr std::string_view kArchitectures[] = {"Exaone4ForCausalLM",
                                               "Exaone4ForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"exaone4"};
/// transformers Exaone4Config: an explicit null as sliding_window leaves every layer full.
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.qkv_bias = Bias::never;
  profile.output_bias = Bias::never;
  profile.mlp_bias = Bias::never;
  profile.qk_norm = QkNorm::per_head;
  profile.windows = Windows::pattern;
  profile.window = 4096;
  profile.window_pattern = 4;
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::exaone4
