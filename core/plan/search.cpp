#include "plan/search.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/python_version.hpp"
#include "plan/change.hpp"

namespace ridgepoint::plan {
namespace {

using engine::FlagValue;
using engine::Limit;
using engine::MemoryPlan;

constexpr auto kStepTokens = static_cast<std::uint64_t>(kBatchedTokens);

/// The most of its memory that a setup may make the engine take.
double largest_share(const Request& request) {
  const std::string_view lever = request.engine->levers.memory_share;
  const FlagValue* flag = lever.empty() ? nullptr : given_flag(request, lever);
  if (flag == nullptr) {
    return kMemoryShare;
  }
  const auto* real = std::get_if<double>(&flag->value);
  return real != nullptr ? *real : 1.0;
}

/// Weights or caches in the machine's memory do not count as fitting.
bool starts(const MemoryPlan& plan) {
  return plan.limit == Limit::none && plan.host_bytes == plan.host_table_bytes;
}

/// The plainer layout, then the roomier one.
bool better(const Found& a, const Found& b) {
  const std::uint32_t plain_a = a.layout.departures();
  const std::uint32_t plain_b = b.layout.departures();
  return plain_a != plain_b ? plain_a < plain_b
                            : a.plan.max_requests.best > b.plan.max_requests.best;
}

}  // namespace

Change Found::change() const {
  Change change;
  change.set = flags;
  change.quant_config = weights.change.quant_config;
  return change;
}

EngineSearch::EngineSearch(const Request& request, const Load& load, const Freedom& freedom,
                           bool prune)
    : request_(request),
      load_(load),
      prune_(prune),
      bounded_(prune && free_to_bound(request)),
      share_(largest_share(request)),
      setups_(request, load, freedom) {
  ladder_only_shrinks_ = request.engine->name == "vllm" && batches_by_default() &&
                         load.concurrency <= kStepTokens && setups_.free_steps().count() != 0;
}

bool EngineSearch::holds_all(const MemoryPlan& plan) const {
  return starts(plan) && plan.max_requests.best >= load_.concurrency;
}

bool EngineSearch::possible(const Steps& steps) const {
  const Steps& free = setups_.free_steps();
  return (!steps.batched || free.batched) && (!steps.share || free.share) &&
         (!steps.no_graphs || free.no_graphs);
}

/// Whether vLLM's own batch is never below the step's: 2,048 tokens or more since 0.9, but no more
/// than all sequences at full length, of which there are 32 or more unless a flag says less.
bool EngineSearch::batches_by_default() const {
  constexpr std::uint32_t kSince = 9;
  constexpr std::uint64_t kFewSequences = 32;
  const auto version = engine::parse_python_version(request_.engine_version);
  const std::uint64_t sequences = setups_.may_raise_requests() ? kFewSequences : 1;
  const bool recent = !version || version->major > 0 || version->minor >= kSince;
  return recent && load_.context >= kStepTokens / sequences;
}

bool EngineSearch::fast_enough(const speed::ClosedForms& speed) const {
  if (!load_.ttft_s && !load_.tpot_s) {
    return true;
  }
  return speed.known && (!load_.ttft_s || speed.ttft_s.best <= *load_.ttft_s) &&
         (!load_.tpot_s || speed.tpot_s.best <= *load_.tpot_s);
}

std::optional<Found> EngineSearch::best_on(const hardware::Device& device,
                                           const std::vector<std::uint64_t>& counts, Work& work) {
  const Options& options = setups_.options_for(device);
  std::optional<Found> best;
  for (const std::uint64_t count : counts) {
    for (const WeightOption& weights : options.weights) {
      auto found = climb(device, options, weights, count, work);
      if (found && !best) {
        best = std::move(found);
      }
      if (work.spent() || (best && prune_)) {
        return finished(device, std::move(best), work);
      }
    }
  }
  return finished(device, std::move(best), work);
}

bool EngineSearch::allows(const Options& options, const Steps& steps) const {
  const std::size_t kv = steps.small_cache ? 1 : 0;
  return possible(steps) && kv < options.kv.size() && (kv != 0 || options.own_kv_allowed);
}

std::vector<Found> EngineSearch::rung_of(const CardRung& rung, std::vector<LayoutState>& states,
                                         Work& work) {
  const std::vector<Layout>& list = setups_.layouts_of(rung.count);
  const std::size_t kv = rung.steps.small_cache ? 1 : 0;
  std::vector<Found> all;
  for (std::size_t i = 0; i < list.size(); ++i) {
    ++work.setups;
    if (work.spent()) {
      return {};
    }
    const CardSetup setup{rung.device, rung.weights, rung.kv, rung.steps, list[i], rung.count};
    if (!worth_trying(setup, kv, states[i], work)) {
      continue;
    }
    if (auto found = try_setup(setup, kv, states[i], work)) {
      all.push_back(std::move(*found));
    }
  }
  return all;
}

/// The first rung that carries the load, and of its layouts the plainest and then roomiest.
std::optional<Found> EngineSearch::climb(const hardware::Device& device, const Options& options,
                                         const WeightOption& weights, std::uint64_t count,
                                         Work& work) {
  std::vector<LayoutState> states(setups_.layouts_of(count).size());
  std::optional<Found> best;
  for (const Steps& steps : ladder()) {
    if (!allows(options, steps)) {
      continue;
    }
    const FormatChoice& kv = options.kv[steps.small_cache ? 1 : 0];
    std::vector<Found> rung = rung_of({device, weights, kv, steps, count}, states, work);
    if (!rung.empty() && !best) {
      best = std::move(*std::min_element(rung.begin(), rung.end(), better));
    }
    if (work.spent() || (best && prune_)) {
      return best;
    }
  }
  return best;
}

std::size_t EngineSearch::format_pairs_on(const hardware::Device& device) {
  const Options& options = setups_.options_for(device);
  return options.weights.size() * options.kv.size();
}

std::vector<Found> EngineSearch::holding_on(const hardware::Device& device, std::uint64_t count,
                                            std::size_t pair, Work& work) {
  const Options& options = setups_.options_for(device);
  const WeightOption& weights = options.weights[pair / options.kv.size()];
  const bool small_cache = pair % options.kv.size() != 0;
  std::vector<LayoutState> states(setups_.layouts_of(count).size());
  for (const Steps& steps : ladder()) {
    if (steps.small_cache != small_cache || !allows(options, steps)) {
      continue;
    }
    const FormatChoice& kv = options.kv[small_cache ? 1 : 0];
    std::vector<Found> rung = rung_of({device, weights, kv, steps, count}, states, work);
    if (!rung.empty() || work.spent()) {
      std::stable_sort(rung.begin(), rung.end(), better);
      return rung;
    }
  }
  return {};
}

/// Rules 1, 3, 5 and 6; 1, 3 and 6 once for each layout and cache.
bool EngineSearch::worth_trying(const CardSetup& setup, std::size_t kv, LayoutState& state,
                                Work& work) {
  if (!prune_) {
    return true;
  }
  if (state.refused || state.dead[kv]) {
    return false;
  }
  if (!bounded_ || state.checked[kv]) {
    return true;
  }
  const std::uint64_t all = setup.count * most_bytes(request_, setup.device, share_);
  const std::uint64_t least =
      setup.weights.least.of(setup.layout, setup.kv, load_.context, load_.concurrency);
  // Where there is room to spare the plain rung likely carries the load, and ends the matter.
  if (least < all / 4 * 3 && setup.steps.count() == setup.steps.small_cache) {
    return true;
  }
  state.checked[kv] = true;
  state.dead[kv] = least > all ||
                   (ladder_only_shrinks_ && whole_ladder_fails(setup, state, work)) ||
                   (setups_.slots_by_flag() && setup.count == 1 && spills(setup, state, work));
  return !state.dead[kv] && !state.refused;
}

bool EngineSearch::whole_ladder_fails(const CardSetup& setup, LayoutState& state,
                                      Work& work) const {
  CardSetup whole = setup;
  const bool small_cache = setup.steps.small_cache;
  whole.steps = setups_.free_steps();
  whole.steps.small_cache = small_cache;
  const Estimated made = setups_.estimate(whole, work);
  if (!made.plan) {
    state.refused = made.plan.error().code == "bad_parallelism";
    return false;
  }
  return made.plan->limit != Limit::free_memory && !holds_all(*made.plan);
}

bool EngineSearch::spills(const CardSetup& setup, LayoutState& state, Work& work) const {
  const auto plan = setups_.estimate_with(setup, {"fit", std::string("off")}, work);
  if (!plan) {
    state.refused = plan.error().code == "bad_parallelism";
    return false;
  }
  return !holds_all(*plan);
}

std::optional<Found> EngineSearch::try_setup(const CardSetup& setup, std::size_t kv,
                                             LayoutState& state, Work& work) {
  if (setup.steps.batched && state.default_batch && *state.default_batch <= kStepTokens) {
    return std::nullopt;  // nothing to lower
  }
  Estimated made = setups_.estimate(setup, work);
  if (!made.plan) {
    state.refused = made.plan.error().code == "bad_parallelism";
    return std::nullopt;
  }
  if (!setup.steps.batched) {
    state.default_batch = made.plan->max_num_batched_tokens;
  }
  if (!holds_all(*made.plan)) {
    return std::nullopt;
  }
  Found found = found_of(setup, std::move(made));
  // Where nobody asks for one, the speed of the answer alone is worked out.
  if (load_.ttft_s || load_.tpot_s) {
    found.speed = speed_on(setup.device, found);
  }
  if (!fast_enough(found.speed)) {
    state.dead[kv] = true;
    return std::nullopt;
  }
  return found;
}

Found EngineSearch::found_of(const CardSetup& setup, Estimated made) {
  Found found;
  found.count = setup.count;
  found.layout = setup.layout;
  found.weight_rank = setup.weights.rank;
  found.weights = setup.weights.choice;
  found.kv = setup.kv;
  found.steps = setup.steps;
  found.flags = std::move(made.flags);
  found.plan = std::move(made.plan.value());
  return found;
}

/// What searching left out of the plan, and what the memory would hold beyond it where flags make
/// just the slots asked for: as many as the bytes left would, less the GiB that --fit keeps free.
std::optional<Found> EngineSearch::finished(const hardware::Device& device,
                                            std::optional<Found> found, Work& work) {
  if (!found) {
    return found;
  }
  if (!found->speed.known) {
    found->speed = speed_on(device, *found);
  }
  found->capacity = found->plan.max_requests.best;
  if (!setups_.slots_by_flag()) {
    return found;
  }
  auto whole = plan_at(device, *found, load_.context, work);
  if (whole) {
    found->plan = std::move(whole.value());
    found->plan.steps.clear();
  }
  if (!setups_.may_raise_requests()) {
    return found;
  }
  constexpr std::uint64_t kMargin = 1ULL << 30U;
  const MemoryPlan& plan = found->plan;
  const std::uint64_t used =
      plan.weights.best + plan.kv_pool.best + plan.activation.best + plan.non_torch.best + kMargin;
  const std::uint64_t left = device.total_bytes - std::min(device.total_bytes, used);
  const std::uint64_t slots = std::max<std::uint64_t>(1, plan.max_requests.best);
  found->capacity += left / std::max<std::uint64_t>(1, plan.kv_pool.best / slots);
  return found;
}

/// Whether a serves more of the load than b, or as much and faster.
bool EngineSearch::closer(const Found& a, const Found& b) const {
  const auto served = [&](const Found& found) {
    return std::min(found.plan.max_requests.best, load_.concurrency);
  };
  if (served(a) != served(b) || !a.speed.known || !b.speed.known) {
    return served(a) > served(b);
  }
  return a.speed.tpot_s.best + a.speed.ttft_s.best < b.speed.tpot_s.best + b.speed.ttft_s.best;
}

std::optional<Found> EngineSearch::nearest_on(const hardware::Device& device, std::uint64_t count,
                                              Work& work) {
  const Options& options = setups_.options_for(device);
  std::optional<Found> nearest;
  for (const WeightOption& weights : options.weights) {
    for (const Layout& layout : setups_.layouts_of(count)) {
      for (std::size_t kv = options.own_kv_allowed ? 0 : 1; kv < options.kv.size(); ++kv) {
        for (const bool tuned : {false, true}) {
          CardSetup setup{device, weights, options.kv[kv], {}, layout, count};
          setup.steps = tuned ? setups_.free_steps() : Steps{};
          setup.steps.small_cache = kv != 0;
          if (work.spent()) {
            return nearest;
          }
          Estimated made = setups_.estimate(setup, work);
          if (!made.plan || !starts(*made.plan)) {
            continue;
          }
          Found found = found_of(setup, std::move(made));
          found.speed = speed_on(device, found);
          if (!nearest || closer(found, *nearest)) {
            nearest = std::move(found);
          }
        }
      }
    }
  }
  return nearest;
}

}  // namespace ridgepoint::plan
