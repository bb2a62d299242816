#pragma once

#include <cstdint>
#include <vector>

#include "engine/engine.hpp"
#include "engine/sglang/cell.hpp"
#include "engine/sglang/compressed_cell.hpp"
#include "engine/sglang/settings.hpp"
#include "engine/sglang/stages.hpp"
#include "engine/sglang/state_pool.hpp"

namespace ridgepoint::engine::sglang {

/// How the pool of one rank is cut.
enum class PoolKind : std::uint8_t {
  plain,           ///< every layer keeps every token
  windows,         ///< a full pool and a window pool in a fixed ratio
  windows_alone,   ///< no layer keeps every token
  capped_windows,  ///< a window pool for the running requests, the rest to the full pool
  compressed,      ///< DeepSeek-V4
  none,            ///< nothing is cached
};

/// What one stage's layers cost.
struct StageLayout {
  Stage stage;
  Cell cell;
  CompressedCell compressed;
};

struct PoolLayout {
  PoolKind kind = PoolKind::plain;
  std::vector<StageLayout> stages;
  std::uint64_t slot_bytes = 0;  ///< of one recurrent state; 0: the model has none
  std::uint64_t window = 0;      ///< tokens
  std::uint64_t window_cap = 0;  ///< tokens of a capped window pool
};

/// Why no pool can be made.
enum class PoolFault : std::uint8_t { none, no_room, no_states, narrow_window };

/// The pools that a budget gives, on the tightest rank.
struct PoolSizes {
  PoolFault fault = PoolFault::none;
  std::size_t tightest = 0;                ///< stage
  std::uint64_t tokens = 0;                ///< what the engine prints as max_total_num_tokens
  std::uint64_t window_tokens = 0;         ///< of the window pool
  std::uint64_t max_running_requests = 0;  ///< of one group
  StatePool states;
  std::uint64_t kv_bytes = 0;      ///< keys and values, of the tightest stage
  std::uint64_t window_bytes = 0;  ///< of these those of windowed layers
  std::uint64_t draft_bytes = 0;   ///< the draft's pool beside it
};

PoolLayout pool_layout(const Inputs& inputs, const Settings& settings,
                       const std::vector<Stage>& stages);

/// Cuts what each stage has left after its weights, in bytes (below zero: nothing). Sources: SGLang
/// 0.5.17 model_executor/pool_configurator.py and mem_cache/kv_cache_configurator.py, earlier
/// model_executor/model_runner.py, profile_max_num_token and init_memory_pool.
PoolSizes size_pools(const PoolLayout& layout, const Settings& settings,
                     const std::vector<double>& rest_bytes);

}  // namespace ridgepoint::engine::sglang
