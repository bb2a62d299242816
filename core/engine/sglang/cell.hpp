#pragma once

#include <cstdint>

#include "engine/engine.hpp"
#include "engine/sglang/settings.hpp"
#include "engine/sglang/stages.hpp"

namespace ridgepoint::engine::sglang {

/// What one token takes on one rank of one stage, in bytes.
struct Cell {
  std::uint64_t full = 0;     ///< layers that keep every token, indexers included
  std::uint64_t charged = 0;  ///< the same as the engine's estimate counts it
  std::uint64_t window = 0;   ///< layers with a pool of their own
  std::uint64_t full_layers = 0;
  std::uint64_t window_layers = 0;
  std::uint64_t draft = 0;  ///< of a draft's layers, where the version charges them
};

/// Bytes of one token in one layer on one of `ranks` ranks that share its attention: heads are
/// divided rounding down, at least one; latent rows are whole on every rank. Source: SGLang 0.5.17
/// model_executor/pool_configurator.py, DefaultPoolConfigurator.
std::uint64_t row_bytes(const model::Attention& attention, precision::KvFormat format,
                        precision::Dtype dtype, std::uint64_t ranks);

/// Bytes of one token in one layer's index of sparse attention; every layer of such a model has
/// one. Source: SGLang 0.5.17 mem_cache/memory_pool.py, DSATokenToKVPool.
std::uint64_t index_row_bytes(const model::ModelSpec& model, const model::Layer& layer);

/// All layers of a stage, and the draft's. Sources as above; drafts since 0.5.13.
Cell stage_cell(const Inputs& inputs, const Settings& settings, const Stage& stage);

/// Whether a layer keeps only a window of tokens, in a pool of its own.
bool in_window_pool(const model::Attention& attention, const Settings& settings);

}  // namespace ridgepoint::engine::sglang
