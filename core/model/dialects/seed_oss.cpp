#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::seed_oss {
namespace {

constexpr std::string_view kArchitectures[] = {"SeedOssForCausalLM"};
constexpr std::string_view kModelTypes[] = {"seed_oss"};
/// transformers SeedOssConfig.
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.head_dim = 128;
  profile.qkv_bias = Bias::by_key_or_true;
  profile.output_bias_key = "attention_out_bias";
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::seed_oss
