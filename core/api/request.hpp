#pragma once

#include "json/fields.hpp"
#include "plan/fit.hpp"

namespace ridgepoint::api {

/// Reads a request value into typed values. Errors name the field by its path in the request; a key
/// the contract does not have is an error too, so that nothing is silently ignored.
Result<plan::Request> read_request(const json::Value& request);

}  // namespace ridgepoint::api
