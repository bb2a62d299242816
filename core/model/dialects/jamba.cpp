#include <string>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"
#include "model/mixers.hpp"

namespace ridgepoint::model::jamba {
namespace {

constexpr std::string_view kArchitectures[] = {"JambaForCausalLM", "JambaModel",
                                               "JambaForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"jamba"};

/// Every `…_period`-th layer from `…_offset` on (transformers JambaConfig).
struct Every {
  std::uint64_t period;
  std::uint64_t offset;
  [[nodiscard]] bool has(std::size_t layer) const { return layer % period == offset; }
};

void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.key_value_heads = 8;
  profile.qkv_bias = Bias::never;
  profile.output_bias = Bias::never;
  profile.mlp_bias = Bias::never;
  read_sizes(config, profile, spec);
  const Every attends{config.whole_or({"attn_layer_period"}, kLayersRange, 8),
                      config.whole_or({"attn_layer_offset"}, {0, 1000}, 4)};
  const Every sparse{config.whole_or({"expert_layer_period"}, kLayersRange, 2),
                     config.whole_or({"expert_layer_offset"}, {0, 1000}, 1)};
  Layer full;
  full.attention = read_attention(config, profile, spec);
  const FeedForward dense = read_dense(config, profile, spec);
  full.feed_forward = dense;
  FeedForward experts = dense;
  if (config.whole_or({"num_experts"}, kExpertsRange, 16) > 1) {
    experts = read_experts(config, {"num_experts"}, {"num_experts_per_tok"}, {"intermediate_size"});
  }
  const State state = read_mamba1(config, expanded(config, {"mamba_expand"}, spec), spec);
  Layer mamba = state_layer(state, dense, 2);
  // Norms of the time step, B and C.
  Tensor norms = values(Part::state_mixer, "dt_layernorm", state.dt_rank + 2 * state.state_size);
  mamba.extra.push_back(norms);
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    spec.layers[i] = attends.has(i) ? full : mamba;
    if (sparse.has(i)) {
      spec.layers[i].feed_forward = experts;
    }
  }
  spec.names.state = "mamba.";
  spec.names.mlp = "feed_forward.";
  spec.names.router = "feed_forward.router";
  spec.names.experts = "feed_forward.experts.0.";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read, nullptr, true};

}  // namespace ridgepoint::model::jamba
