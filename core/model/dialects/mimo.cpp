#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/latent.hpp"

namespace ridgepoint::model::mimo {
namespace {

constexpr std::string_view kArchitectures[] = {"MiMoForCausalLM"};
constexpr std::string_view kModelTypes[] = {"mimo"};
/// Qwen2 with a prediction layer that shares embedding and head (vLLM 0.28 models/mimo_mtp.py).
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.qkv_bias = Bias::always;
  profile.output_bias = Bias::never;
  profile.mlp_bias = Bias::never;
  profile.uses_sliding_window = false;
  return profile;
}();

void read(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, kProfile, spec);
  read_mtp(config, false, spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::mimo
