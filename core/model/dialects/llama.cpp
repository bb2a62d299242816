#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model {
namespace {

constexpr std::string_view kArchitectures[] = {"LlamaForCausalLM", "LLaMAForCausalLM", "MistralForCausalLM", "YiForCausalLM"};
constexpr std::string_view kModelTypes[] = {"llama", "mistral", "yi"};
constexpr DecoderProfile kProfile;

}  // namespace

extern const Dialect dialect_llama;
const Dialect dialect_llama = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model
