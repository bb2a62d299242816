#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::cwm {
namespace {

constexpr std::string_view kArchitectures[] = {"CwmForCausalLM"};
constexpr std::string_view kModelTypes[] = {"cwm"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.head_dim = 128;
  profile.key_value_heads = 8;
  profile.windows = Windows::never;
  return profile;
}();

/// transformers CwmConfig: of four layers the first sees everything, where `layer_types` is absent.
void read(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, kProfile, spec);
  if (config.has("layer_types")) {
    DecoderProfile named;
    named.window = 8192;
    apply_windows(config, named, spec);
    return;
  }
  const std::uint64_t window = config.whole_or({"sliding_window"}, kLengthRange, 8192);
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    if (i % 4 != 0) {
      spec.layers[i].attention.kind = AttentionKind::sliding;
      spec.layers[i].attention.window = window;
    }
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::cwm
