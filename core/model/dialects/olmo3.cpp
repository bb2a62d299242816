#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::olmo3 {
namespace {

constexpr std::string_view kArchitectures[] = {"Olmo3ForCausalLM",
                                               "Olmo3ForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"olmo3"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.qk_norm = QkNorm::full_width;
  profile.windows = Windows::pattern;
  profile.window = 4096;
  profile.window_pattern = 4;
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::olmo3
