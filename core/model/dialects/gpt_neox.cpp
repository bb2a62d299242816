#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::gpt_neox {
namespace {

constexpr std::string_view kArchitectures[] = {
    "GPTNeoXForCausalLM", "GPTNeoXModel", "GPTNeoXForSequenceClassification",
    "GPTNeoXForTokenClassification", "GPTNeoXRewardModel"};
constexpr std::string_view kModelTypes[] = {"gpt_neox", "gpt_neox_reward_model"};
constexpr ModuleNames kNames{.layers = "gpt_neox.layers.",
                             .attention = "attention.",
                             .mlp = "mlp.",
                             .up = "dense_h_to_4h",
                             .down = "dense_4h_to_h"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.intermediate_factor = 4;
  profile.qkv_bias = Bias::by_key_or_true;
  profile.output_bias = Bias::by_key_or_true;
  profile.mlp_bias = Bias::always;
  profile.gated = false;
  profile.norms = 4;
  profile.final_norms = 2;
  profile.windows = Windows::never;
  profile.names = &kNames;
  return profile;
}();

void read(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, kProfile, spec);
  // OpenAssistant's reward models end in one value a token, with a bias.
  if (spec.architecture == "GPTNeoXRewardModel") {
    spec.lm_head = false;
    spec.extra.push_back(matrix(Part::lm_head, Split::replicated, "out_proj", 1, spec.hidden_size));
    spec.extra.push_back(values(Part::lm_head, "out_proj", 1));
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read, nullptr, true};

}  // namespace ridgepoint::model::gpt_neox
