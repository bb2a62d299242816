#pragma once

#include "simulate/reserving.hpp"
#include "simulate/vllm_v1.hpp"

namespace ridgepoint::simulate {

/// TensorRT-LLM's in-flight batching under GUARANTEED_NO_EVICT (0.17 to 1.3,
/// batch_manager/capacityScheduler.cpp and microBatchScheduler.cpp): blocks of prompt and output
/// are set aside on admission; chunks that do not end a prompt are whole blocks.
class TrtllmNoEvict : public Reserving {
 public:
  explicit TrtllmNoEvict(const engine::Schedule& schedule)
      : Reserving(schedule, schedule.max_num_seqs, schedule.block_tokens) {}
};

/// The same under MAX_UTILIZATION: what fits now is admitted, and where blocks run out the request
/// that started last is paused, to be computed anew before those that wait. Approximated: its
/// chunks are not cut to whole blocks.
class TrtllmMaxUtilization : public VllmV1 {
 public:
  using VllmV1::VllmV1;
};

}  // namespace ridgepoint::simulate
