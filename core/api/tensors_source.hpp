#pragma once

#include "json/fields.hpp"
#include "model/read.hpp"

namespace ridgepoint::api {

/// The model of a request whose `model.tensors` tells the size of its weights, and without a config
/// the model too. Errors as read_model_and_weights.
Result<model::ModelSpec> read_model_of_tensors(model::ModelRequest request,
                                               const json::Value& tensors);

}  // namespace ridgepoint::api
