#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model {
namespace {

constexpr std::string_view kArchitectures[] = {"Qwen2ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"qwen2"};

void read(json::Fields& config, ModelSpec& spec) {
  DecoderDefaults defaults;
  defaults.qkv_bias = true;  // no key says so: the class always has them
  defaults.bias_from_config = false;
  defaults.uses_sliding_window = false;
  read_decoder(config, defaults, spec);
}

}  // namespace

extern const Dialect dialect_qwen2;
const Dialect dialect_qwen2 = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model
