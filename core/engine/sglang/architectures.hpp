#pragma once

#include <cstdint>

#include "model/spec.hpp"

namespace ridgepoint::engine::sglang {

/// Whether this version keeps windowed layers of the model in a pool of their own. Models that are
/// not on the engine's list cache every layer at full length. Source: SGLang 0.5.17
/// configs/model_config.py, is_hybrid_swa_model; the versions by the dates of its entries.
bool pools_windows(const model::ModelSpec& model, std::uint32_t number);

/// Whether the scheduler may keep extra states of the model so that planning overlaps with
/// computing. Source: SGLang 0.5.17 server_args.py, _handle_mamba_radix_cache.
bool keeps_extra_states(const model::ModelSpec& model);

/// Whether the version serves pictures with the model when no flag says so. Source: SGLang 0.4.7
/// and later configs/model_config.py.
bool multimodal_by_default(const model::ModelSpec& model, std::uint32_t number);

/// Sparse attention with an index (DeepSeek-V3.2, GLM-5).
bool sparse_latent(const model::ModelSpec& model);

}  // namespace ridgepoint::engine::sglang
