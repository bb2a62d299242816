#pragma once

#include <cstdint>
#include <vector>

#include "engine/trtllm/budget.hpp"
#include "engine/trtllm/settings.hpp"

namespace ridgepoint::engine::trtllm {

/// One pool of blocks on every rank: the layers of one window, or all of them.
struct BlockPool {
  std::uint64_t window = 0;  ///< in tokens; 0: none
  std::uint64_t bytes = 0;   ///< on the tightest rank
  std::uint64_t tokens = 0;  ///< before rounding to blocks; the least of all ranks
  std::uint64_t blocks = 0;
};

/// The cache cut into pools, and the rank that has the least room.
struct CachePools {
  std::vector<BlockPool> pools;    ///< smallest window first
  std::uint64_t state_bytes = 0;   ///< set aside for max_batch_size requests on that rank
  bool states_do_not_fit = false;  ///< they take all there is
  std::size_t tightest = 0;        ///< the stage
};

/// Which of a budget's three figures.
enum class Bound : std::uint8_t { low, best, high };

/// Cuts each stage's bytes into blocks and takes the least over the stages. Recurrent states of
/// max_batch_size requests come off first. One pool: tokens = min(bytes / estimated bytes a token,
/// fraction x free after the dry run / bytes a token as laid out), blocks rounded up by the C++
/// manager. Several windows: each an equal share of the bytes, or those of
/// TRTLLM_WINDOW_SIZE_SHARES, blocks rounded down.
/// Source: TensorRT-LLM 1.2 _torch/pyexecutor/resource_manager.py (calculate_max_num_blocks,
/// calculate_max_num_blocks_for_vswa); C++ kvCacheManager.cpp; the rounding from logs of 0.20 and
/// 1.2 (860,308 tokens became 26,885 blocks of 32, 86,711 became 2,710).
CachePools cut(const Settings& settings, const std::vector<StageBudget>& stages, Bound bound);

/// Blocks that a request of `tokens` tokens takes of a pool, all beams together.
std::uint64_t blocks_of_request(const Settings& settings, const BlockPool& pool,
                                std::uint64_t tokens);

/// Whole requests of `tokens` tokens that the pools hold, whatever the batch limit.
std::uint64_t requests_held(const Settings& settings, const CachePools& pools,
                            std::uint64_t tokens);

/// The longest request that the pools hold, at most `most` tokens. The C++ runtime keeps one block
/// to spare but for its first token: 82 blocks of 64 hold 5,185 tokens.
std::uint64_t longest_request(const Settings& settings, const CachePools& pools,
                              std::uint64_t most);

}  // namespace ridgepoint::engine::trtllm
