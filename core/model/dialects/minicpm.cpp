#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::minicpm {
namespace {

constexpr std::string_view kArchitectures[] = {"MiniCPMForCausalLM"};
constexpr std::string_view kModelTypes[] = {"minicpm"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.uses_sliding_window = false;
  return profile;
}();

void read(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, kProfile, spec);
  if (config.has("sparse_config")) {
    spec.notes.emplace_back(
        "sparse_config is not read: vLLM runs this model with dense attention, and the cache is "
        "the "
        "same.");
  }
  if (config.whole_or({"num_experts"}, {0, kExpertsRange.most}, 0) == 0) {
    return;
  }
  const FeedForward experts =
      read_experts(config, {"num_experts"}, {"num_experts_per_tok"}, {"intermediate_size"});
  for (Layer& layer : spec.layers) {
    layer.feed_forward = experts;
  }
  spec.names.gate = "w1";
  spec.names.up = "w3";
  spec.names.down = "w2";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::minicpm
