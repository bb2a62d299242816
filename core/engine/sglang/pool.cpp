#include "engine/sglang/pool.hpp"

#include <algorithm>

#include "arithmetic.hpp"

namespace ridgepoint::engine::sglang {
namespace {

constexpr std::uint64_t kPlenty = 1ULL << 50U;

std::uint64_t groups(const Settings& settings) {
  return settings.data_parallel_attention ? settings.parallelism.data : 1;
}

std::uint64_t whole(double value) {
  return value <= 0 ? 0 : static_cast<std::uint64_t>(std::min(value, 1e15));
}

std::uint64_t floor_to(std::uint64_t tokens, std::uint64_t page) { return tokens / page * page; }

/// Tokens of windowed layers that running requests can hold at most: a window, the tokens until the
/// next eviction, a page each for alignment and allocation; and the chunks in flight.
std::uint64_t window_cap(const Settings& settings, std::uint64_t window) {
  constexpr std::uint64_t kEvictionInterval = 128;
  const std::uint64_t drafts = std::max<std::uint64_t>(1, settings.draft.tokens);
  const std::uint64_t page = settings.page_size;
  const std::uint64_t requests = settings.max_running_requests.value_or(0) / groups(settings);
  const std::uint64_t a_request =
      window + kEvictionInterval * drafts + page +
      (settings.draft.speculation == Speculation::none ? page : 2 * (drafts + page));
  const std::uint64_t chunks = settings.overlap ? 2 : 1;
  return round_up(requests * a_request + chunks * settings.chunk + page, page);
}

PoolKind kind_of(const Inputs& inputs, const Settings& settings, const PoolLayout& layout) {
  if (inputs.model.has(model::AttentionKind::compressed)) {
    return PoolKind::compressed;
  }
  std::uint64_t full = 0;
  std::uint64_t window = 0;
  for (const StageLayout& stage : layout.stages) {
    full += stage.cell.full_layers;
    window += stage.cell.window_layers;
  }
  if (full + window == 0) {
    return PoolKind::none;
  }
  if (window == 0) {
    return PoolKind::plain;
  }
  if (full == 0) {
    return PoolKind::windows_alone;
  }
  const bool bounded = settings.version.number >= 5013 && settings.max_running_requests &&
                       !settings.radix_cache && settings.chunk != 0;
  return bounded ? PoolKind::capped_windows : PoolKind::windows;
}

/// Sizes the pools of one budget, rule by rule.
class Sizer {
 public:
  Sizer(const PoolLayout& layout, const Settings& settings, const std::vector<double>& rest)
      : layout_(layout), settings_(settings), rest_(rest) {}

  PoolSizes size() {
    take_states();
    if (sizes_.fault != PoolFault::none) {
      return sizes_;
    }
    find_tokens();
    bound_tokens();
    if (sizes_.tokens == 0) {
      sizes_.fault = PoolFault::no_room;
      return sizes_;
    }
    split_window();
    bound_requests();
    add_draft_headroom();
    sum_bytes();
    return sizes_;
  }

 private:
  [[nodiscard]] double ratio() const { return settings_.swa_full_tokens_ratio; }

  void take_states() {
    if (layout_.slot_bytes == 0) {
      return;
    }
    bool first = true;
    for (const double rest : rest_) {
      const StatePool pool = state_pool(settings_, layout_.slot_bytes, rest);
      if (first || pool.slots < sizes_.states.slots) {
        sizes_.states = pool;
      }
      first = false;
    }
    if (sizes_.states.slots == 0) {
      sizes_.fault = PoolFault::no_states;
    }
  }

  [[nodiscard]] std::uint64_t stage_tokens(std::size_t i) const {
    const StageLayout& stage = layout_.stages[i];
    const double room = rest_[i] - static_cast<double>(sizes_.states.charged_bytes);
    const Cell& cell = stage.cell;
    switch (layout_.kind) {
      case PoolKind::none:
        return settings_.max_total_tokens.value_or(settings_.context_length);
      case PoolKind::compressed: {
        const auto states = static_cast<double>(
            compressed_state_bytes(stage.compressed, settings_,
                                   settings_.max_running_requests.value_or(0) / groups(settings_)));
        return stage.compressed.per_token == 0
                   ? kPlenty
                   : whole((room - states) / stage.compressed.per_token);
      }
      case PoolKind::windows_alone:
        return cell.window == 0 ? kPlenty : whole(room) / (cell.window + cell.draft);
      case PoolKind::windows: {
        const double bytes = static_cast<double>(cell.charged + cell.draft) +
                             ratio() * static_cast<double>(cell.window);
        return bytes == 0 ? kPlenty : whole(static_cast<double>(whole(room)) / bytes);
      }
      case PoolKind::capped_windows: {
        const double fixed =
            static_cast<double>(layout_.window_cap) * static_cast<double>(cell.window);
        const std::uint64_t bytes = cell.charged + cell.draft;
        return bytes == 0 ? kPlenty : whole((room - fixed) / static_cast<double>(bytes));
      }
      case PoolKind::plain:
        break;
    }
    const std::uint64_t bytes = cell.charged + cell.draft;
    return bytes == 0 ? kPlenty : whole(room) / bytes;
  }

