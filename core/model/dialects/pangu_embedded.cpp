#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::pangu_embedded {
namespace {

constexpr std::string_view kArchitectures[] = {"PanguEmbeddedForCausalLM"};
constexpr std::string_view kModelTypes[] = {"PanguEmbedded"};

constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.qkv_bias_key = "bias";
  profile.output_bias_key = "bias";
  profile.mlp_bias = Bias::never;
  profile.windows = Windows::never;
  return profile;
}();

/// vLLM 0.28 models/openpangu.py.
void read(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, kProfile, spec);
  apply_window_list(config, "interleaved_sliding_window", spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::pangu_embedded
