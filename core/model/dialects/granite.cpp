#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model {
namespace {

constexpr std::string_view kArchitectures[] = {"GraniteForCausalLM"};
constexpr std::string_view kModelTypes[] = {"granite"};

void read(json::Fields& config, ModelSpec& spec) { read_decoder(config, DecoderDefaults{}, spec); }

}  // namespace

extern const Dialect dialect_granite;
const Dialect dialect_granite = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model
