#include <algorithm>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/mixers.hpp"

namespace ridgepoint::model::plamo2 {
namespace {

constexpr std::string_view kArchitectures[] = {"Plamo2ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"plamo2"};

/// A mixer between Mamba 1 and 2: heads, no groups, a bottleneck for the time step (vLLM 0.25
/// models/plamo2.py).
Layer mamba_layer(json::Fields& config, const FeedForward& feed_forward, const ModelSpec& spec) {
  State state;
  state.kind = StateKind::mamba2;
  state.weights_apart = true;
  state.groups = 0;
  state.heads = config.require_whole({"mamba_num_heads"}, kHeadsRange);
  state.head_dim = config.require_whole({"hidden_size_per_head"}, kHeadDimRange);
  state.inner_size = state.heads * state.head_dim;
  state.state_size = config.whole_or({"mamba_d_state"}, kHeadDimRange, 64);
  state.conv_kernel = config.whole_or({"mamba_d_conv"}, {1, 1024}, 4);
  state.conv_bias = false;
  const std::uint64_t inner = state.inner_size;
  const std::uint64_t rank = std::max<std::uint64_t>(64, spec.hidden_size / 16);
  Layer layer = state_layer(state, feed_forward, 4);
  const auto add = [&](Split split, std::string_view module, std::uint64_t rows,
                       std::uint64_t cols) {
    Tensor tensor = matrix(Part::state_mixer, split, module, rows, cols);
    tensor.block = "mixer.";
    layer.extra.push_back(tensor);
  };
  add(Split::column, "in_proj", 2 * inner, spec.hidden_size);
  add(Split::row, "bcdt_proj", rank + 2 * state.state_size, inner);
  add(Split::column, "dt_proj", state.heads, rank);
  add(Split::row, "out_proj", spec.hidden_size, inner);
  layer.extra.push_back(values(Part::state_mixer, "conv1d",
                               inner * state.conv_kernel + 3 * state.heads, Split::column));
  layer.extra.push_back(values(Part::state_mixer, "dt_norm", rank + 2 * state.state_size));
  return layer;
}

void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.norms = 4;
  profile.qkv_bias = Bias::never;
  profile.output_bias = Bias::never;
  profile.mlp_bias = Bias::never;
  read_sizes(config, profile, spec);
  Layer full;
  full.attention = read_attention(config, profile, spec);
  full.feed_forward = read_dense(config, profile, spec);
  full.norms = 4;
  const Attention& a = full.attention;
  // Each head of queries and keys has a norm of its own.
  full.extra.push_back(values(Part::attention, "q_norm",
                              (a.num_attention_heads + a.num_key_value_heads) * a.head_dim,
                              Split::column));
  if (!config.boolean_or({"mamba_enabled"}, true)) {
    spec.layers.assign(spec.layers.size(), full);
    return;
  }
  const Layer mamba = mamba_layer(config, full.feed_forward, spec);
  const std::uint64_t step = config.whole_or({"mamba_step"}, {2, 1000}, 2);
  const std::size_t count = spec.layers.size();
  for (std::size_t i = 0; i < count; ++i) {
    const bool attends = count <= step / 2 ? i + 1 == count : i % step == step / 2;
    spec.layers[i] = attends ? full : mamba;
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::plamo2
