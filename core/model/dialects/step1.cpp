#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::step1 {
namespace {

constexpr std::string_view kArchitectures[] = {"Step1ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"step1"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.windows = Windows::never;
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::step1
