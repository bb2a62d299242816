#include "model/mixers.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "arithmetic.hpp"
#include "model/decoder.hpp"
#include "wording.hpp"

namespace ridgepoint::model {
namespace {

constexpr json::Range kKernelRange{1, 1024};
constexpr json::Range kExpandRange{1, 64};
constexpr std::string_view kStateHeads[] = {"mamba_n_heads", "mamba_num_heads", "n_mamba_heads",
                                            "num_heads"};

std::optional<std::uint64_t> whole_unless_auto(json::Fields& config, json::Fields::Keys keys,
                                               json::Range range) {
  for (const std::string_view key : keys) {
    const json::Value* value = config.find(key);
    if (value != nullptr && value->is_string() && value->get_ref<const std::string&>() == "auto") {
      return std::nullopt;
    }
  }
  return config.whole(keys, range);
}

void read_kernel(json::Fields& config, State& state) {
  state.conv_kernel =
      config.whole_or({"mamba_d_conv", "conv_kernel", "d_conv", "conv_dimension"}, kKernelRange, 4);
  state.conv_bias = config.boolean_or({"mamba_conv_bias", "use_conv_bias"}, true);
  state.projection_bias =
      config.boolean_or({"use_bias", "mamba_proj_bias", "add_bias_linear"}, false);
}

}  // namespace

State read_mamba2(json::Fields& config, const Mamba2Class& defaults) {
  State state;
  state.kind = StateKind::mamba2;
  const auto heads = config.whole(kStateHeads, kHeadsRange);
  const auto head_dim = whole_unless_auto(config, {defaults.head_dim}, kHeadDimRange);
  state.heads = heads.value_or(defaults.heads);
  if (state.heads == 0) {
    state.heads = head_dim && defaults.inner != 0 ? defaults.inner / *head_dim
                                                  : config.require_whole(kStateHeads, kHeadsRange);
  }
  if (head_dim) {
    state.head_dim = *head_dim;
  } else {
    state.head_dim = defaults.inner == 0 || state.heads == 0 ? 64 : defaults.inner / state.heads;
  }
  state.inner_size = state.heads * state.head_dim;
  if (defaults.inner != 0 && state.inner_size != defaults.inner) {
    config.fail("bad_value", defaults.head_dim,
                worded({"The Mamba-2 heads (", state.heads, " of ", state.head_dim,
                        ") do not make up the mixer's width of ", defaults.inner, "."}));
  }
  state.groups = config.whole_or({"mamba_n_groups", "mamba_ngroups", "n_groups"}, kHeadsRange,
                                 defaults.groups);
  constexpr std::string_view kStateSize[] = {"mamba_d_state", "ssm_state_size", "state_size"};
  state.state_size = defaults.state_size == 0
                         ? config.require_whole(kStateSize, kHeadDimRange)
                         : config.whole_or(kStateSize, kHeadDimRange, defaults.state_size);
  state.inner_norm = true;
  read_kernel(config, state);
  return state;
}

State read_mamba1(json::Fields& config, std::uint64_t inner, const ModelSpec& spec) {
  State state;
  state.kind = StateKind::mamba1;
  state.inner_size = inner;
  state.state_size = config.whole_or({"mamba_d_state", "state_size"}, kHeadDimRange, 16);
  state.dt_rank = whole_unless_auto(config, {"mamba_dt_rank", "time_step_rank"}, kWidthRange)
                      .value_or(ceil_div(spec.hidden_size, std::uint64_t{16}));
  read_kernel(config, state);
  return state;
}

State read_gated_delta(json::Fields& config) {
  State state;
  state.kind = StateKind::gated_delta;
  state.key_heads = config.whole_or({"linear_num_key_heads"}, kHeadsRange, 16);
  state.heads = config.whole_or({"linear_num_value_heads"}, kHeadsRange, 32);
  state.key_head_dim = config.whole_or({"linear_key_head_dim"}, kHeadDimRange, 128);
  state.head_dim = config.whole_or({"linear_value_head_dim"}, kHeadDimRange, 128);
  state.conv_kernel = config.whole_or({"linear_conv_kernel_dim"}, kKernelRange, 4);
  return state;
}

std::uint64_t expanded(json::Fields& config, json::Fields::Keys keys, const ModelSpec& spec) {
  return config.whole_or(keys, kExpandRange, 2) * spec.hidden_size;
}

Layer state_layer(const State& state, const FeedForward& feed_forward, std::uint64_t norms) {
  Layer layer;
  layer.state = state;
  layer.feed_forward = feed_forward;
  layer.norms = norms;
  return layer;
}

}  // namespace ridgepoint::model
