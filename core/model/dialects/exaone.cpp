#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::exaone {
namespace {

constexpr std::string_view kArchitectures[] = {"ExaoneForCausalLM",
                                               "ExaoneForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"exaone"};
constexpr ModuleNames kNames{.layers = "transformer.h.",
                             .attention = "attn.attention.",
                             .gate = "c_fc_0",
                             .up = "c_fc_1",
                             .down = "c_proj"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.names = &kNames;
  profile.tie_word_embeddings = true;
  profile.qkv_bias = Bias::never;
  profile.output_bias = Bias::never;
  profile.mlp_bias = Bias::never;
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::exaone
