// What no dialect of a first answer needs (core/CMakeLists.txt lists them), or few requests: it
// says that it is not here, or cannot be asked.
#include "cache/compressed.hpp"
#include "engine/flags.hpp"
#include "engine/vllm/encoder.hpp"
#include "engine/vllm/flags.hpp"
#include "engine/vllm/reading.hpp"
#include "model/draft_head.hpp"
#include "model/layer_tensors.hpp"
#include "precision/methods/methods.hpp"
#include "precision/name_expression.hpp"
#include "wording.hpp"

namespace ridgepoint {

// Layers with a state, compressed attention and towers come of dialects that are not here.
void model::list_state(const LayerRun& /*run*/, const State& /*state*/) {}

std::vector<cache::CompressedCache> cache::compressed_caches(const model::Attention& /*attention*/,
                                                             precision::KvFormat /*format*/) {
  return {};
}

engine::vllm::MediaLoad engine::vllm::media_load(const Inputs& /*inputs*/,
                                                 const Settings& /*settings*/) {
  return {};
}

// No draft comes past foreign.cpp.
bool model::is_draft_head(const json::Value& /*config*/) { return false; }

Check model::add_draft_head(const json::Value& /*config*/, ModelSpec& /*spec*/) {
  return std::nullopt;
}

void engine::vllm::read_speculation(Reading& r) {
  for (const FlagValue& arg : r.inputs.args) {
    const FlagFacts* facts = find_flag(flags(), arg.name);
    if (facts != nullptr && facts->name.find("speculative") != std::string_view::npos) {
      r.error = not_here("Speculation", worded({"engine.args.", arg.name}));
      return;
    }
  }
}

void precision::read_quantized_layers(SchemeReader& reader) {
  Error error = not_here("What reads formats layer by layer", "");
  reader.fields.fail(error.code, "quantized_layers", std::move(error.message));
}

bool precision::expressions_here() { return false; }

precision::NameExpression::NameExpression(std::string_view /*pattern*/) {}

bool precision::NameExpression::matches(std::string_view /*text*/) const { return false; }

}  // namespace ridgepoint
