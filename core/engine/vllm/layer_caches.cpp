#include "engine/vllm/layer_caches.hpp"

#include <algorithm>
#include <numeric>

#include "arithmetic.hpp"
#include "cache/compressed.hpp"

namespace ridgepoint::engine::vllm {
namespace {

using model::AttentionKind;

constexpr std::uint64_t kUsualBlock = 16;

/// Tokens a block of a latent model's backend (v0.28 platforms/cuda.py), 0: not one of those.
std::uint64_t block_of_backend(std::string_view backend, std::uint32_t minor) {
  if (backend == "FLASHMLA" || backend == "FLASHMLA_SPARSE" || backend == "FLASH_ATTN_MLA_SPARSE") {
    return 64;
  }
  if (backend == "CUTLASS_MLA") {
    return 128;
  }
  if (backend == "FLASHINFER_MLA" || backend == "FLASHINFER_MLA_SPARSE" ||
      backend == "TOKENSPEED_MLA") {
    return minor >= 18 ? 32 : 64;
  }
  if (backend == "ROCM_AITER_UNIFIED" || backend == "ROCM_AITER_UNIFIED_ATTN") {
    return 64;
  }
  return 0;
}

/// Tokens a block by the attention backend that the version picks on the card
/// (v0.28 platforms/cuda.py and interface.py; before 0.18 MLA's backends forced their own).
std::uint64_t default_block_size(const Settings& settings, const hardware::Device& device,
                                 const model::ModelSpec& model) {
  if (settings.block_size) {
    return *settings.block_size;
  }
  const std::uint32_t minor = settings.version.minor;
  if (const std::uint64_t block = block_of_backend(settings.attention_backend, minor)) {
    return block;
  }
  if (!model.latent() || !settings.attention_backend.empty()) {
    return kUsualBlock;
  }
  const std::uint32_t generation = device.compute_capability / 10;
  if (generation == 10) {
    return minor >= 18 ? 32 : 128;
  }
  const bool indexed =
      std::any_of(model.layers.begin(), model.layers.end(),
                  [](const model::Layer& layer) { return layer.attention.indexer.heads != 0; });
  if (indexed) {
    return 64;  // FlashMLA's sparse kernels and the indexer's
  }
  const bool hopper_uses_flashmla = minor <= 10;
  return generation == 9 && hopper_uses_flashmla ? 64 : kUsualBlock;
}

/// A latent model whose layers also have states pages at least this many tokens
/// (v0.28 platforms/interface.py, _align_hybrid_block_size).
constexpr std::uint64_t kLatentHybridBlock = 128;

/// Tokens a state's kernel works on at once; states of every token fall on its multiples.
constexpr std::uint64_t kStateChunk = 256;

}  // namespace

cache::LayerFormats layer_formats(const Settings& settings) {
  cache::LayerFormats formats(settings.kv_format);
  formats.plain_layers = settings.plain_cache_layers;
  formats.plain_windows = settings.plain_cache_windows;
  return formats;
}

LayerCaches::LayerCaches(const Inputs& inputs, const Settings& settings)
    : inputs_(inputs),
      settings_(settings),
      formats_(layer_formats(settings)),
      tp_(settings.parallelism.tensor),
      block_size_(default_block_size(settings, inputs.device, inputs.model)) {
  align_states();
}

void LayerCaches::add(const model::Layer& layer, std::uint64_t index,
                      std::vector<LayerCacheSpec>& out) const {
  if (layer.attention.kind == AttentionKind::compressed) {
    add_compressed(layer.attention, out);
  } else if (layer.attention.caches()) {
    out.push_back(attention(layer.attention, index));
  }
  if (cache::indexer_bytes_per_token(layer.attention) != 0) {
    LayerCacheSpec indexer = row(cache::indexer_bytes_per_token(layer.attention));
    indexer.dtype_bytes = 1;
    out.push_back(indexer);
  }
  if (layer.cross.caches()) {
    LayerCacheSpec cross = attention(layer.cross, index);
    cross.kind = settings_.era.v1 ? SpecKind::cross : SpecKind::full;
    out.push_back(cross);
  }
  if (layer.state.kind != model::StateKind::none && !settings_.era.states_apart) {
    LayerCacheSpec state;
    state.kind = SpecKind::mamba;
    state.block_size = block_size_;
    state.state_bytes = state_bytes(layer.state);
    state.page_padded = std::max(state_page_, state.state_bytes);
    state.speculative_blocks = settings_.speculation.tokens;
    out.push_back(state);
  }
}

void LayerCaches::add_compressed(const model::Attention& a,
                                 std::vector<LayerCacheSpec>& out) const {
  for (const cache::CompressedCache& cache : cache::compressed_caches(a, settings_.kv_format)) {
    LayerCacheSpec spec = row(1);
    spec.kind = cache.window == 0 ? SpecKind::latent : SpecKind::sliding_latent;
    spec.block_size = cache.block_tokens;
    spec.page_padded = cache.page_bytes;
    spec.window = cache.window;
    out.push_back(spec);
  }
}

std::uint64_t LayerCaches::state_bytes(const model::State& state) const {
  return cache::state_bytes(state, settings_.state_format, tp_);
}

/// V0 padded the rows of latent attention to 256 bytes (0.7 and 0.8, worker/cache_engine.py).
std::uint64_t LayerCaches::attention_bytes(const model::Attention& attention,
                                           std::uint64_t index) const {
  const std::uint64_t bytes =
      cache::layer_bytes_per_token(attention, formats_.of(index, attention), settings_.dtype, tp_);
  const bool padded = attention.kind == AttentionKind::latent && !settings_.era.v1;
  return padded ? round_up(bytes, 256) : bytes;
}

/// Attention pages grow until one holds a state, and states are padded to it
/// (v0.28 platforms/interface.py, _align_hybrid_block_size).
void LayerCaches::align_states() {
  std::uint64_t state = 0;
  std::uint64_t a_token = 0;
  std::uint64_t index = 0;
  for (const model::Layer& layer : inputs_.model.layers) {
    state = std::max(state, state_bytes(layer.state));
    a_token = std::max(a_token, attention_bytes(layer.attention, index++));
  }
  if (state == 0 || a_token == 0 || settings_.era.states_apart) {
    return;
  }
  std::uint64_t unit =
      inputs_.model.latent() ? std::max(block_size_, kLatentHybridBlock) : block_size_;
  if (settings_.mamba_mode == MambaMode::all) {
    const std::uint64_t chunk =
        settings_.mamba_block_size == 0 ? kStateChunk : settings_.mamba_block_size;
    unit = std::lcm(chunk, unit);
    block_size_ = unit * ceil_div(ceil_div(state, a_token), unit);
  } else {
    block_size_ = std::max(block_size_, unit * ceil_div(state, unit * a_token));
  }
  state_page_ = block_size_ * a_token;
}

LayerCacheSpec LayerCaches::row(std::uint64_t bytes) const {
  LayerCacheSpec spec;
  spec.kind = SpecKind::latent;
  spec.block_size = block_size_;
  spec.bytes_per_token = bytes;
  spec.head_dim = bytes;
  spec.strided = inputs_.device.vendor == "nvidia";
  return spec;
}

LayerCacheSpec LayerCaches::attention(const model::Attention& a, std::uint64_t index) const {
  LayerCacheSpec spec = row(attention_bytes(a, index));
  spec.kv_heads = cache::local_kv_heads(a, tp_);
  if (a.kind == AttentionKind::latent && !a.cached_per_head) {
    spec.head_dim = a.kv_lora_rank + a.qk_rope_head_dim;
    return spec;
  }
  spec.kind = SpecKind::full;
  spec.head_dim = a.head_dim;
  spec.v_head_dim = a.v_head_dim;
  if (!settings_.era.v1) {
    return spec;
  }
  if (a.kind == AttentionKind::chunked) {
    spec.kind = SpecKind::chunked;
    spec.window = a.window;
  } else if (a.kind == AttentionKind::sliding && settings_.sliding_window) {
    spec.kind = SpecKind::sliding;
    spec.window = a.window;
    if (settings_.version.minor >= 26 && state_page_ == 0) {
      spec.block_size =
          kUsualBlock;  // windowed layers take the backend's smallest block since 0.26
    }
  }
  return spec;
}

}  // namespace ridgepoint::engine::vllm
