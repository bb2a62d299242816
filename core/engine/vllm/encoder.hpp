#pragma once

#include <cstdint>

#include "engine/vllm/settings.hpp"

namespace ridgepoint::engine::vllm {

/// What one kind of picture costs a model, compiled from core/data/vllm_constants.json.
struct MediaFacts {
  std::string_view architecture;
  std::uint64_t item_tokens;        ///< of the largest item, in the language model
  std::uint64_t patches_per_token;  ///< in the encoder
};

/// What the profile run's largest pictures take, each in bytes of one GPU; both 0 without a tower,
/// with media off or --skip-mm-profiling.
struct MediaLoad {
  std::uint64_t held_bytes = 0;     ///< embeddings kept while the language model runs
  std::uint64_t encoder_bytes = 0;  ///< the encoder's own peak
  bool known_item = true;           ///< false: the size of an item is assumed
};

/// As many of the largest items as the batch's tokens hold, at least one (vLLM 0.28
/// multimodal/encoder_budget.py, v1/core/encoder_cache_manager.py, compute_mm_encoder_budget).
MediaLoad media_load(const Inputs& inputs, const Settings& settings);

}  // namespace ridgepoint::engine::vllm
