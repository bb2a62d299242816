#pragma once

#include "json/fields.hpp"
#include "model/read.hpp"

namespace ridgepoint::api {

/// The model of a request whose `model.tensors` may tell the size of its weights: `tensors` is that
/// value, or null. What was used is in the spec's weights_source and notes. Without a config a
/// GGUF's metadata are one. Errors: those of read_model and read_tensors_source; `bad_request` when
/// weight_bytes is given too.
Result<model::ModelSpec> read_model_and_weights(model::ModelRequest request,
                                                const json::Value* tensors);

}  // namespace ridgepoint::api
