#include "model/dialect.hpp"
#include "model/language_model.hpp"
#include "model/tower.hpp"

namespace ridgepoint::model::audio_language {
namespace {

constexpr std::string_view kArchitectures[] = {"VoxtralForConditionalGeneration", "UltravoxModel",
                                               "GraniteSpeechForConditionalGeneration",
                                               "AudioFlamingo3ForConditionalGeneration"};
constexpr std::string_view kModelTypes[] = {"voxtral", "ultravox", "granite_speech",
                                            "audioflamingo3"};

/// Whisper's encoder and a projector that reads four frames at once. Source: transformers
/// VoxtralMultiModalProjector.
void add_voxtral(json::Fields& audio, ModelSpec& spec) {
  add_whisper_encoder(audio, Part::audio, "audio_tower.layers.", true, spec);
  add_projector(spec, Part::audio, spec.hidden_size,
                audio.whole_or({"intermediate_size"}, kWidthRange, 5120), false);
}

/// Source: transformers AudioFlamingo3Encoder, AudioFlamingo3MultiModalProjector.
void add_flamingo(json::Fields& audio, ModelSpec& spec) {
  const std::uint64_t hidden =
      add_whisper_encoder(audio, Part::audio, "audio_tower.layers.", true, spec);
  add_projector(spec, Part::audio, spec.hidden_size, hidden, true);
}

void read(json::Fields& config, ModelSpec& spec) {
  const std::string_view name =
      spec.architecture.empty() ? std::string_view(spec.model_type) : spec.architecture;
  if (name.starts_with("Voxtral") || name == "voxtral") {
    read_inner_model(config, {"text_config"}, "llama", spec);
    read_with_part(config, "audio_config", "audio tower", add_voxtral, spec);
  } else if (name.starts_with("AudioFlamingo") || name == "audioflamingo3") {
    read_inner_model(config, {"text_config"}, "qwen2", spec);
    read_with_part(config, "audio_config", "audio tower", add_flamingo, spec);
  } else {
    const bool granite = name.starts_with("Granite") || name == "granite_speech";
    read_inner_model(config, {"text_config"}, granite ? "granite" : "llama", spec);
    leave_out(spec, granite ? "speech encoder, projector and adapter" : "audio tower");
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::audio_language
