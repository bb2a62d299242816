#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model {
namespace {

constexpr std::string_view kArchitectures[] = {"LlamaForCausalLM", "LLaMAForCausalLM",
                                               "MistralForCausalLM", "YiForCausalLM"};
constexpr std::string_view kModelTypes[] = {"llama", "mistral", "yi"};

void read(json::Fields& config, ModelSpec& spec) { read_decoder(config, DecoderDefaults{}, spec); }

}  // namespace

extern const Dialect dialect_llama;
const Dialect dialect_llama = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model
