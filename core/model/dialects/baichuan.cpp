#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::baichuan {
namespace {

constexpr std::string_view kArchitectures[] = {"BaichuanForCausalLM", "BaiChuanForCausalLM"};
constexpr std::string_view kModelTypes[] = {"baichuan"};
/// Queries, keys and values lie in one W_pack; the sizes are Llama's.
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.qkv_bias = Bias::never;
  profile.output_bias = Bias::never;
  profile.mlp_bias = Bias::never;
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::baichuan
