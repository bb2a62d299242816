#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::orion {
namespace {

constexpr std::string_view kArchitectures[] = {"OrionForCausalLM"};
constexpr std::string_view kModelTypes[] = {"orion"};
/// Llama with layer norms that have biases.
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.norms = 4;
  profile.final_norms = 2;
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::orion
