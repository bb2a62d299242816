#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::bloom {
namespace {

constexpr std::string_view kArchitectures[] = {"BloomForCausalLM", "BloomModel",
                                               "BloomForSequenceClassification",
                                               "BloomForTokenClassification"};
constexpr std::string_view kModelTypes[] = {"bloom"};
constexpr ModuleNames kNames{.layers = "transformer.h.",
                             .attention = "self_attention.",
                             .mlp = "mlp.",
                             .up = "dense_h_to_4h",
                             .down = "dense_4h_to_h"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.qkv_bias = Bias::always;
  profile.output_bias = Bias::always;
  profile.mlp_bias = Bias::always;
  profile.gated = false;
  profile.norms = 4;
  profile.final_norms = 2;
  profile.windows = Windows::never;
  profile.names = &kNames;
  return profile;
}();

/// transformers modeling_bloom: the feed-forward is always four hidden sizes wide, and the
/// embedding has a layer norm.
void read(json::Fields& config, ModelSpec& spec) {
  read_sizes(config, kProfile, spec);
  Layer layer;
  layer.attention = read_attention(config, kProfile, spec);
  layer.feed_forward.intermediate_size = 4 * spec.hidden_size;
  layer.feed_forward.gated = false;
  layer.feed_forward.bias = true;
  layer.norms = kProfile.norms;
  spec.layers.assign(spec.layers.size(), layer);
  spec.extra.push_back(
      values(Part::norms, "transformer.word_embeddings_layernorm", 2 * spec.hidden_size));
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read, nullptr, true};

}  // namespace ridgepoint::model::bloom
