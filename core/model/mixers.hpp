#pragma once

#include <cstdint>
#include <string_view>

#include "json/fields.hpp"
#include "model/spec.hpp"

namespace ridgepoint::model {

/// What a class with Mamba-2 layers calls its head size and fills in for absent keys.
struct Mamba2Class {
  std::string_view head_dim = "mamba_d_head";
  std::uint64_t inner = 0;  ///< what heads x head size must make; 0: whatever they make
  std::uint64_t heads = 0;  ///< 0: inner over the head size
  std::uint64_t groups = 1;
  std::uint64_t state_size = 0;  ///< 0: the key is required
};

/// A Mamba-2 mixer from the keys of Bamba, Falcon-H1, Nemotron-H, Zamba2 or Mamba2 itself.
State read_mamba2(json::Fields& config, const Mamba2Class& defaults);

/// A Mamba-1 mixer of `inner` channels. A time step rank of "auto" is a sixteenth of hidden_size.
State read_mamba1(json::Fields& config, std::uint64_t inner, const ModelSpec& spec);

/// A gated delta net from the `linear_…` keys. Source: transformers Qwen3NextConfig.
State read_gated_delta(json::Fields& config);

/// Hidden size times the first of `keys`, a small factor.
std::uint64_t expanded(json::Fields& config, json::Fields::Keys keys, const ModelSpec& spec);

/// A layer around a state mixer alone: no attention, the given feed-forward.
Layer state_layer(const State& state, const FeedForward& feed_forward, std::uint64_t norms);

}  // namespace ridgepoint::model
