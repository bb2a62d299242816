#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::mixtral {
namespace {

constexpr std::string_view kArchitectures[] = {
    "MixtralForCausalLM", "MixtralForSequenceClassification", "MixtralForTokenClassification"};
constexpr std::string_view kModelTypes[] = {"mixtral"};

void read(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, DecoderProfile{}, spec);
  const FeedForward experts =
      read_experts(config, {"num_local_experts"}, {"num_experts_per_tok"}, {"intermediate_size"});
  for (Layer& layer : spec.layers) {
    layer.feed_forward = experts;
  }
  spec.names.router = "block_sparse_moe.gate";
  spec.names.experts = "block_sparse_moe.experts.0.";
  spec.names.gate = "w1";
  spec.names.up = "w3";
  spec.names.down = "w2";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::mixtral
