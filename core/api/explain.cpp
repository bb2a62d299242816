#include "plan/explain.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "api/api.hpp"
#include "api/report.hpp"
#include "api/request.hpp"

namespace ridgepoint::api {
namespace {

using json::Writer;

void write_value(Writer& out, double value) {
  constexpr double kWholeBelow = 9007199254740992.0;  // 2^53
  const bool whole = value >= 0.0 && value < kWholeBelow && std::floor(value) == value;
  out.key("value");
  if (whole) {
    out.value(static_cast<std::uint64_t>(value));
  } else {
    out.value(value);
  }
}

void write_step(Writer& out, const plan::Derived& derived, std::uint64_t number) {
  out.begin_object();
  out.member("number", number);
  out.member("group", plan::step_group_name(derived.group));
  out.member("term", derived.step.term);
  out.member("formula", derived.step.formula);
  out.member("with_numbers", derived.step.with_numbers);
  write_value(out, derived.step.value);
  out.member("unit", derived.step.unit);
  out.member("rule", derived.rule);
  out.member("source", derived.step.source);
  out.end_object();
}

}  // namespace

std::string explain(std::string_view request_text) {
  const auto value = json::parse(request_text, "");
  if (!value) {
    return write_error(value.error(), {});
  }
  const std::string id = id_of(value.value());
  const auto request = read_request(value.value());
  if (!request) {
    return write_error(request.error(), id);
  }
  const auto report = plan::fit_without_advice(request.value());
  if (!report) {
    return write_error(report.error(), id);
  }
  Writer out;
  out.begin_object();
  out.member("id", id);
  out.member("kind", "explain");
  write_verdict(out, report.value());
  out.key("steps");
  out.begin_array();
  std::uint64_t number = 0;
  for (const plan::Derived& derived : plan::explain(request.value(), report.value())) {
    write_step(out, derived, ++number);
  }
  out.end_array();
  out.key("assumptions");
  out.begin_array();
  for (const std::string& text : report->assumptions) {
    out.value(text);
  }
  out.end_array();
  out.end_object();
  return out.take();
}

}  // namespace ridgepoint::api
