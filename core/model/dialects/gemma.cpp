#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model {
namespace {

constexpr std::string_view kArchitectures[] = {"GemmaForCausalLM"};
constexpr std::string_view kModelTypes[] = {"gemma"};

void read(json::Fields& config, ModelSpec& spec) {
  DecoderDefaults defaults;
  defaults.tie_word_embeddings = true;
  defaults.head_dim = 256;
  read_decoder(config, defaults, spec);
}

}  // namespace

extern const Dialect dialect_gemma;
const Dialect dialect_gemma = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model
