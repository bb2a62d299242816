#pragma once

#include "engine/vllm/version.hpp"

namespace ridgepoint::engine::vllm {

/// How a version measures a card at start-up and lays its cache out. Sources: vLLM's history of
/// worker/worker.py (V0), v1/worker/gpu_worker.py, v1/core/kv_cache_utils.py.
struct Era {
  bool v1 = true;
  /// 0.6.4's V0 and V1 up to 0.9.0 take everything that lies on the card off the budget: CUDA
  /// context, communicators, other processes. Later ones take their own growth off alone.
  bool charges_whole_gpu = false;
  /// 0.6.0 to 0.6.3 did not give freed memory back before they looked: what the allocator had
  /// reserved counts too.
  bool charges_fragments = false;
  /// 0.9.1 and later refuse to start when less is free than they claim.
  bool checks_free_memory = true;
  /// Before 0.9.1 (V0: always) every layer caches whole, in blocks of one kind.
  bool caches_whole = false;
  /// V0 keeps recurrent states outside the blocks, one for each request that may run.
  bool states_apart = false;
};

Era era_of(const Version& version, bool v1);

}  // namespace ridgepoint::engine::vllm
