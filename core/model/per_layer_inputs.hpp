#pragma once

#include <cstdint>

#include "json/fields.hpp"
#include "model/spec.hpp"

namespace ridgepoint::model {

/// Gemma 3n and Gemma 4: the last `count` layers read the cache of the last layer before them that
/// has their kind of attention. Their own key and value weights lie in the checkpoints all the
/// same, and vLLM allocates them (models/gemma3n.py, models/gemma4.py).
void share_caches(json::Fields& config, std::uint64_t count, ModelSpec& spec);

/// Gemma 3n and Gemma 4: a table of `width` values a layer for every token, and in every layer a
/// gate and a projection that add them. Nothing when `width` is 0.
void add_per_layer_inputs(json::Fields& config, std::uint64_t width, ModelSpec& spec);

}  // namespace ridgepoint::model
