#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::olmo2 {
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

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::olmo2
