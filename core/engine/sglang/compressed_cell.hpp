#pragma once

#include <cstdint>

#include "engine/sglang/settings.hpp"
#include "engine/sglang/stages.hpp"
#include "model/spec.hpp"

namespace ridgepoint::engine::sglang {

/// What DeepSeek-V4's compressed attention takes on one rank of one stage, in bytes. The cache
/// format is fixed, whatever the KV dtype says.
struct CompressedCell {
  double per_token = 0;               ///< of the full pool, its share of every other pool included
  double growing = 0;                 ///< of that what does not stop at the window
  std::uint64_t window = 0;           ///< one token of the window pool, all layers
  std::uint64_t state_layers = 0;     ///< layers that compress 128 tokens to one
  std::uint64_t state_row_bytes = 0;  ///< of one row of their state
  std::uint64_t ring = 128;           ///< rows a request
};

/// Source: SGLang 0.5.17 model_executor/pool_configurator.py, DSV4PoolConfigurator; before 0.5.15
/// the state of the 128-fold layers was part of the cost of a token.
CompressedCell compressed_cell(const model::ModelSpec& model, const Settings& settings,
                               const Stage& stage);

/// Bytes of the 128-fold layers' states for `requests` at once; 0 before 0.5.15.
std::uint64_t compressed_state_bytes(const CompressedCell& cell, const Settings& settings,
                                     std::uint64_t requests);

}  // namespace ridgepoint::engine::sglang
