#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::phi3small {
namespace {

constexpr std::string_view kArchitectures[] = {"Phi3SmallForCausalLM",
                                               "Phi3SmallForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"phi3small"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.qkv_bias = Bias::always;
  profile.output_bias = Bias::always;
  profile.gated = true;
  profile.norms = 4;
  profile.final_norms = 2;
  profile.windows = Windows::never;
  return profile;
}();

/// vLLM models/phi3_small.py, until 0.9.2. Block-sparse layers read less of the cache than they
/// keep, so that it is sized as that of full attention.
void read(json::Fields& config, ModelSpec& spec) {
  read_sizes(config, kProfile, spec);
  Layer layer;
  layer.attention = read_attention(config, kProfile, spec);
  layer.feed_forward.intermediate_size =
      config.require_whole({"ff_intermediate_size", "intermediate_size"}, kWidthRange);
  layer.feed_forward.bias = true;
  layer.norms = kProfile.norms;
  spec.layers.assign(spec.layers.size(), layer);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::phi3small
