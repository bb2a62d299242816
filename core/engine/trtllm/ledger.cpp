#include "engine/trtllm/ledger.hpp"

#include <algorithm>

#include "engine/charge_list.hpp"
#include "estimate_sums.hpp"

namespace ridgepoint::engine::trtllm {
namespace {

/// What limits a cache below what the fraction allows.
Charge below_the_fraction(const Inputs& inputs, const Settings& settings, std::int64_t bytes) {
  if (inputs.measured.kv_pool_bytes) {
    return {"measured_pool", "between the terms and the pool that was measured", bytes};
  }
  return settings.max_tokens
             ? Charge{"pool_as_set", "left by kv_cache_config.max_tokens", bytes}
             : Charge{"pool_as_set", "left by kv_cache_config.max_gpu_total_bytes", bytes};
}

/// Requests of `context` tokens where blocks may be cut anywhere: the fewest of all pools.
double requests_before_rounding(const Settings& settings, const CachePools& pools,
                                std::uint64_t context) {
  double least = 0;
  bool first = true;
  for (const BlockPool& pool : pools.pools) {
    const std::uint64_t kept = pool.window == 0 ? context : std::min(context, pool.window);
    const double held = static_cast<double>(pool.tokens) /
                        static_cast<double>(std::max<std::uint64_t>(1, kept)) /
                        static_cast<double>(settings.max_beam_width);
    least = first ? held : std::min(least, held);
    first = false;
  }
  return least;
}

}  // namespace

std::vector<Charge> charges_of(const Inputs& inputs, const Settings& settings,
                               const StageBudget& budget) {
  ChargeList list;
  const std::uint64_t temporary = budget.adds_back ? budget.temporary_bytes : 0;
  list.add("weights", "weights", budget.weights.best);
  list.add("activation", "activation peak of the dry run", budget.activation.best);
  list.add("cuda_graphs_charged", "CUDA graphs", budget.cuda_graphs_charged.best);
  list.add("non_torch", "outside PyTorch, the dry run's own cache included", budget.non_torch.best);
  list.add("temporary_cache", "the dry run's own cache, given back", -signed_bytes(temporary));
  const std::int64_t rest =
      signed_bytes(inputs.device.total_bytes) - signed_bytes(budget.weights.best) -
      signed_bytes(budget.activation.best) - signed_bytes(budget.cuda_graphs_charged.best) -
      signed_bytes(budget.non_torch.best) + signed_bytes(temporary);
  const std::int64_t claimed =
      signed_bytes(to_bytes(static_cast<double>(rest) * settings.free_gpu_memory_fraction));
  if (rest < 0) {
    list.add("shortfall", "missing: the terms pass the card", rest);
  } else {
    list.add("not_claimed", "left outside free_gpu_memory_fraction", rest - claimed);
  }
  list.add("mla_workspace", "kept free for the FP8 context of latent attention",
           budget.reserve_bytes);
  const Charge limit = below_the_fraction(
      inputs, settings,
      claimed - signed_bytes(budget.reserve_bytes) - signed_bytes(budget.available.best));
  list.add(limit.term, limit.what, limit.bytes);
  return list.take();
}

Holding holding_of(const Settings& settings, const CachePools& pools, const StageBudget& budget,
                   std::uint64_t context, std::uint64_t one_request_bytes) {
  Holding holding;
  holding.pool_bytes = budget.available.best;
  holding.replicas = settings.replicas();
  std::uint64_t requests = settings.max_batch_size;
  if (pools.states_do_not_fit) {
    requests = 0;
    holding.rules.push_back(
        {"state_slots", "the recurrent states of max_batch_size requests", requests});
  } else if (budget.cost.allocated != 0) {
    const double held = requests_before_rounding(settings, pools, context);
    holding.request_bytes = held > 0 && holding.pool_bytes != 0
                                ? static_cast<double>(holding.pool_bytes) / held
                                : static_cast<double>(one_request_bytes);
    requests = requests_held(settings, pools, context);
    holding.rules.push_back({"whole_blocks", "rounding to whole blocks", requests});
  }
  holding.rules.push_back({"sequence_cap", "the sequence cap max_batch_size",
                           std::min(requests, settings.max_batch_size)});
  return holding;
}

}  // namespace ridgepoint::engine::trtllm
