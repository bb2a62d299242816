#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::mistral {
namespace {

constexpr std::string_view kArchitectures[] = {"MistralForCausalLM", "MistralModel",
                                               "MistralForSequenceClassification",
                                               "MistralForTokenClassification", "GritLM"};
constexpr std::string_view kModelTypes[] = {"mistral"};
/// transformers MistralConfig: a window of 4,096 and eight key/value heads unless the config says
/// otherwise, null being no window.
constexpr DecoderProfile kProfile{.key_value_heads = 8, .window = 4096};

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile, true};

}  // namespace ridgepoint::model::mistral
