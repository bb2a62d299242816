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

std::unordered_set<std::uint64_t> read_layer_list(json::Fields& config, std::string_view key) {
  std::unordered_set<std::uint64_t> layers;
  const json::Value* list = config.array(key);
  if (list == nullptr) {
    return layers;
  }
  for (const json::Value& entry : *list) {
    if (!entry.is_number_unsigned() || entry.get<std::uint64_t>() >= kLayersRange.most) {
      config.fail("bad_value", key, std::string(key) + " must hold layer numbers.");
      return layers;
    }
    layers.insert(entry.get<std::uint64_t>());
  }
  return layers;
}

void apply_sparse_step(json::Fields& config, const FeedForward& dense, const FeedForward& experts,
                       ModelSpec& spec) {
  const std::uint64_t step = config.whole_or({"decoder_sparse_step"}, kLayersRange, 1);
  const auto dense_layers = read_layer_list(config, "mlp_only_layers");
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    const bool sparse = !dense_layers.contains(i) && (i + 1) % step == 0;
    spec.layers[i].feed_forward = sparse ? experts : dense;
  }
}

}  // namespace ridgepoint::model
