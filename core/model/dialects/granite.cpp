#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::granite {
namespace {

constexpr std::string_view kArchitectures[] = {"GraniteForCausalLM", "GraniteModel",
                                               "GraniteForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"granite"};
constexpr DecoderProfile kProfile;

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile, true};

}  // namespace ridgepoint::model::granite
