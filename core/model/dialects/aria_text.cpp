#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::aria_text {
namespace {

constexpr std::string_view kArchitectures[] = {"AriaTextForCausalLM"};
constexpr std::string_view kModelTypes[] = {"aria_text"};

/// Aria's language model: every layer a mixture of `intermediate_size`.
void read(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, DecoderProfile{}, spec);
  place_experts(std::vector<bool>(spec.layers.size(), true), read_mixture(config), spec);
  spec.names.router = "mlp.router";
  spec.names.experts = "mlp.experts.";
  spec.names.gate = "fc1";
  spec.names.up = "fc1";
  spec.names.down = "fc2";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::aria_text
