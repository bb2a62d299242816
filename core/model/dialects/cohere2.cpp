#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::cohere2 {
namespace {

constexpr std::string_view kArchitectures[] = {"Cohere2ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"cohere2"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.norms = 1;
  profile.windows = Windows::pattern;
  profile.window = 4096;
  profile.window_pattern = 4;
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::cohere2
