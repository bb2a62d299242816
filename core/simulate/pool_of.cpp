#include <algorithm>
#include <cstdint>
#include <map>

#include "arithmetic.hpp"
#include "simulate/pool.hpp"

namespace ridgepoint::simulate {
namespace {

constexpr std::uint64_t kMostBlockTokens = 1U << 20U;
constexpr std::uint64_t kUsualBlock = 16;
constexpr std::uint64_t kNoLimit = 1ULL << 40U;

/// Values that a token takes in a layer, for comparing layers with each other.
std::uint64_t width_of(const model::Attention& a) {
  if (a.kind == model::AttentionKind::latent) {
    return a.kv_lora_rank + a.qk_rope_head_dim;
  }
  return a.num_key_value_heads * (a.head_dim + std::max(a.v_head_dim, std::uint64_t{1}));
}

/// Widths of the layers that stop at a window, by window; the narrowest windows are taken together
/// with the next wider one where there are too many.
std::map<std::uint64_t, std::uint64_t> windows_of(const model::ModelSpec& model) {
  std::map<std::uint64_t, std::uint64_t> windows;
  for (const model::Layer& layer : model.layers) {
    const model::Attention& a = layer.attention;
    const bool windowed =
        a.kind == model::AttentionKind::sliding || a.kind == model::AttentionKind::chunked;
    if (windowed && a.caches() && a.window != 0) {
      windows[a.window] += width_of(a);
    }
  }
  while (windows.size() > kMostGroups - 2) {
    const auto narrowest = windows.begin();
    std::next(narrowest)->second += narrowest->second;
    windows.erase(narrowest);
  }
  return windows;
}

/// Pools that the engine keeps apart, each with blocks of its own: the one of whole requests, or of
/// the widest window, and of the others that which holds the fewest requests.
bool use_separate_pools(const engine::MemoryPlan& plan, Pool& pool) {
  std::vector<const engine::Pool*> apart;
  for (const engine::Pool& one : plan.pools) {
    if (one.window != 0 || one.name == "full attention") {
      apart.push_back(&one);
    }
  }
  const bool windows =
      std::any_of(apart.begin(), apart.end(), [](const auto* one) { return one->window != 0; });
  if (!windows || plan.block_tokens == 0) {
    return false;
  }
  const auto wider = [](const engine::Pool* a, const engine::Pool* b) {
    return (a->window == 0 ? ~std::uint64_t{0} : a->window) >
           (b->window == 0 ? ~std::uint64_t{0} : b->window);
  };
  std::sort(apart.begin(), apart.end(), wider);
  const auto tighter = [](const engine::Pool* a, const engine::Pool* b) {
    return a->slots / a->window < b->slots / b->window;
  };
  pool.groups.clear();
  pool.budgets.clear();
  const engine::Pool* second =
      apart.size() > 1 ? *std::min_element(apart.begin() + 1, apart.end(), tighter) : nullptr;
  const engine::Pool* const chosen[] = {apart.front(), second};
  for (const engine::Pool* one : chosen) {
    if (one != nullptr && one->slots != 0) {
      pool.groups.push_back({one->window, 1, pool.budgets.size()});
      pool.budgets.push_back(one->slots / plan.block_tokens);
    }
  }
  return !pool.groups.empty();
}

std::uint64_t scaled(double units) {
  return static_cast<std::uint64_t>(std::clamp(units, 1.0, 1e10));
}

/// One pool out of which layers with and without a window take blocks, and states too: counted in
/// bytes of the tightest GPU, of which the plan tells what one request takes.
bool use_bytes(const engine::MemoryPlan& plan, const model::ModelSpec& model, Pool& pool) {
  const auto windows = windows_of(model);
  const std::uint64_t windowed = plan.bytes_per_token - plan.growing_bytes_per_token;
  const bool states_inside = plan.state_bytes_per_request != 0 && plan.pools.empty();
  const bool known =
      plan.holding.pool_bytes != 0 && plan.holding.request_bytes > 0 && plan.bytes_per_request != 0;
  if (((windowed == 0 || windows.empty()) && !states_inside) || !known) {
    return false;
  }
  const double share = plan.holding.request_bytes / static_cast<double>(plan.bytes_per_request);
  const double block = share * static_cast<double>(pool.block_tokens);
  pool.budgets = {plan.holding.pool_bytes};
  pool.groups.clear();
  if (plan.growing_bytes_per_token != 0) {
    pool.groups.push_back(
        {0, scaled(block * static_cast<double>(plan.growing_bytes_per_token)), 0});
  }
  std::uint64_t widths = 0;
  for (const auto& [window, width] : windows) {
    widths += width;
  }
  for (const auto& [window, width] : windows) {
    const double part = static_cast<double>(width) / static_cast<double>(widths);
    pool.groups.push_back({window, scaled(block * part * static_cast<double>(windowed)), 0});
  }
  if (states_inside) {
    // A window of one token is two blocks, whatever the length, or one block of one token.
    const double blocks = pool.block_tokens == 1 ? 1 : 2;
    pool.groups.push_back(
        {1, scaled(share * static_cast<double>(plan.state_bytes_per_request) / blocks), 0});
  }
  return true;
}

}  // namespace

Pool pool_of(const engine::MemoryPlan& plan, const model::ModelSpec& model) {
  const std::uint64_t block = plan.block_tokens != 0 ? plan.block_tokens : kUsualBlock;
  Pool pool = plain_pool(plan.blocks.best, std::min(block, kMostBlockTokens));
  pool.tokens = plan.tokens.best;
  if (plan.bytes_per_token == 0 && plan.state_bytes_per_request == 0) {
    // Nothing is cached.
    pool.budgets = {kNoLimit};
    return pool;
  }
  if (plan.block_tokens == 1 && plan.blocks.best == 0) {
    pool.budgets = {plan.tokens.best};
  }
  if (!use_separate_pools(plan, pool)) {
    use_bytes(plan, model, pool);
  }
  return pool;
}

}  // namespace ridgepoint::simulate
