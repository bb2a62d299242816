#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::internlm3 {
namespace {

constexpr std::string_view kArchitectures[] = {"InternLM3ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"internlm3"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.qkv_bias_key = "qkv_bias";
  profile.output_bias_key = "bias";
  profile.mlp_bias_key = "bias";
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::internlm3
