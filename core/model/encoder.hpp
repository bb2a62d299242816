#pragma once

#include <cstdint>

#include "json/fields.hpp"
#include "model/spec.hpp"

namespace ridgepoint::model {

/// A layer of BERT and those built after it: attention both ways, a plain feed-forward, biases
/// everywhere, two layer norms. A width that the heads do not divide is an error of the config.
Layer bert_layer(json::Fields& config, std::uint64_t hidden, std::uint64_t heads,
                 std::uint64_t width);

}  // namespace ridgepoint::model
