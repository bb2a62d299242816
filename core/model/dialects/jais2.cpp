#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::jais2 {
namespace {

constexpr std::string_view kArchitectures[] = {"Jais2ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"jais2"};
/// transformers Jais2Config.
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.norms = 4;
  profile.final_norms = 2;
  profile.gated = false;
  profile.qkv_bias = Bias::by_key_or_true;
  profile.output_bias = Bias::by_key_or_true;
  profile.mlp_bias = Bias::by_key_or_true;
  profile.windows = Windows::never;
  return profile;
}();

void read(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, kProfile, spec);
  apply_window_list(config, "interleaved_sliding_window", spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::jais2
