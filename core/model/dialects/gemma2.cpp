#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::gemma2 {
namespace {

constexpr std::string_view kArchitectures[] = {"Gemma2ForCausalLM", "Gemma2Model",
                                               "Gemma2ForSequenceClassification",
                                               "Gemma2ForTokenClassification"};
constexpr std::string_view kModelTypes[] = {"gemma2"};
/// transformers Gemma2Config: every other layer has a window, the first one too.
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.head_dim = 256;
  profile.norms = 4;
  profile.windows = Windows::pattern;
  profile.window = 4096;
  profile.window_pattern = 2;
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile, true};

}  // namespace ridgepoint::model::gemma2
