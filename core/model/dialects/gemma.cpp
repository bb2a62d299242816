#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::gemma {
namespace {

constexpr std::string_view kArchitectures[] = {"GemmaForCausalLM", "GemmaModel",
                                               "GemmaForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"gemma"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.head_dim = 256;
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile, true};

}  // namespace ridgepoint::model::gemma
