#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::apertus {
namespace {

constexpr std::string_view kArchitectures[] = {"ApertusForCausalLM"};
constexpr std::string_view kModelTypes[] = {"apertus"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.gated = false;
  profile.qk_norm = QkNorm::per_head;
  return profile;
}();

/// The activation (xIELU) has two learned numbers a layer (transformers modeling_apertus).
void read(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, kProfile, spec);
  for (Layer& layer : spec.layers) {
    layer.extra.push_back(values(Part::dense_ffn, "mlp.act_fn", 2));
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::apertus
