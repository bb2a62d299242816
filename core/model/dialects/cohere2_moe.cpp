#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::cohere2_moe {
namespace {

constexpr std::string_view kArchitectures[] = {"Cohere2MoeForCausalLM"};
constexpr std::string_view kModelTypes[] = {"cohere2_moe"};

/// Command A+: one norm a layer, attention and feed-forward side by side. Source: transformers
/// Cohere2MoeConfig; vLLM models/cohere2_moe.py, whose window is one wider than the key.
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.head_dim = 128;
  profile.qkv_bias = Bias::never;
  profile.output_bias = Bias::never;
  profile.norms = 1;
  profile.windows = Windows::pattern;
  profile.window = 4096;
  read_decoder(config, profile, spec);
  const std::size_t layers = spec.layers.size();
  const std::uint64_t first = config.whole_or({"first_k_dense_replace"}, {0, 10000}, 0);
  const std::uint64_t every = config.whole_or({"sliding_window_pattern"}, kLayersRange, 4);
  const std::uint64_t prefix =
      config.whole_or({"prefix_dense_sliding_window_pattern"}, kLayersRange, 1);
  const std::uint64_t window = config.whole_or({"sliding_window"}, {0, 1ULL << 32U}, 4096);
  const std::uint64_t dense = config.whole_or({"prefix_dense_intermediate_size"}, kWidthRange, 0);
  const bool named = config.has("layer_types");
  for (std::size_t i = 0; i < layers; ++i) {
    Layer& layer = spec.layers[i];
    layer.feed_forward.intermediate_size =
        dense == 0 ? layer.feed_forward.intermediate_size : dense;
    const bool sliding = named       ? layer.attention.kind == AttentionKind::sliding
                         : i < first ? (i + 1) % prefix != 0
                                     : (i - first + 1) % every != 0;
    layer.attention.kind = sliding && window != 0 ? AttentionKind::sliding : AttentionKind::full;
    layer.attention.window = sliding && window != 0 ? window + 1 : 0;
  }
  FeedForward experts =
      read_experts(config, {"num_experts"}, {"num_experts_per_tok"}, {"intermediate_size"});
  experts.shared_intermediate_size =
      experts.moe_intermediate_size *
      config.whole_or({"num_shared_experts"}, {0, kExpertsRange.most}, 0);
  place_experts(sparse_layers(config, "first_k_dense_replace", layers), experts, spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::cohere2_moe
