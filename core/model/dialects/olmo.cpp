#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::olmo {
namespace {

constexpr std::string_view kArchitectures[] = {"OlmoForCausalLM"};
constexpr std::string_view kModelTypes[] = {"olmo"};
/// Its layer norms have no weights (transformers modeling_olmo).
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.norms = 0;
  profile.final_norms = 0;
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::olmo
