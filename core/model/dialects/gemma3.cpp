#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::gemma3 {
namespace {

constexpr std::string_view kArchitectures[] = {"Gemma3ForCausalLM", "Gemma3TextModel",
                                               "Gemma3TextForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"gemma3_text"};
/// transformers Gemma3TextConfig: of six layers the last sees everything.
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.head_dim = 256;
  profile.key_value_heads = 4;
  profile.qk_norm = QkNorm::per_head;
  profile.norms = 4;
  profile.windows = Windows::pattern;
  profile.window = 4096;
  profile.window_pattern = 6;
  return profile;
}();

void read(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, kProfile, spec);
  spec.rope.local_rotary_dim = kProfile.head_dim;  // the class always has rope_local_base_freq
  spec.rope.length_is_scaled = true;               // vLLM config/model.py leaves gemma3 out
  // EmbeddingGemma: every token sees every other, and nothing is cached.
  if (config.boolean_or({"use_bidirectional_attention"}, false)) {
    for (Layer& layer : spec.layers) {
      layer.attention.kind = AttentionKind::bidirectional;
    }
    spec.encoder_only = true;
    spec.notes.emplace_back("Every token sees every other: nothing is cached.");
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read, nullptr, true};

}  // namespace ridgepoint::model::gemma3
