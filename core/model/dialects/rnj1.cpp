#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::rnj1 {
namespace {

constexpr std::string_view kArchitectures[] = {"Rnj1ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"rnj1"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.head_dim = 256;
  profile.qk_norm = QkNorm::per_head;
  profile.norms = 4;
  profile.windows = Windows::never;
  return profile;
}();

/// vLLM 0.28 models/rnj1.py: Gemma 3 whose local layers see their block and the one before it, and
/// whose cache is that of a window.
void read(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, kProfile, spec);
  const auto names = read_names(config, "layer_types", spec.layers.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == "chunked_attention") {
      spec.layers[i].attention.kind = AttentionKind::sliding;
      spec.layers[i].attention.window = config.require_whole({"sliding_window"}, kLengthRange);
    } else if (names[i] != "full_attention") {
      config.fail("unknown_architecture", "layer_types",
                  "This reader knows full_attention and chunked_attention.");
      return;
    }
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::rnj1
