#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.hpp"

namespace ridgepoint::plan {

/// Layers of a model that keep the same for a token.
struct CacheKind {
  std::string kind;         ///< "full", "window_1024", "latent", "indexer" …
  std::string name;         ///< likewise, told apart where layers of one kind have other heads
  std::string told;         ///< heads and values, for people
  std::uint64_t bytes = 0;  ///< a token in one layer, before it is divided
  std::uint64_t layers = 0;
};

/// The kinds of a model by the cache format of a plan; empty where the engine lays its cache out
/// otherwise, which its own steps tell.
std::vector<CacheKind> cache_kinds(const model::ModelSpec& model, const engine::MemoryPlan& plan);

}  // namespace ridgepoint::plan
