#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::vaultgemma {
namespace {

constexpr std::string_view kArchitectures[] = {"VaultGemmaForCausalLM"};
constexpr std::string_view kModelTypes[] = {"vaultgemma"};
/// Gemma 2 without the norms after attention and feed-forward (transformers modeling_vaultgemma).
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.head_dim = 256;
  profile.windows = Windows::pattern;
  profile.window = 4096;
  profile.window_pattern = 2;
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::vaultgemma
