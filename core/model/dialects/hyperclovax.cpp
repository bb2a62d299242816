#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::hyperclovax {
namespace {

constexpr std::string_view kArchitectures[] = {"HyperCLOVAXForCausalLM"};
constexpr std::string_view kModelTypes[] = {"hyperclovax"};
constexpr DecoderProfile kProfile;

/// vLLM 0.28 models/hyperclovax.py.
void read(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, kProfile, spec);
  if (config.boolean_or({"use_post_norm"}, false)) {
    for (Layer& layer : spec.layers) {
      layer.norms = 4;
    }
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::hyperclovax
