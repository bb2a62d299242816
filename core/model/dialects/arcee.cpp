#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::arcee {
namespace {

constexpr std::string_view kArchitectures[] = {"ArceeForCausalLM",
                                               "ArceeForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"arcee"};
/// Llama with a squared ReLU in place of the gate (transformers modeling_arcee).
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.gated = false;
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::arcee
