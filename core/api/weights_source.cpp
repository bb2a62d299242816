#include "api/weights_source.hpp"

#include <utility>

#include "api/tensors_source.hpp"

namespace ridgepoint::api {

Result<model::ModelSpec> read_model_and_weights(model::ModelRequest request,
                                                const json::Value* tensors) {
  if (tensors == nullptr) {
    auto spec = model::read_model(request);
    if (spec && request.weight_bytes) {
      spec.value().weights_source = "given";
    }
    return spec;
  }
  if (request.weight_bytes) {
    return Error{"bad_request",
                 "model.weight_bytes and model.tensors both say how large the checkpoint is: give "
                 "one of them.",
                 "model.weight_bytes"};
  }
  return read_model_of_tensors(std::move(request), *tensors);
}

}  // namespace ridgepoint::api
