#include "simulate/pool.hpp"

#include <algorithm>

#include "arithmetic.hpp"

namespace ridgepoint::simulate {

Pool plain_pool(std::uint64_t blocks, std::uint64_t block_tokens) {
  Pool pool;
  pool.block_tokens = block_tokens;
  pool.budgets = {blocks};
  pool.tokens = blocks * block_tokens;
  return pool;
}

Ledger::Ledger(const Pool& pool) : block_(std::max<std::uint64_t>(1, pool.block_tokens)) {
  for (std::uint64_t b = 0; b < std::min<std::uint64_t>(kMostBudgets, pool.budgets.size()); ++b) {
    total_[b] = pool.budgets[b];
  }
  for (const PoolGroup& group : pool.groups) {
    if (groups_ == kMostGroups) {
      break;
    }
    Group& own = group_[groups_++];
    own.units = group.units;
    own.budget = std::min(group.budget, kMostBudgets - 1);
    if (group.window != 0) {
      // A window seldom begins where a block does, but for blocks of one token.
      own.most_blocks = block_ == 1 ? group.window : ceil_div(group.window, block_) + 1;
    }
  }
  free_ = total_;
}

Units Ledger::common_units(std::uint64_t tokens) const {
  Units sum{};
  for (std::uint64_t g = 0; g < groups_; ++g) {
    if (group_[g].most_blocks == ~std::uint64_t{0}) {
      sum[group_[g].budget] += tokens / block_ * group_[g].units;
    }
  }
  return sum;
}

double Ledger::share_in_use() const {
  double share = 0;
  for (std::uint64_t b = 0; b < kMostBudgets; ++b) {
    if (total_[b] != 0) {
      share = std::max(share,
                       static_cast<double>(total_[b] - free_[b]) / static_cast<double>(total_[b]));
    }
  }
  return share;
}

}  // namespace ridgepoint::simulate
