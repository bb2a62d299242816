#pragma once

#include <string>

#include "plan/fit.hpp"

namespace ridgepoint::api {

/// The report of the contract as JSON text.
std::string write_report(const plan::Request& request, const plan::Report& report,
                         const std::string& id);

/// `{"error":{"code","message","path"}}`.
std::string write_error(const Error& error, const std::string& id);

}  // namespace ridgepoint::api
