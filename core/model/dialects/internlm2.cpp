#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::internlm2 {
namespace {

constexpr std::string_view kArchitectures[] = {"InternLM2ForCausalLM", "InternLM2ForRewardModel",
                                               "InternLM2ForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"internlm2"};
constexpr ModuleNames kNames{
    .attention = "attention.", .mlp = "feed_forward.", .gate = "w1", .up = "w3", .down = "w2"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.names = &kNames;
  profile.qkv_bias = Bias::by_key_or_true;
  profile.output_bias = Bias::by_key_or_true;
  profile.mlp_bias = Bias::never;
  profile.qkv_bias_key = "bias";
  profile.output_bias_key = "bias";
  return profile;
}();

void read(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, kProfile, spec);
  if (spec.architecture == "InternLM2ForRewardModel") {
    spec.lm_head = false;
    spec.extra.push_back(matrix(Part::lm_head, Split::replicated, "v_head", 1, spec.hidden_size));
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::internlm2