  void find_tokens() {
    sizes_.tokens = kPlenty;
    for (std::size_t i = 0; i < layout_.stages.size(); ++i) {
      const std::uint64_t tokens = stage_tokens(i);
      if (tokens < sizes_.tokens) {
        sizes_.tokens = tokens;
        sizes_.tightest = i;
      }
    }
  }

  void bound_tokens() {
    sizes_.tokens = floor_to(sizes_.tokens, settings_.page_size);
    if (settings_.max_total_tokens && *settings_.max_total_tokens < sizes_.tokens) {
      sizes_.tokens = floor_to(*settings_.max_total_tokens, settings_.page_size);
    }
  }

  void split_window() {
    const std::uint64_t page = settings_.page_size;
    switch (layout_.kind) {
      case PoolKind::windows:
      case PoolKind::compressed:
        sizes_.window_tokens = floor_to(whole(static_cast<double>(sizes_.tokens) * ratio()), page);
        break;
      case PoolKind::windows_alone:
        sizes_.window_tokens = sizes_.tokens;
        break;
      case PoolKind::capped_windows:
        sizes_.window_tokens = layout_.window_cap;
        break;
      default:
        return;
    }
    if (layout_.window + page >= sizes_.window_tokens) {
      sizes_.fault = PoolFault::narrow_window;
    }
  }

  /// Source: SGLang 0.5.17 kv_cache_configurator.py, resolve_max_num_reqs.
  void bound_requests() {
    const double by_length =
        static_cast<double>(sizes_.tokens) / static_cast<double>(settings_.context_length) * 512.0;
    const std::uint64_t usual = std::clamp<std::uint64_t>(whole(by_length), 2048, 4096);
    const std::uint64_t asked =
        settings_.max_running_requests
            ? std::max<std::uint64_t>(1, *settings_.max_running_requests / groups(settings_))
            : usual;
    sizes_.max_running_requests = std::min(asked, std::max<std::uint64_t>(1, sizes_.tokens / 2));
    if (layout_.slot_bytes != 0) {
      sizes_.max_running_requests = std::min(
          sizes_.max_running_requests, sizes_.states.slots / settings_.state.slots_per_request);
      if (sizes_.max_running_requests == 0) {
        sizes_.fault = PoolFault::no_states;
      }
    }
  }

  /// Until 0.5.12 the pool was made larger than the budget by what all requests may have in
  /// proposal at once.
  void add_draft_headroom() {
    const DraftSettings& draft = settings_.draft;
    const bool shares_pool =
        draft.speculation == Speculation::eagle || draft.speculation == Speculation::standalone;
    if (!shares_pool || settings_.version.number < 4001 || settings_.version.number >= 5010 ||
        settings_.max_total_tokens) {
      return;
    }
    const std::uint64_t requests = settings_.max_running_requests.value_or(48) / groups(settings_);
    sizes_.tokens =
        floor_to(sizes_.tokens + requests * (draft.steps * draft.topk + draft.tokens) + 100,
                 settings_.page_size);
  }

  void sum_bytes() {
    const StageLayout& stage = layout_.stages[sizes_.tightest];
    const std::uint64_t page = settings_.page_size;
    const std::uint64_t slots = sizes_.tokens + page;
    sizes_.draft_bytes = saturating_product(slots, stage.cell.draft);
    switch (layout_.kind) {
      case PoolKind::none:
        return;
      case PoolKind::compressed:
        sizes_.kv_bytes =
            whole(static_cast<double>(sizes_.tokens) * stage.compressed.per_token) +
            compressed_state_bytes(stage.compressed, settings_, sizes_.max_running_requests);
        sizes_.window_bytes = saturating_product(sizes_.window_tokens, stage.compressed.window);
        return;
      case PoolKind::plain:
        sizes_.kv_bytes = saturating_product(slots, stage.cell.full);
        return;
      default:
        sizes_.window_bytes = saturating_product(sizes_.window_tokens + page, stage.cell.window);
        sizes_.kv_bytes = saturating_product(slots, stage.cell.full) + sizes_.window_bytes;
    }
  }

  const PoolLayout& layout_;
  const Settings& settings_;
  const std::vector<double>& rest_;
  PoolSizes sizes_;
};

}  // namespace

PoolLayout pool_layout(const Inputs& inputs, const Settings& settings,
                       const std::vector<Stage>& stages) {
  PoolLayout layout;
  for (const Stage& stage : stages) {
    layout.stages.push_back({stage, stage_cell(inputs, settings, stage),
                             compressed_cell(inputs.model, settings, stage)});
  }
  for (const model::Layer& layer : inputs.model.layers) {
    const model::Attention& a = layer.attention;
    if (in_window_pool(a, settings) || a.kind == model::AttentionKind::compressed) {
      layout.window = std::max(layout.window, a.window);
    }
  }
  layout.slot_bytes = state_slot_bytes(inputs, settings, stages);
  layout.kind = kind_of(inputs, settings, layout);
  layout.window_cap = window_cap(settings, layout.window);
  return layout;
}

PoolSizes size_pools(const PoolLayout& layout, const Settings& settings,
                     const std::vector<double>& rest_bytes) {
  return Sizer(layout, settings, rest_bytes).size();
}

}  // namespace ridgepoint::engine::sglang
