#pragma once

#include <cstdint>
#include <vector>

#include "engine/llamacpp/settings.hpp"

namespace ridgepoint::engine::llamacpp {

/// The cells that llama.cpp makes of a context size.
struct Cells {
  std::uint64_t context = 0;   ///< n_ctx as padded
  std::uint64_t slot = 0;      ///< the longest request a slot takes
  std::uint64_t streams = 1;   ///< caches side by side, one for each slot unless they share
  std::uint64_t full = 0;      ///< cells of one stream in layers that see everything
  std::uint64_t windowed = 0;  ///< likewise in layers that see a window
};

/// Source: llama.cpp src/llama-context.cpp (n_ctx_seq), src/llama-kv-cache-iswa.cpp (windows),
/// tools/server (slots). `context` is what -c asks for.
Cells cells_of(const Settings& settings, const model::ModelSpec& spec, std::uint64_t context);

/// Bytes of one layer's caches.
struct LayerCache {
  std::uint64_t full = 0;
  std::uint64_t windowed = 0;
  std::uint64_t state = 0;

  [[nodiscard]] std::uint64_t total() const { return full + windowed + state; }
};

/// Every layer of the model. Sources: llama.cpp src/llama-kv-cache.cpp, -iswa, -dsa, -dsv4 and
/// llama-memory-recurrent.cpp; states are float32, one for each slot and each rollback copy.
std::vector<LayerCache> layer_caches(const Settings& settings, const model::ModelSpec& spec,
                                     const Cells& cells);

/// What one more token adds to the caches of the whole model: all layers, and those without a
/// window alone. Rows that stand for several tokens count by their share.
struct TokenBytes {
  std::uint64_t all = 0;
  std::uint64_t growing = 0;
};
TokenBytes token_bytes(const Settings& settings, const model::ModelSpec& spec);

/// One sequence's recurrent states in the whole model.
std::uint64_t state_bytes(const model::ModelSpec& spec);

/// What the layers that predict further tokens keep, where they draft (--spec-type draft-mtp).
std::uint64_t mtp_cache_bytes(const Settings& settings, const model::ModelSpec& spec,
                              const Cells& cells);

}  // namespace ridgepoint::engine::llamacpp
