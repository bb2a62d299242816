#include <nlohmann/json.hpp>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::llama4 {
namespace {

constexpr std::string_view kArchitectures[] = {"Llama4ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"llama4_text"};

/// Which layers are mixtures: `moe_layers`, or every `interleave_moe_layer_step`-th.
std::vector<bool> mixtures(json::Fields& config, std::size_t layers) {
  if (config.has("moe_layers")) {
    return read_layer_set(config, "moe_layers", layers);
  }
  const std::uint64_t step = config.whole_or({"interleave_moe_layer_step"}, {0, 1000}, 1);
  std::vector<bool> sparse(layers, false);
  for (std::size_t i = 0; i < layers; ++i) {
    sparse[i] = step != 0 && (i + 1) % step == 0;
  }
  return sparse;
}

/// Llama 4's language model: layers with rotary positions see their chunk only, every fourth
/// everything. Source: vLLM 0.28 models/llama4.py, transformers Llama4TextConfig.
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.windows = Windows::never;
  read_decoder(config, profile, spec);
  const std::size_t layers = spec.layers.size();
  const std::uint64_t chunk = config.whole_or({"attention_chunk_size"}, {0, kLengthRange.most}, 0);
  const std::uint64_t every = config.whole_or({"no_rope_layer_interval"}, kLayersRange, 4);
  const json::Value* list = config.array("no_rope_layers");
  const auto rope = list == nullptr || list->empty()
                        ? std::vector<std::uint64_t>()
                        : read_per_layer(config, "no_rope_layers", layers, {0, 1});
  FeedForward experts =
      read_experts(config, {"num_local_experts"}, {"num_experts_per_tok"}, {"intermediate_size"});
  experts.shared_intermediate_size = experts.moe_intermediate_size;
  const std::uint64_t dense =
      config.whole_or({"intermediate_size_mlp"}, kWidthRange, experts.moe_intermediate_size);
  for (std::size_t i = 0; i < layers; ++i) {
    spec.layers[i].feed_forward.intermediate_size = dense;
    if (chunk != 0 && (i < rope.size() ? rope[i] != 0 : (i + 1) % every != 0)) {
      spec.layers[i].attention.kind = AttentionKind::chunked;
      spec.layers[i].attention.window = chunk;
    }
  }
  place_experts(mixtures(config, layers), experts, spec);
  spec.names.mlp = "feed_forward.";
  spec.names.shared = "feed_forward.shared_expert.";
  spec.names.experts = "feed_forward.experts.0.";
  spec.names.router = "feed_forward.router";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::llama4
