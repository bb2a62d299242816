#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model {
namespace {

constexpr std::string_view kArchitectures[] = {"Qwen3ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"qwen3"};

void read(json::Fields& config, ModelSpec& spec) {
  DecoderDefaults defaults;
  defaults.head_dim = 128;
  defaults.qk_norm = QkNorm::per_head;
  defaults.uses_sliding_window = false;
  read_decoder(config, defaults, spec);
}

}  // namespace

extern const Dialect dialect_qwen3;
const Dialect dialect_qwen3 = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model
