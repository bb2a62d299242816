#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::nemotron {
namespace {

constexpr std::string_view kArchitectures[] = {"NemotronForCausalLM",
                                               "NemotronForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"nemotron"};
/// Layer norms with biases and a squared ReLU (transformers modeling_nemotron).
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.norms = 4;
  profile.final_norms = 2;
  profile.gated = false;
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::nemotron
