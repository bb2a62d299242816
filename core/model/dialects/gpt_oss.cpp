#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::gpt_oss {
namespace {

constexpr std::string_view kArchitectures[] = {
    "GptOssForCausalLM", "GptOssForSequenceClassification", "GptOssForTokenClassification"};
constexpr std::string_view kModelTypes[] = {"gpt_oss"};

void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.head_dim = 64;
  profile.qkv_bias = Bias::always;
  profile.output_bias = Bias::always;
  read_sizes(config, profile, spec);
  Layer layer;
  layer.attention = read_attention(config, profile, spec);
  layer.attention.sinks = true;
  layer.feed_forward =
      read_experts(config, {"num_local_experts", "num_experts"},
                   {"num_experts_per_tok", "experts_per_token"}, {"intermediate_size"});
  layer.feed_forward.expert_bias = true;
  layer.feed_forward.router_bias = true;
  spec.layers.assign(spec.layers.size(), layer);
  spec.names.router = "mlp.router";
  const std::uint64_t window = config.whole_or({"sliding_window"}, kLengthRange, 128);
  // vLLM decides by the layer's number and does not read layer_types (models/gpt_oss.py).
  for (std::size_t i = 0; i < spec.layers.size(); i += 2) {
    spec.layers[i].attention.kind = AttentionKind::sliding;
    spec.layers[i].attention.window = window;
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::gpt_oss
