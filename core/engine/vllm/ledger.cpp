#include "engine/vllm/ledger.hpp"

#include <algorithm>

#include "engine/charge_list.hpp"

namespace ridgepoint::engine::vllm {

std::vector<Charge> charges_of(const Inputs& inputs, const Settings& settings,
                               const StageBudget& budget, std::uint64_t requested) {
  ChargeList list;
  const std::uint64_t media = std::min(requested, settings.media.ipc_bytes);
  list.add("not_claimed", "left outside --gpu-memory-utilization",
           signed_bytes(inputs.device.total_bytes) - signed_bytes(requested));
  list.add("media_buffers", "--mm-ipc-gpu-memory-gb", media);
  list.add("weights", "weights", budget.weights.best);
  list.add("activation", "activation peak of the profile run", budget.activation.best);
  list.add("cuda_graphs_charged", "CUDA graphs that the version subtracts",
           budget.cuda_graphs_charged.best);
  list.add("non_torch",
           settings.era.charges_whole_gpu
               ? "outside PyTorch: the CUDA context, libraries and other programs"
               : "outside PyTorch",
           budget.non_torch.best);
  const std::int64_t left =
      signed_bytes(requested) - signed_bytes(media) - signed_bytes(budget.weights.best) -
      signed_bytes(budget.activation.best) - signed_bytes(budget.cuda_graphs_charged.best) -
      signed_bytes(budget.non_torch.best);
  const std::int64_t set = left - signed_bytes(budget.kv_available.best);
  if (inputs.measured.kv_pool_bytes) {
    list.add("measured_pool", "between the terms and the pool that was measured", set);
  } else if (settings.kv_cache_memory_bytes) {
    list.add("pool_as_set", "between the terms and --kv-cache-memory-bytes", set);
  } else {
    list.add("shortfall", "missing: the terms pass what may be used", set);
  }
  return list.take();
}

Holding holding_of(const Settings& settings, const PlannedCache& layout, const BlocksHeld& held) {
  Holding holding;
  holding.pool_bytes = held.pool_bytes;
  holding.replicas = settings.parallelism.data;
  if (layout.plan.blocks_per_request == 0) {
    holding.rules.push_back(
        {"sequence_cap", "the sequence cap --max-num-seqs", settings.max_num_seqs});
    return holding;
  }
  const RequestBlocks& request = layout.request_blocks;
  holding.request_bytes =
      request.before_rounding(settings.context) * static_cast<double>(held.bytes_per_block);
  const std::uint64_t a_request = std::max<std::uint64_t>(1, request.at(settings.context));
  std::uint64_t requests =
      held.pool_bytes / std::max<std::uint64_t>(1, held.bytes_per_block) / a_request;
  holding.rules.push_back({"whole_blocks", "rounding to whole blocks", requests});
  if (settings.num_gpu_blocks_override) {
    requests = held.blocks / a_request;
    holding.rules.push_back({"blocks_as_set", "--num-gpu-blocks-override", requests});
  }
  holding.rules.push_back({"sequence_cap", "the sequence cap --max-num-seqs",
                           std::min(requests, settings.max_num_seqs)});
  return holding;
}

}  // namespace ridgepoint::engine::vllm
