#pragma once

#include <vector>

#include "model/spec.hpp"

namespace ridgepoint::plan {

/// The model's quantisation without rules on names, where they come to the same for every matrix of
/// it: each kind of module has one format throughout. Looking formats up by name is most of an
/// estimate where a checkpoint lists what it left alone. Where a kind has several formats, the
/// quantisation as it is.
precision::Quantization formats_by_kind(const model::ModelSpec& model,
                                        const std::vector<model::Tensor>& tensors);

}  // namespace ridgepoint::plan
