#include "engine/sglang/state_pool.hpp"

#include <algorithm>
#include <vector>

#include "arithmetic.hpp"
#include "cache/geometry.hpp"

namespace ridgepoint::engine::sglang {
namespace {

std::uint64_t groups(const Settings& settings) {
  return settings.data_parallel_attention ? settings.parallelism.data : 1;
}

std::uint64_t whole(double value) {
  return value <= 0 ? 0 : static_cast<std::uint64_t>(std::min(value, 1e15));
}

/// A sum of two of these still fits.
std::uint64_t bounded_product(std::uint64_t a, std::uint64_t b) {
  return std::min<std::uint64_t>(saturating_product(a, b), 1ULL << 60U);
}

/// Slots that the ratio of state to KV memory gives.
std::uint64_t slots_by_ratio(const Settings& settings, double slot, double rest) {
  const double ratio = settings.state.full_memory_ratio;
  const double budget = rest * ratio / (1 + ratio);
  if (settings.draft.speculation != Speculation::none) {
    const double drafts = static_cast<double>(settings.draft.tokens);
    const double per_slot =
        slot * (1 + drafts / static_cast<double>(settings.state.slots_per_request));
    return whole((budget - slot * (1 + drafts)) / per_slot);
  }
  return whole(settings.version.number >= 5017 ? (budget - slot) / slot : budget / slot);
}

}  // namespace

std::uint64_t state_slot_bytes(const Inputs& inputs, const Settings& settings,
                               const std::vector<Stage>& stages) {
  std::uint64_t most = 0;
  for (const Stage& stage : stages) {
    std::uint64_t bytes = 0;
    for (std::uint64_t i = stage.first_layer; i < stage.end_layer; ++i) {
      bytes += cache::state_bytes(inputs.model.layers[i].state, settings.state.float32,
                                  precision::Dtype::bfloat16, settings.attention_tensor);
    }
    most = std::max(most, bytes);
  }
  return most;
}

StatePool state_pool(const Settings& settings, std::uint64_t slot_bytes, double rest_bytes) {
  StatePool pool;
  if (slot_bytes == 0) {
    return pool;
  }
  const bool speculative = settings.draft.speculation != Speculation::none;
  const std::uint64_t asked = settings.max_running_requests.value_or(0) / groups(settings);
  if (settings.state.max_mamba_cache_size) {
    pool.slots = *settings.state.max_mamba_cache_size / groups(settings);
  } else if (!settings.radix_cache && settings.max_running_requests) {
    pool.slots = asked;
  } else {
    pool.slots = slots_by_ratio(settings, static_cast<double>(slot_bytes), rest_bytes);
  }
  pool.bytes = bounded_product(pool.slots + 1, slot_bytes);
  pool.charged_bytes =
      settings.version.number >= 5017 ? pool.bytes : bounded_product(pool.slots, slot_bytes);
  if (speculative) {
    const std::uint64_t running = std::min(asked, pool.slots / settings.state.slots_per_request);
    pool.scratch_bytes = bounded_product(slot_bytes, (running + 1) * settings.draft.tokens);
    pool.charged_bytes += pool.scratch_bytes;
  }
  return pool;
}

}  // namespace ridgepoint::engine::sglang
