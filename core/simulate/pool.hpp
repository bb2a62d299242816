#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/engine.hpp"
#include "model/spec.hpp"

namespace ridgepoint::simulate {

inline constexpr std::uint64_t kMostBudgets = 2;
inline constexpr std::uint64_t kMostGroups = 4;

/// Layers that keep the same part of a request.
struct PoolGroup {
  std::uint64_t window = 0;  ///< tokens that a request keeps at most; 0: all
  std::uint64_t units = 1;   ///< that one block of a request takes
  std::uint64_t budget = 0;  ///< out of which of the pool's
};

/// Room for caches of one replica, in units of whatever size: blocks, tokens, bytes.
struct Pool {
  std::uint64_t block_tokens = 16;
  std::vector<std::uint64_t> budgets = {0};  ///< units; one, or two that are kept apart
  std::vector<PoolGroup> groups = {{}};
  std::uint64_t state_slots = 0;  ///< requests that may keep a recurrent state; 0: no limit
  std::uint64_t tokens = 0;       ///< that the engine says it holds
};

/// A pool of `blocks` blocks that every layer takes alike.
Pool plain_pool(std::uint64_t blocks, std::uint64_t block_tokens);

/// The pool of one replica of a plan. Layers with a window are a group of their own, by what the
/// model keeps of each token in them. Approximated: while a prompt is computed its window layers
/// are taken to hold their window and no more.
Pool pool_of(const engine::MemoryPlan& plan, const model::ModelSpec& model);

/// Units of each budget.
using Units = std::array<std::uint64_t, kMostBudgets>;

/// Counts what of a pool is taken.
class Ledger {
 public:
  explicit Ledger(const Pool& pool);

  /// What a request of that many tokens takes.
  [[nodiscard]] Units units_of(std::uint64_t tokens) const {
    Units sum{};
    const std::uint64_t blocks = (tokens + block_ - 1) / block_;
    for (std::uint64_t g = 0; g < groups_; ++g) {
      const Group& group = group_[g];
      sum[group.budget] += (blocks < group.most_blocks ? blocks : group.most_blocks) * group.units;
    }
    return sum;
  }

  /// What one takes more when it grows.
  [[nodiscard]] Units growth(std::uint64_t from, std::uint64_t to) const {
    const Units before = units_of(from);
    Units after = units_of(to);
    for (std::uint64_t b = 0; b < kMostBudgets; ++b) {
      after[b] -= before[b];
    }
    return after;
  }

  /// What of the first `tokens` several requests can hold in common: layers without a window.
  [[nodiscard]] Units common_units(std::uint64_t tokens) const;

  [[nodiscard]] bool fits(const Units& units) const {
    return units[0] <= free_[0] && units[1] <= free_[1];
  }
  void take(const Units& units) {
    free_[0] -= units[0];
    free_[1] -= units[1];
    taken_ += units[0];
  }
  void give(const Units& units) {
    free_[0] += units[0];
    free_[1] += units[1];
  }

  [[nodiscard]] const Units& free() const { return free_; }
  [[nodiscard]] const Units& total() const { return total_; }
  /// Of the fuller budget.
  [[nodiscard]] double share_in_use() const;
  /// Units of the first budget that were ever taken.
  [[nodiscard]] std::uint64_t taken() const { return taken_; }

  struct Group {
    std::uint64_t most_blocks = ~std::uint64_t{0};
    std::uint64_t units = 1;
    std::uint64_t budget = 0;
  };
  [[nodiscard]] std::uint64_t block_tokens() const { return block_; }
  [[nodiscard]] std::uint64_t groups() const { return groups_; }
  [[nodiscard]] const Group& group(std::uint64_t g) const { return group_[g]; }
  /// One group without a window: tokens alone say what a request holds.
  [[nodiscard]] bool plain() const {
    return groups_ == 1 && group_[0].most_blocks == ~std::uint64_t{0};
  }

 private:
  std::uint64_t block_;
  std::uint64_t groups_ = 0;
  std::array<Group, kMostGroups> group_{};
  Units total_{};
  Units free_{};
  std::uint64_t taken_ = 0;
};

}  // namespace ridgepoint::simulate
