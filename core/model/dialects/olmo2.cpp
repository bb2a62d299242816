#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model {
namespace {

constexpr std::string_view kArchitectures[] = {"Olmo2ForCausalLM",
                                               "Olmo2ForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"olmo2"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.qk_norm = QkNorm::full_width;
  return profile;
}();

}  // namespace

extern const Dialect dialect_olmo2;
const Dialect dialect_olmo2 = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model
