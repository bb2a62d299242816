#include "engine/llamacpp/ledger.hpp"

#include <algorithm>

#include "engine/charge_list.hpp"

namespace ridgepoint::engine::llamacpp {
namespace {

constexpr std::string_view kLeftFree = "left_free";

}  // namespace

std::vector<Charge> charges_of(const Settings& settings, const MemoryPlan& plan,
                               const Fitted& fitted, std::size_t device,
                               std::uint64_t available_bytes) {
  ChargeList list;
  list.add("other_programs", "not free before the start",
           signed_bytes(plan.total_bytes) - signed_bytes(available_bytes));
  list.add("weights", "weights", plan.weights.best);
  list.add("activation", "compute buffers", plan.activation.best);
  list.add("non_torch", "the driver's context and libraries", plan.non_torch.best);
  std::int64_t left = signed_bytes(available_bytes) - signed_bytes(plan.weights.best) -
                      signed_bytes(plan.activation.best) - signed_bytes(plan.non_torch.best) -
                      static_cast<std::int64_t>(plan.kv_pool.best);
  if (left < 0) {
    list.add("shortfall", "missing: the terms pass what is free", left);
    return list.take();
  }
  if (settings.fit && (fitted.changed_context || fitted.changed_layers)) {
    const std::int64_t target = std::min(left, signed_bytes(settings.fit_target_bytes[device]));
    list.add("fit_target", "kept free by --fit-target", target);
    left -= target;
  }
  list.add(kLeftFree, "left free: the caches are no larger than asked for", left);
  return list.take();
}

Holding holding_of(const Settings& settings, const MemoryPlan& plan, const Cells& cells,
                   const SlotsFound& found) {
  Holding holding;
  holding.pool_bytes = plan.kv_pool.best;
  holding.request_bytes = static_cast<double>(found.slot_bytes);
  const std::string_view cap = "the slots, --parallel";
  if (found.as_asked) {
    if (cells.streams == 1 && settings.shares_cells) {
      holding.rules.push_back({"whole_blocks", "rounding to whole requests of the shared cells",
                               cells.full / std::max<std::uint64_t>(1, plan.context)});
    }
    holding.rules.push_back({"sequence_cap", cap, found.slots});
    return holding;
  }
  for (const Charge& charge : plan.charges) {
    if (charge.term == kLeftFree) {
      holding.pool_bytes += static_cast<std::uint64_t>(charge.bytes);
    }
  }
  if (found.slots < found.most_slots) {
    holding.rules.push_back(
        {"whole_blocks", "what further slots add to compute buffers, and rounding", found.slots});
  } else {
    holding.rules.push_back({"sequence_cap", "the most slots that the server takes", found.slots});
  }
  return holding;
}

}  // namespace ridgepoint::engine::llamacpp
