#include "engine/sglang/slack.hpp"

#include <algorithm>

#include "arithmetic.hpp"
#include "engine/sglang/constants.hpp"
#include "estimate_sums.hpp"

namespace ridgepoint::engine::sglang {
namespace {

std::uint64_t request_table_bytes(const Settings& settings, std::uint64_t requests) {
  const std::uint64_t length = settings.context_length + 4 + settings.draft.tokens;
  return saturating_product((requests + 1) * 4, length);
}

/// Half a block of 2 MiB for keys and one for values in each layer that caches.
std::uint64_t rounding_bytes(const StageLayout& stage) {
  constexpr std::uint64_t kHalfBlock = 1U << 20U;
  return 2 * kHalfBlock * (stage.cell.full_layers + stage.cell.window_layers);
}

/// Of the residual stream, the widest attention and the widest feed-forward of a chunk.
std::uint64_t forward_bytes(const Inputs& inputs, const Settings& settings, const Stage& stage) {
  const double value_bytes = static_cast<double>(precision::dtype_bytes(settings.dtype));
  const auto ranks = static_cast<double>(settings.parallelism.tensor);
  const auto hidden = static_cast<double>(inputs.model.hidden_size);
  double widest = 0;
  for (std::uint64_t i = stage.first_layer; i < stage.end_layer; ++i) {
    const model::Layer& layer = inputs.model.layers[i];
    const model::Attention& a = layer.attention;
    const model::FeedForward& f = layer.feed_forward;
    const double heads =
        static_cast<double>(a.num_attention_heads) / static_cast<double>(settings.attention_tensor);
    const double attention = 4 * heads * static_cast<double>(a.head_dim);
    const double experts = static_cast<double>(f.num_experts_per_tok) *
                           (3 * static_cast<double>(f.moe_intermediate_size) / ranks + hidden);
    const double dense = 3 * static_cast<double>(f.intermediate_size) / ranks;
    widest = std::max({widest, attention, experts + dense});
  }
  const std::uint64_t tokens = settings.chunk == 0 ? settings.max_prefill_tokens : settings.chunk;
  return to_bytes(static_cast<double>(tokens) * (4 * hidden + widest) * value_bytes);
}

Bytes scaled(std::uint64_t bytes, const Constant& factor) {
  const auto value = static_cast<double>(bytes);
  return {to_bytes(value * factor.low), to_bytes(value * factor.best),
          to_bytes(value * factor.high), factor.basis, factor.starts};
}

/// Decode graphs of no more requests than can run, and prompt graphs.
Bytes graph_bytes(const Settings& settings, std::uint64_t requests) {
  const std::uint32_t number = settings.version.number;
  const auto decode = static_cast<double>(std::count_if(
      settings.decode_graphs.begin(), settings.decode_graphs.end(),
      [&](std::uint64_t size) { return size <= std::max<std::uint64_t>(1, requests); }));
  Bytes bytes{};
  if (decode != 0) {
    const char* each =
        settings.parallelism.tensor > 1 ? "decode_graph_mib_n" : "decode_graph_mib_1";
    bytes = plus(in_bytes(constant(each, number), decode * kMiB),
                 in_bytes(constant("decode_graph_fixed_gib", number), kGiB));
  }
  if (!settings.prefill_graphs.empty()) {
    bytes = plus(bytes, in_bytes(constant("prefill_graph_mib", number),
                                 static_cast<double>(settings.prefill_graphs.size()) * kMiB));
  }
  return bytes;
}

std::uint64_t uncharged_draft_bytes(const Inputs& inputs, const Settings& settings,
                                    const StageLayout& stage, std::uint64_t tokens) {
  const DraftSettings& draft = settings.draft;
  if (draft.layers == 0 || settings.version.number >= 5013) {
    return 0;
  }
  const std::uint64_t a_layer =
      stage.cell.full_layers == 0 ? 0 : stage.cell.full / stage.cell.full_layers;
  const std::uint64_t cache =
      stage.cell.draft != 0 ? 0 : saturating_product(tokens, a_layer * draft.layers);
  return draft_weight_bytes(inputs, settings) + std::min<std::uint64_t>(cache, 1ULL << 60U);
}

}  // namespace

Slack slack_of(const Inputs& inputs, const Settings& settings, const StageBudget& budget,
               const PoolLayout& layout, const PoolSizes& sizes) {
  const std::uint32_t number = settings.version.number;
  const StageLayout& stage = layout.stages[sizes.tightest];
  Slack slack;
  slack.bytes =
      to_bytes(static_cast<double>(budget.before.best) * (1.0 - settings.mem_fraction_static));
  slack.request_table = request_table_bytes(settings, sizes.max_running_requests);
  slack.rounding = rounding_bytes(stage);
  slack.uncharged_draft = uncharged_draft_bytes(inputs, settings, stage, sizes.tokens);
  slack.symmetric = settings.symmetric_memory ? 4ULL << 30U : 0;
  slack.overrun = stage.cell.full > stage.cell.charged
                      ? saturating_product(sizes.tokens, stage.cell.full - stage.cell.charged)
                      : 0;
  const bool aiter = settings.attention_backend == "aiter";
  slack.workspace = in_bytes(constant(aiter ? "workspace_gib_amd" : "workspace_gib", number), kGiB);
  slack.forward =
      scaled(forward_bytes(inputs, settings, budget.stage), constant("forward_factor", number));
  slack.graphs = graph_bytes(settings, sizes.max_running_requests);
  const std::uint64_t certain = slack.request_table + slack.rounding + slack.uncharged_draft +
                                slack.symmetric + slack.overrun;
  slack.activation = plus(plus(exactly(certain), slack.workspace), slack.forward);
  const auto replace = [](Bytes& term, const std::optional<std::uint64_t>& value) {
    if (value) {
      term = {*value, *value, *value, Basis::measured, 1};
    }
  };
  replace(slack.activation, inputs.measured.activation_bytes);
  replace(slack.graphs, inputs.measured.cuda_graphs_bytes);
  return slack;
}

}  // namespace ridgepoint::engine::sglang
