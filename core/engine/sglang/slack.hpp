#pragma once

#include <cstdint>

#include "engine/engine.hpp"
#include "engine/sglang/budget.hpp"
#include "engine/sglang/pool.hpp"
#include "engine/sglang/settings.hpp"

namespace ridgepoint::engine::sglang {

/// What the static fraction leaves alone, and what has to live in it. Every term is in bytes on one
/// GPU.
struct Slack {
  std::uint64_t bytes = 0;            ///< pre x (1 - mem_fraction_static)
  std::uint64_t request_table = 0;    ///< int32 places of every token of every request
  std::uint64_t rounding = 0;         ///< the allocator's blocks of 2 MiB for each tensor
  std::uint64_t uncharged_draft = 0;  ///< a draft's weights and cache before 0.5.13
  std::uint64_t symmetric = 0;        ///< set apart for collectives by --enable-symm-mem
  std::uint64_t overrun = 0;          ///< of a pool that is larger than its estimate
  Bytes workspace;                    ///< attention, cuBLAS, static buffers
  Bytes forward;                      ///< tensors of one forward pass
  Bytes graphs;
  Bytes activation;  ///< all of these but the graphs
};

/// Sources: SGLang 0.5.17 mem_cache/memory_pool.py (request table), server_args.py (symmetric
/// memory); graphs and workspaces from measured starts, core/data/sglang_constants.json.
Slack slack_of(const Inputs& inputs, const Settings& settings, const StageBudget& budget,
               const PoolLayout& layout, const PoolSizes& sizes);

}  // namespace ridgepoint::engine::sglang
