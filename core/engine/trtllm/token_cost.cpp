#include "engine/trtllm/token_cost.hpp"

#include <algorithm>

#include "arithmetic.hpp"
#include "cache/geometry.hpp"

namespace ridgepoint::engine::trtllm {
namespace {

using model::Attention;
using precision::KvFormat;

/// Bytes of `values` cached numbers: NVFP4 packs two a byte and adds an FP8 scale for 16.
std::uint64_t value_bytes(std::uint64_t values, const Settings& settings) {
  switch (settings.kv_format) {
    case KvFormat::fp8:
      return values;
    case KvFormat::nvfp4:
      return ceil_div(values, 2) + ceil_div(values, 16);
    default:
      return values * precision::dtype_bytes(settings.dtype);
  }
}

bool latent_row(const Attention& a) {
  return a.kind == model::AttentionKind::latent && !a.cached_per_head;
}

struct LayerCost {
  std::uint64_t estimated = 0;
  std::uint64_t allocated = 0;
};

LayerCost layer_cost(const Attention& a, std::uint64_t ranks, const Settings& settings) {
  if (!a.caches()) {
    return {};
  }
  const std::uint64_t indexer = cache::indexer_bytes_per_token(a);
  if (latent_row(a)) {
    const std::uint64_t row = value_bytes(a.kv_lora_rank + a.qk_rope_head_dim, settings) + indexer;
    return {row, row};
  }
  const std::uint64_t width = a.head_dim + a.v_head_dim;
  const std::uint64_t shared = width * a.num_key_value_heads / ranks;
  const std::uint64_t whole = width * ceil_div(a.num_key_value_heads, ranks);
  return {value_bytes(shared, settings) + indexer, value_bytes(whole, settings) + indexer};
}

/// One token in the layers that guess ahead: each step of an own prediction layer has its cache.
LayerCost guessing_cost(const Inputs& inputs, const Settings& settings, std::uint64_t ranks) {
  LayerCost sum;
  const Speculation& s = settings.speculation;
  if (s.own_layers) {
    const model::ModelSpec& model = inputs.model;
    const model::Layer& layer =
        model.mtp.layers.empty() ? model.layers.back() : model.mtp.layers.front();
    const LayerCost one = layer_cost(layer.attention, ranks, settings);
    sum = {one.estimated * s.draft_tokens, one.allocated * s.draft_tokens};
  } else if (s.enabled && inputs.draft != nullptr) {
    for (const model::Layer& layer : inputs.draft->model.layers) {
      const LayerCost one = layer_cost(layer.attention, ranks, settings);
      sum = {sum.estimated + one.estimated, sum.allocated + one.allocated};
    }
  }
  return sum;
}

void add_to_window(std::vector<WindowCost>& windows, std::uint64_t window, std::uint64_t bytes) {
  const auto place = std::find_if(windows.begin(), windows.end(),
                                  [&](const WindowCost& each) { return each.window >= window; });
  if (place != windows.end() && place->window == window) {
    place->allocated += bytes;
  } else {
    windows.insert(place, {window, bytes});
  }
}

}  // namespace

std::vector<Stage> pipeline_stages(std::uint64_t layers, std::uint64_t pipeline) {
  std::vector<Stage> stages;
  std::uint64_t begin = 0;
  for (std::uint64_t i = 0; i < pipeline; ++i) {
    const std::uint64_t size = layers / pipeline + (i < layers % pipeline ? 1 : 0);
    stages.push_back({begin, begin + size, i == 0, i + 1 == pipeline});
    begin += size;
  }
  return stages;
}

TokenCost token_cost(const Inputs& inputs, const Settings& settings, const Stage& stage) {
  TokenCost cost;
  const std::uint64_t ranks = settings.attention_ranks();
  const std::vector<std::uint64_t>& windows = settings.max_attention_window;
  std::uint64_t caching_layers = 0;
  for (std::uint64_t i = 0; i < stage.end_layer; ++i) {
    const model::Layer& layer = inputs.model.layers[i];
    const LayerCost one = layer_cost(layer.attention, ranks, settings);
    const bool local = i >= stage.first_layer;
    if (one.allocated != 0) {
      if (local && !windows.empty()) {
        add_to_window(cost.windows, windows[caching_layers % windows.size()], one.allocated);
      }
      ++caching_layers;
    }
    if (local) {
      cost.estimated += one.estimated;
      cost.allocated += one.allocated;
      cost.state += cache::state_bytes(layer.state, settings.state_float32, settings.dtype, ranks);
    }
  }
  if (stage.last) {
    const LayerCost guess = guessing_cost(inputs, settings, ranks);
    const bool counted = !settings.speculation.own_layers || settings.version.number >= kCountsMtp;
    cost.estimated += counted ? guess.estimated : 0;
    cost.allocated += guess.allocated;
    if (!cost.windows.empty()) {
      cost.windows.back().allocated += guess.allocated;
    }
  }
  return cost;
}

WholeCost whole_cost(const Inputs& inputs, const Settings& settings) {
  Settings alone = settings;
  alone.attention_dp = true;
  alone.version.number = std::max(settings.version.number, kCountsMtp);
  const TokenCost cost = token_cost(inputs, alone, {0, inputs.model.layers.size(), true, true});
  WholeCost whole{cost.allocated, cost.allocated};
  for (const WindowCost& window : cost.windows) {
    if (window.window < settings.max_seq_len) {
      whole.growing -= window.allocated;
    }
  }
  return whole;
}

}  // namespace ridgepoint::engine::trtllm
