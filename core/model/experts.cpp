#include "model/experts.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "model/decoder.hpp"
#include "wording.hpp"

namespace ridgepoint::model {

FeedForward read_experts(json::Fields& config, json::Fields::Keys count_keys,
                         json::Fields::Keys chosen_keys, json::Fields::Keys width_keys) {
  FeedForward ffn;
  ffn.num_experts = config.require_whole(count_keys, kExpertsRange);
  ffn.num_experts_per_tok = config.require_whole(chosen_keys, kExpertsRange);
  ffn.moe_intermediate_size = config.require_whole(width_keys, kWidthRange);
  if (ffn.num_experts_per_tok > ffn.num_experts) {
    config.fail("bad_value", *chosen_keys.begin(),
                worded({*chosen_keys.begin(), " (", ffn.num_experts_per_tok,
                        ") exceeds the number of experts (", ffn.num_experts, ")."}));
  }
  return ffn;
}

FeedForward read_mixture(json::Fields& config) {
  FeedForward ffn = read_experts(
      config,
      {"num_experts", "moe_num_experts", "n_routed_experts", "num_local_experts",
       "num_routed_experts"},
      {"num_experts_per_tok", "moe_topk", "moe_top_k", "moe_k", "num_experts_per_token"},
      {"moe_intermediate_size", "expert_ffn_hidden_size", "expert_hidden_dim",
       "intermediate_size"});
  ffn.shared_intermediate_size =
      ffn.moe_intermediate_size *
      config.whole_or({"n_shared_experts", "num_shared_experts", "moe_num_shared_experts"},
                      {0, kExpertsRange.most}, 0);
  ffn.score_correction_bias = config.text({"topk_method"}).value_or("") == "noaux_tc";
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

std::vector<bool> sparse_layers(json::Fields& config, std::string_view first_key,
                                std::size_t layers) {
  const auto names = read_names(config, "mlp_layer_types", layers);
  if (names.empty()) {
    return sparse_from(config, first_key, "moe_layer_freq", layers);
  }
  std::vector<bool> sparse(layers, false);
  for (std::size_t i = 0; i < names.size(); ++i) {
    sparse[i] = names[i] != "dense";
  }
  return sparse;
}

std::vector<bool> step_mixtures(json::Fields& config, std::size_t layers) {
  constexpr std::string_view kKey = "moe_layers_enum";
  const json::Value* listed = config.find(kKey);
  if (listed != nullptr && listed->is_array()) {
    return read_layer_set(config, kKey, layers);
  }
  std::vector<bool> sparse(layers, false);
  if (listed != nullptr) {
    constexpr std::size_t kNone = 100000;
    std::size_t layer = kNone;
    for (const char c : worded({config.text({kKey}).value_or(""), ","})) {
      if (c >= '0' && c <= '9') {
        const std::size_t before = layer == kNone ? 0 : layer;
        layer = std::min(before * 10 + static_cast<std::size_t>(c - '0'), kNone);
      } else if (c == ',') {
        if (layer < layers) {
          sparse[layer] = true;
        }
        layer = kNone;
      }
    }
    return sparse;
  }
  if (config.has("mlp_layer_types") || config.has("first_k_dense_replace")) {
    return sparse_layers(config, "first_k_dense_replace", layers);
  }
  for (std::size_t i = 1; i < layers; ++i) {
    sparse[i] = true;
  }
  return sparse;
}

void place_experts(const std::vector<bool>& sparse, const FeedForward& experts, ModelSpec& spec) {
  for (std::size_t i = 0; i < spec.layers.size() && i < sparse.size(); ++i) {
    if (sparse[i]) {
      spec.layers[i].feed_forward = experts;
    }
  }
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
