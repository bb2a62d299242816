#pragma once

#include <cstdint>
#include <string>

#include "engine/vllm/budget.hpp"

namespace ridgepoint::engine::vllm {

/// What a start takes of a GPU besides its claim, in bytes, and what that is, for people.
struct Unclaimed {
  std::uint64_t bytes = 0;
  std::string told;
};

/// The least that is taken of a GPU when the start-up check looks: the CUDA context, and
/// communicators since 0.11. In bytes; the check refuses a start for certain below it alone.
std::uint64_t taken_before_snapshot(const Settings& settings);

/// The CUDA context; communicators and all-reduce buffers since 0.11, when they moved before the
/// snapshot; FlashInfer's workspaces of 394 MiB; graphs that the version does not subtract.
/// Sources: vLLM 0.28 v1/worker/gpu_worker.py, distributed/device_communicators,
/// v1/attention/backends/flashinfer.py.
Unclaimed unclaimed(const Inputs& inputs, const Settings& settings, const StageBudget& budget);

}  // namespace ridgepoint::engine::vllm
