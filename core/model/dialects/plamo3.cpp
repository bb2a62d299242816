#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::plamo3 {
namespace {

constexpr std::string_view kArchitectures[] = {"Plamo3ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"plamo3"};
constexpr ModuleNames kNames{.layers = "model.layers.layers.", .attention = "mixer."};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.head_dim = 128;
  profile.qkv_bias = Bias::never;
  profile.output_bias = Bias::never;
  profile.mlp_bias = Bias::never;
  profile.qk_norm = QkNorm::per_head;
  profile.norms = 4;
  profile.windows = Windows::never;
  profile.names = &kNames;
  return profile;
}();

/// vLLM 0.28 models/plamo3.py. The config class makes the list of windows from `window_size` and
/// `sliding_window_pattern`, of which every n-th layer is full.
void read(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, kProfile, spec);
  for (const std::string_view key : {"interleaved_sliding_window", "sliding_window"}) {
    if (config.has(key)) {
      apply_window_list(config, key, spec);
      return;
    }
  }
  const std::uint64_t window = config.whole_or({"window_size"}, kLengthRange, 2048);
  const std::uint64_t every =
      config.whole_or({"sliding_window_pattern"}, {1, kLayersRange.most}, 8);
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    if ((i + 1) % every != 0) {
      spec.layers[i].attention.kind = AttentionKind::sliding;
      spec.layers[i].attention.window = window;
    }
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::plamo3
