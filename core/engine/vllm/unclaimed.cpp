#include "engine/vllm/unclaimed.hpp"

#include "engine/vllm/constants.hpp"
#include "estimate_sums.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::vllm {
namespace {

constexpr std::uint64_t kFlashInferWorkspace = 394ULL << 20U;

/// Datacentre Blackwell's dense attention runs on FlashInfer by default.
bool runs_flashinfer(const Inputs& inputs, const Settings& settings) {
  if (!settings.attention_backend.empty()) {
    return settings.attention_backend.starts_with("FLASHINFER");
  }
  return inputs.device.compute_capability / 10 == 10 && settings.version.minor >= 10;
}

Bytes context_bytes(const Settings& settings) {
  return in_bytes(constant("cuda_context_gib", settings.version.minor), kGiB);
}

Bytes communicator_bytes(const Settings& settings) {
  const Parallelism& p = settings.parallelism;
  const bool many = p.tensor * p.pipeline * p.data > 1;
  return settings.version.minor >= 11 && many
             ? in_bytes(constant("communicators_gib", settings.version.minor), kGiB)
             : exactly<std::uint64_t>(0);
}

}  // namespace

std::uint64_t taken_before_snapshot(const Settings& settings) {
  return context_bytes(settings).low + communicator_bytes(settings).low;
}

Unclaimed unclaimed(const Inputs& inputs, const Settings& settings, const StageBudget& budget) {
  Unclaimed sum;
  const auto add = [&](std::uint64_t bytes, const std::string& what) {
    if (bytes != 0) {
      sum.bytes += bytes;
      sum.told += worded({(sum.told.empty() ? "" : ", "), what, " ", in_gib(bytes)});
    }
  };
  if (!settings.era.charges_whole_gpu) {
    add(context_bytes(settings).best, "the CUDA context");
  }
  add(communicator_bytes(settings).best, "communicators and all-reduce buffers");
  if (runs_flashinfer(inputs, settings)) {
    add(kFlashInferWorkspace, "FlashInfer's workspace");
  }
  const std::uint64_t graphs = budget.cuda_graphs.best;
  const std::uint64_t charged = budget.cuda_graphs_charged.best;
  add(graphs > charged ? graphs - charged : 0, "CUDA graphs that are not subtracted");
  return sum;
}

}  // namespace ridgepoint::engine::vllm
