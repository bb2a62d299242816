#include "engine/trtllm/pool.hpp"

#include <algorithm>

#include "arithmetic.hpp"

namespace ridgepoint::engine::trtllm {
namespace {

constexpr std::uint64_t kUnlimited = 1ULL << 50U;

std::uint64_t figure(const Bytes& bytes, Bound bound) {
  switch (bound) {
    case Bound::low:
      return bytes.low;
    case Bound::high:
      return bytes.high;
    case Bound::best:
      break;
  }
  return bytes.best;
}

/// Bytes of one stage for tokens, and for the states.
struct StageBytes {
  std::uint64_t tokens;
  std::uint64_t states;
  bool short_of_states;
};

StageBytes split_off_states(const Settings& settings, const StageBudget& stage, Bound bound) {
  const std::uint64_t available = figure(stage.available, bound);
  const double wanted =
      static_cast<double>(stage.cost.state) * static_cast<double>(settings.max_batch_size);
  if (wanted >= static_cast<double>(available)) {
    return {wanted > 0 ? 0 : available, wanted > 0 ? available : 0, wanted > 0};
  }
  const auto states = static_cast<std::uint64_t>(wanted);
  return {available - states, states, false};
}

/// Tokens of one pool over all layers of a stage. The manager measures free memory again when the
/// dry run is over and its activations and graphs are gone.
std::uint64_t uniform_tokens(const Settings& settings, const StageBudget& stage,
                             std::uint64_t bytes) {
  const TokenCost& cost = stage.cost;
  if (cost.allocated == 0) {
    return kUnlimited;
  }
  if (settings.backend == Backend::tensorrt) {
    return bytes / cost.allocated;
  }
  const std::uint64_t by_estimate = cost.estimated == 0 ? kUnlimited : bytes / cost.estimated;
  const double freed =
      settings.free_gpu_memory_fraction *
      (static_cast<double>(stage.activation.best) + static_cast<double>(stage.cuda_graphs.best));
  const double room = (static_cast<double>(bytes) + freed) / static_cast<double>(cost.allocated);
  return std::min(by_estimate, static_cast<std::uint64_t>(std::min(room, 1e15)));
}

/// Each window's part of the bytes.
std::vector<double> shares(const Settings& settings, std::size_t windows) {
  if (settings.window_shares.size() == windows) {
    return settings.window_shares;
  }
  return std::vector<double>(windows, 1.0 / static_cast<double>(windows));
}

class Cutter {
 public:
  Cutter(const Settings& settings, const std::vector<StageBudget>& stages, Bound bound)
      : settings_(settings), stages_(stages), bound_(bound) {}

  CachePools cut() {
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      const StageBytes bytes = split_off_states(settings_, stages_[i], bound_);
      out_.states_do_not_fit = out_.states_do_not_fit || bytes.short_of_states;
      if (stages_[i].cost.windows.size() > 1) {
        add_windows(i, bytes);
      } else {
        const auto& windows = stages_[i].cost.windows;
        add(i, bytes, windows.empty() ? 0 : windows.front().window, bytes.tokens,
            uniform_tokens(settings_, stages_[i], bytes.tokens), true);
      }
    }
    return std::move(out_);
  }

 private:
  void add_windows(std::size_t stage, const StageBytes& bytes) {
    const auto& windows = stages_[stage].cost.windows;
    const std::vector<double> parts = shares(settings_, windows.size());
    for (std::size_t w = 0; w < windows.size(); ++w) {
      const auto part = static_cast<std::uint64_t>(static_cast<double>(bytes.tokens) * parts[w]);
      add(stage, bytes, windows[w].window, part,
          part / std::max<std::uint64_t>(1, windows[w].allocated), false);
    }
  }

  /// The least of all stages counts.
  void add(std::size_t stage, const StageBytes& bytes, std::uint64_t window, std::uint64_t share,
           std::uint64_t tokens, bool rounds_up) {
    const std::uint64_t blocks = rounds_up ? ceil_div(tokens, settings_.tokens_per_block)
                                           : tokens / settings_.tokens_per_block;
    const auto known = std::find_if(out_.pools.begin(), out_.pools.end(),
                                    [&](const BlockPool& pool) { return pool.window == window; });
    if (known == out_.pools.end()) {
      const auto place = std::find_if(out_.pools.begin(), out_.pools.end(),
                                      [&](const BlockPool& pool) { return pool.window > window; });
      out_.pools.insert(place, {window, share, tokens, blocks});
      if (stage == 0) {
        out_.state_bytes = bytes.states;
      }
    } else if (tokens < known->tokens) {
      *known = {window, share, tokens, blocks};
      out_.tightest = stage;
      out_.state_bytes = bytes.states;
    }
  }

  const Settings& settings_;
  const std::vector<StageBudget>& stages_;
  Bound bound_;
  CachePools out_;
};

}  // namespace

CachePools cut(const Settings& settings, const std::vector<StageBudget>& stages, Bound bound) {
  return Cutter(settings, stages, bound).cut();
}

std::uint64_t blocks_of_request(const Settings& settings, const BlockPool& pool,
                                std::uint64_t tokens) {
  const std::uint64_t kept = pool.window == 0 ? tokens : std::min(tokens, pool.window);
  return ceil_div(kept, settings.tokens_per_block) * settings.max_beam_width;
}

std::uint64_t requests_held(const Settings& settings, const CachePools& pools,
                            std::uint64_t tokens) {
  std::uint64_t least = pools.states_do_not_fit ? 0 : kUnlimited;
  for (const BlockPool& pool : pools.pools) {
    const std::uint64_t need = blocks_of_request(settings, pool, tokens);
    least = std::min(least, pool.blocks / std::max<std::uint64_t>(1, need));
  }
  return least;
}

std::uint64_t longest_request(const Settings& settings, const CachePools& pools,
                              std::uint64_t most) {
  if (pools.states_do_not_fit) {
    return 0;
  }
  std::uint64_t longest = most;
  for (const BlockPool& pool : pools.pools) {
    const std::uint64_t blocks = pool.blocks / settings.max_beam_width;
    std::uint64_t held = blocks * settings.tokens_per_block;
    if (settings.backend == Backend::tensorrt && blocks != 0) {
      held -= settings.tokens_per_block - 1;
    }
    const bool window_fits = pool.window != 0 && held >= pool.window && pool.window < most;
    if (!window_fits) {
      longest = std::min(longest, held);
    }
  }
  return longest;
}

}  // namespace ridgepoint::engine::trtllm
