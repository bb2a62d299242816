#include "model/experts.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "model/decoder.hpp"

namespace ridgepoint::model {

FeedForward read_experts(json::Fields& config, json::Fields::Keys count_keys,
                         json::Fields::Keys chosen_keys, json::Fields::Keys width_keys) {
  FeedForward ffn;
  ffn.num_experts = config.require_whole(count_keys, kExpertsRange);
  ffn.num_experts_per_tok = config.require_whole(chosen_keys, kExpertsRange);
  ffn.moe_intermediate_size = config.require_whole(width_keys, kWidthRange);
  if (ffn.num_experts_per_tok > ffn.num_experts) {
    config.fail("bad_value", *chosen_keys.begin(),
                std::string(*chosen_keys.begin()) + " (" + std::to_string(ffn.num_experts_per_tok) +
                    ") exceeds the number of experts (" + std::to_string(ffn.num_experts) + ").");
  }
  return ffn;
}

std::vector<bool> sparse_from(json::Fields& config, std::string_view first_key,
                              std::string_view every_key, std::size_t layers) {
  std::vector<bool> sparse(layers, false);
  const json::Value* every = config.find(every_key);
  if (every != nullptr && every->is_array()) {
    const auto flags = read_per_layer(config, every_key, layers, {0, 1});
    for (std::size_t i = 0; i < flags.size(); ++i) {
      sparse[i] = flags[i] == 1;
    }
    return sparse;
  }
  const std::uint64_t first = config.whole_or({first_key}, {0, 10000}, 0);
  const std::uint64_t step = config.whole_or({every_key}, kLayersRange, 1);
  for (std::size_t i = first; i < layers; ++i) {
    sparse[i] = i % step == 0;
  }
  return sparse;
}

void apply_sparse_step(json::Fields& config, const FeedForward& dense, const FeedForward& experts,
                       ModelSpec& spec) {
  const std::uint64_t step = config.whole_or({"decoder_sparse_step"}, kLayersRange, 1);
  const auto dense_layers = read_layer_set(config, "mlp_only_layers", spec.layers.size());
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    const bool sparse = (dense_layers.empty() || !dense_layers[i]) && (i + 1) % step == 0;
    spec.layers[i].feed_forward = sparse ? experts : dense;
  }
}

}  // namespace ridgepoint::model
