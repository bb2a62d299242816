#pragma once

#include <string>
#include <vector>

#include "plan/change.hpp"
#include "serve/deployment.hpp"

namespace ridgepoint::serve {

/// A change that may let a setup carry more.
struct Remedy {
  std::string told;  ///< as people type it: "--max-num-seqs 512"
  std::string how;   ///< what it does, one sentence
  /// What it does where the cache has room for all; empty where that makes no difference.
  std::string how_with_room;
  plan::Change change;
};

/// What is worth trying on a setup, whatever limits it; whoever uses one runs it. Cards are doubled
/// at most.
std::vector<Remedy> remedies(const Deployment& deployment);

}  // namespace ridgepoint::serve
