#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::cohere {
namespace {

constexpr std::string_view kArchitectures[] = {"CohereForCausalLM"};
constexpr std::string_view kModelTypes[] = {"cohere"};
/// One norm a layer, before attention and feed-forward beside each other; the norms of queries and
/// keys have weights for every head (transformers modeling_cohere).
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.qk_norm = QkNorm::full_width;
  profile.qk_norm_key = "use_qk_norm";
  profile.norms = 1;
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::cohere
