#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model {
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

extern const Dialect dialect_cohere2;
const Dialect dialect_cohere2 = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model
