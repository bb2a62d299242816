#include "engine/sglang/ledger.hpp"

#include <algorithm>

#include "arithmetic.hpp"
#include "engine/charge_list.hpp"

namespace ridgepoint::engine::sglang {
namespace {

/// Why the pools are not all that the weights leave of the fraction: `bytes` are left, or too many.
Charge between_rest_and_pools(const Inputs& inputs, const Settings& settings,
                              const PoolLayout& layout, const PoolSizes& sizes,
                              std::int64_t bytes) {
  if (inputs.measured.kv_pool_bytes) {
    return {"measured_pool", "between the terms and the pool that was measured", bytes};
  }
  if (layout.kind == PoolKind::none) {
    return {"no_cache", "left of the static fraction: the model caches nothing", bytes};
  }
  const bool made = sizes.fault == PoolFault::none && sizes.kv_bytes != 0;
  if (!made) {
    return bytes < 0
               ? Charge{"shortfall", "missing: the terms pass the static fraction", bytes}
               : Charge{"unused", "left of the static fraction, too little for the pools", bytes};
  }
  const bool set =
      settings.max_total_tokens && *settings.max_total_tokens - sizes.tokens < settings.page_size;
  return set ? Charge{"pool_as_set", "left by --max-total-tokens", bytes}
             : Charge{"page_rounding",
                      "rounding to pages, less the page that pads and the headroom of drafts",
                      bytes};
}

}  // namespace

std::vector<Charge> charges_of(const Inputs& inputs, const Settings& settings,
                               const StageBudget& budget, const PoolLayout& layout,
                               const PoolSizes& sizes, std::uint64_t claim) {
  ChargeList list;
  const std::uint64_t total = inputs.device.total_bytes;
  const std::uint64_t free = inputs.device.free_bytes.value_or(total);
  list.add("other_programs", "not free before the start", signed_bytes(total) - signed_bytes(free));
  list.add("non_torch", "CUDA context and NCCL, taken before the fraction",
           signed_bytes(free) - signed_bytes(budget.before.best));
  list.add("not_claimed", "left outside --mem-fraction-static",
           signed_bytes(budget.before.best) - signed_bytes(claim));
  list.add("weights", "weights", budget.weights.best);
  const std::int64_t loss =
      signed_bytes(claim) - signed_bytes(budget.weights.best) - signed_bytes(budget.rest.best);
  list.add("sizing_loss", "lost between loading and sizing, from measured starts", loss);
  std::int64_t left = signed_bytes(budget.rest.best);
  list.add("recurrent_states", "pool of recurrent states, as charged to the fraction",
           sizes.states.charged_bytes);
  list.add("draft_pool", "pool of the draft", sizes.draft_bytes);
  left -= signed_bytes(sizes.states.charged_bytes) + signed_bytes(sizes.draft_bytes) +
          signed_bytes(sizes.kv_bytes);
  const Cell& cell = layout.stages[sizes.tightest].cell;
  if (sizes.kv_bytes != 0 && cell.full > cell.charged && !inputs.measured.kv_pool_bytes) {
    const std::int64_t over =
        signed_bytes(saturating_product(sizes.tokens, cell.full - cell.charged));
    list.add("pool_overrun",
             "of the pool beyond its budget: rows that the version counts too small", -over);
    left += over;
  }
  const Charge rest = between_rest_and_pools(inputs, settings, layout, sizes, left);
  list.add(rest.term, rest.what, rest.bytes);
  return list.take();
}

Holding holding_of(const Settings& settings, const PoolLayout& layout, const PoolSizes& sizes,
                   std::uint64_t one_request_bytes, std::uint64_t window_need) {
  Holding holding;
  holding.pool_bytes = sizes.kv_bytes;
  holding.replicas = settings.parallelism.data;
  const RequestRule cap{"sequence_cap", "the sequence cap --max-running-requests",
                        sizes.max_running_requests};
  if (layout.kind == PoolKind::none) {
    holding.rules.push_back(cap);
    return holding;
  }
  const std::uint64_t length = std::max<std::uint64_t>(1, settings.context);
  const bool pools = sizes.fault == PoolFault::none && sizes.tokens != 0 && sizes.kv_bytes != 0;
  holding.request_bytes =
      pools ? static_cast<double>(sizes.kv_bytes) *
                  (static_cast<double>(length) / static_cast<double>(sizes.tokens))
            : static_cast<double>(one_request_bytes);
  // A request needs a token more than its own, and the pool keeps whole pages.
  std::uint64_t requests =
      !pools || length >= sizes.tokens ? 0 : sizes.tokens / round_up(length, settings.page_size);
  holding.rules.push_back({"whole_blocks", "rounding to whole pages", requests});
  if (sizes.window_tokens != 0) {
    requests = std::min(requests, sizes.window_tokens / std::max<std::uint64_t>(1, window_need));
    holding.rules.push_back({"window_pool", "the sliding window pool", requests});
  }
  if (layout.slot_bytes != 0) {
    requests = std::min(requests, sizes.states.slots / settings.state.slots_per_request);
    holding.rules.push_back({"state_slots", "the slots for recurrent states", requests});
  }
  holding.rules.push_back({cap.term, cap.what, std::min(requests, cap.requests)});
  return holding;
}

}  // namespace ridgepoint::engine::sglang
