#pragma once

#include <cstdint>

#include "engine/engine.hpp"
#include "engine/sglang/settings.hpp"
#include "engine/sglang/stages.hpp"

namespace ridgepoint::engine::sglang {

/// The pool of recurrent states on one rank.
struct StatePool {
  std::uint64_t slots = 0;          ///< what the engine calls max_mamba_cache_size
  std::uint64_t charged_bytes = 0;  ///< taken from the budget, scratch included
  std::uint64_t bytes = 0;          ///< of the slots and one that pads
  std::uint64_t scratch_bytes = 0;  ///< of states between proposed tokens
};

/// Bytes of one state on one rank, of the stage with the most: the convolution's inputs in 16 bits,
/// the recurrent part in float32 unless a flag says otherwise. Source: SGLang 0.5.17
/// configs/mamba_utils.py.
std::uint64_t state_slot_bytes(const Inputs& inputs, const Settings& settings,
                               const std::vector<Stage>& stages);

/// How many states `rest_bytes` are cut into, what is left being the KV pool's. 0 slots: it is too
/// small. Source: SGLang 0.5.17 mem_cache/kv_cache_configurator.py, _handle_max_mamba_cache; before
/// 0.5.17 the padding slot was not charged.
StatePool state_pool(const Settings& settings, std::uint64_t slot_bytes, double rest_bytes);

}  // namespace ridgepoint::engine::sglang
