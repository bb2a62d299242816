#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::starcoder2 {
namespace {

constexpr std::string_view kArchitectures[] = {"Starcoder2ForCausalLM",
                                               "Starcoder2ForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"starcoder2"};
constexpr ModuleNames kNames{.up = "c_fc", .down = "c_proj"};
/// transformers Starcoder2Config.
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.key_value_heads = 2;
  profile.qkv_bias = Bias::by_key_or_true;
  profile.output_bias = Bias::by_key_or_true;
  profile.mlp_bias = Bias::by_key_or_true;
  profile.qkv_bias_key = "use_bias";
  profile.output_bias_key = "use_bias";
  profile.mlp_bias_key = "use_bias";
  profile.gated = false;
  profile.norms = 4;
  profile.final_norms = 2;
  profile.names = &kNames;
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::starcoder2
