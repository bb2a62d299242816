#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::smollm3 {
namespace {

constexpr std::string_view kArchitectures[] = {"SmolLM3ForCausalLM",
                                               "SmolLM3ForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"smollm3"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.key_value_heads = 4;
  profile.uses_sliding_window = false;
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::smollm3
