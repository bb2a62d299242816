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

}  // namespace

Unclaimed unclaimed(const Inputs& inputs, const Settings& settings, const StageBudget& budget) {
  Unclaimed sum;
  const auto add = [&](std::uint64_t bytes, const std::string& what) {
    if (bytes != 0) {
      sum.bytes += bytes;
      sum.told += (sum.told.empty() ? "" : ", ") + what + " " + in_gib(bytes);
    }
  };
  const std::uint32_t minor = settings.version.minor;
  if (!settings.era.charges_whole_gpu) {
    add(in_bytes(constant("cuda_context_gib", minor), kGiB).best, "the CUDA context");
  }
  const Parallelism& p = settings.parallelism;
  if (minor >= 11 && p.tensor * p.pipeline * p.data > 1) {
    add(in_bytes(constant("communicators_gib", minor), kGiB).best,
        "communicators and all-reduce buffers");
  }
  if (runs_flashinfer(inputs, settings)) {
    add(kFlashInferWorkspace, "FlashInfer's workspace");
  }
  const std::uint64_t graphs = budget.cuda_graphs.best;
  const std::uint64_t charged = budget.cuda_graphs_charged.best;
  add(graphs > charged ? graphs - charged : 0, "CUDA graphs that are not subtracted");
  return sum;
}

}  // namespace ridgepoint::engine::vllm
