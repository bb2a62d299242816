#pragma once

#include "load/load.hpp"

namespace ridgepoint::load {

/// Tokens of a request on average: of its prompt what the prefix cache does not hold, and of its
/// output.
struct MeanLengths {
  double input = 1;
  double output = 1;
};

/// From the first requests that a load draws; `load` passed `check`.
MeanLengths mean_lengths(const Load& load);

}  // namespace ridgepoint::load
