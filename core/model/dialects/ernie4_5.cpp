#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::ernie4_5 {
namespace {

constexpr std::string_view kArchitectures[] = {"Ernie4_5ForCausalLM", "Ernie4_5_ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"ernie4_5"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.head_dim = 128;
  profile.qkv_bias_key = "use_bias";
  profile.output_bias_key = "use_bias";
  profile.mlp_bias_key = "use_bias";
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::ernie4_5
