#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::qwen3 {
namespace {

constexpr std::string_view kArchitectures[] = {
    "VoyageQwen3BidirectionalEmbedModel", "Qwen3ForCausalLM", "Qwen3Model",
    "Qwen3ForSequenceClassification", "Qwen3ForTokenClassification"};
constexpr std::string_view kModelTypes[] = {"qwen3"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.head_dim = 128;
  profile.qk_norm = QkNorm::per_head;
  profile.windows = Windows::above;
  profile.uses_sliding_window = false;
  return profile;
}();

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile, true};

}  // namespace ridgepoint::model::qwen3
