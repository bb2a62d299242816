#pragma once

#include <string>

#include "command/read.hpp"
#include "json/fields.hpp"

namespace ridgepoint::api {

/// The request of the contract that a command makes, with `gpu`, `workload` and `model` of the
/// query put in (of `gpu.count` only where the command does not say it). Where the model is at
/// hand, the request is tried: a flag or variable that the engine's rules refuse is taken out, and
/// listed as not modelled with their reason.
json::Value command_request(command::ReadCommand& read, const json::Value& query);

/// `{"id","kind":"command","form","request","flags","env","notes"}`.
std::string write_command_answer(const command::ReadCommand& read, const json::Value& request,
                                 const std::string& id);

}  // namespace ridgepoint::api
