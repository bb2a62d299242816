#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::telechat {
namespace {

constexpr std::string_view kArchitectures[] = {"TelechatForCausalLM", "TeleChatForCausalLM",
                                               "TeleChat2ForCausalLM", "Telechat2ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"telechat", "telechat2"};
constexpr ModuleNames kNames{.layers = "transformer.h.", .attention = "self_attention."};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.qkv_bias = Bias::never;
  profile.output_bias = Bias::always;
  profile.mlp_bias = Bias::never;
  profile.windows = Windows::never;
  profile.names = &kNames;
  return profile;
}();

/// vLLM 0.28 models/telechat2.py: of the feed-forward's projections only the last has a bias.
void read(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, kProfile, spec);
  for (Layer& layer : spec.layers) {
    layer.extra.push_back(values(Part::dense_ffn, "mlp.down_proj", spec.hidden_size));
  }
  if (!config.has("tie_word_embeddings")) {
    spec.confidence = Confidence::assumed;
    spec.notes.emplace_back(
        "tie_word_embeddings is absent: the head is taken for tied, as transformers does then.");
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::telechat
