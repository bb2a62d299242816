#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::qwen {
namespace {

constexpr std::string_view kArchitectures[] = {"QWenLMHeadModel"};
constexpr std::string_view kModelTypes[] = {"qwen"};
constexpr ModuleNames kNames{.layers = "transformer.h.",
                             .attention = "attn.",
                             .mlp = "mlp.",
                             .gate = "w2",
                             .up = "w1",
                             .down = "c_proj"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.qkv_bias = Bias::always;
  profile.output_bias = Bias::never;
  profile.mlp_bias = Bias::never;
  profile.windows = Windows::never;
  profile.names = &kNames;
  return profile;
}();

/// Qwen 1: `intermediate_size` is that of both halves of the feed-forward together.
void read(json::Fields& config, ModelSpec& spec) {
  if (config.has("visual")) {
    config.fail("unknown_architecture", "visual",
                "This is Qwen-VL, the first, under the name of its language model; its vision "
                "tower is not known to this reader.");
    return;
  }
  read_decoder(config, kProfile, spec);
  for (Layer& layer : spec.layers) {
    layer.feed_forward.intermediate_size /= 2;
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::qwen
