#include <vector>

#include "api/report.hpp"

namespace ridgepoint::api {
namespace {

using json::Writer;

void advice_part(Writer& out, const std::vector<plan::Advice>& list) {
  out.key("advice");
  out.begin_array();
  for (const plan::Advice& advice : list) {
    out.begin_object();
    out.member("change", advice.change);
    out.member("effect", advice.effect);
    out.end_object();
  }
  out.end_array();
}

void explain_part(Writer& out, const std::vector<engine::Step>& steps) {
  out.key("explain");
  out.begin_array();
  for (const engine::Step& step : steps) {
    const bool whole = step.unit != "seconds" && step.unit != "requests" && step.unit != "ratio";
    out.begin_object();
    out.member("term", step.term);
    out.member("formula", step.formula);
    out.member("with_numbers", step.with_numbers);
    if (whole) {
      out.member("value", static_cast<std::uint64_t>(step.value));
    } else {
      out.member("value", step.value);
    }
    out.member("unit", step.unit);
    out.member("source", step.source);
    out.end_object();
  }
  out.end_array();
}

}  // namespace

void write_reasons(Writer& out, const plan::Report& report) {
  advice_part(out, report.advice);
  explain_part(out, report.explain);
}

}  // namespace ridgepoint::api
