#pragma once

#include <string>
#include <string_view>

#include "json/writer.hpp"
#include "plan/fit.hpp"

namespace ridgepoint::api {

/// A member that is an estimate, E of the contract.
template <typename T>
void write_estimate(json::Writer& out, std::string_view name, const Estimate<T>& e) {
  out.key(name);
  out.begin_object();
  out.member("low", e.low);
  out.member("best", e.best);
  out.member("high", e.high);
  out.member("basis", basis_name(e.basis));
  out.member("starts", e.starts);
  out.end_object();
}

/// The members `verdict` and `speed` of a report.
void write_verdict(json::Writer& out, const plan::Report& report);
void write_speed(json::Writer& out, const speed::ClosedForms& speed);

/// The members `advice` and `explain`.
void write_reasons(json::Writer& out, const plan::Report& report);

/// The report of the contract as JSON text.
std::string write_report(const plan::Request& request, const plan::Report& report,
                         const std::string& id);

/// `{"error":{"code","message","path"}}`.
std::string write_error(const Error& error, const std::string& id);

}  // namespace ridgepoint::api
