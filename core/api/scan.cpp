#include "plan/scan.hpp"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "api/api.hpp"
#include "api/change.hpp"
#include "api/report.hpp"
#include "api/request.hpp"

namespace ridgepoint::api {
namespace {

using json::Writer;
using plan::AxisRequest;
using plan::AxisValue;

constexpr std::size_t kMostAxes = 2;

Result<AxisValue> read_value(const json::Value& value, const std::string& path) {
  if (value.is_number_unsigned()) {
    return AxisValue(value.get<std::uint64_t>());
  }
  if (value.is_number_float()) {
    const auto number = value.get<double>();
    // 8192.0 is a whole number, as in a request.
    const bool whole = number >= 0 && number < 1e15 &&
                       static_cast<double>(static_cast<std::uint64_t>(number)) == number;
    return whole ? AxisValue(static_cast<std::uint64_t>(number)) : AxisValue(number);
  }
  if (value.is_string()) {
    return AxisValue(value.get<std::string>());
  }
  return Error{"bad_value",
               value.is_number() ? "A value of an axis is above 0."
                                 : "A value of an axis is a number or the name of a format, and "
                                   "this is " +
                                       std::string(json::kind_of(value)) + ".",
               path};
}

Check read_values(json::Fields& fields, AxisRequest& axis) {
  const json::Value* list = fields.array("values");
  if (fields.error()) {
    return fields.error();
  }
  if (list == nullptr) {
    return std::nullopt;
  }
  const std::string path = fields.path() + ".values";
  if (list->empty() || list->size() > plan::kMostAxisValues) {
    return Error{"bad_value",
                 "An axis takes 1 to " + std::to_string(plan::kMostAxisValues) +
                     " values, and these are " + std::to_string(list->size()) +
                     "; leave values out for the usual ones.",
                 path};
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    auto value = read_value((*list)[i], path + "[" + std::to_string(i) + "]");
    if (!value) {
      return value.error();
    }
    axis.values.push_back(std::move(value.value()));
  }
  return std::nullopt;
}

Result<AxisRequest> read_axis(const json::Value& value, const std::vector<AxisRequest>& before,
                              std::size_t index) {
  const std::string path = "axes[" + std::to_string(index) + "]";
  if (!value.is_object()) {
    return Error{"bad_value", path + " must be an object with the axis' name.", path};
  }
  if (auto unknown = refuse_unknown_keys(value, path, {"name", "values"})) {
    return *std::move(unknown);
  }
  json::Fields fields(value, path);
  const auto name = fields.text({"name"});
  if (fields.error()) {
    return *fields.error();
  }
  const auto kind = plan::find_axis(name.value_or(""));
  if (!kind) {
    return Error{name ? "unknown_axis" : "missing_field",
                 (name ? "\"" + json::excerpt(*name, 40) + "\" is no axis of a scan"
                       : std::string("An axis needs its name")) +
                     "; choose from " + plan::axis_names() + ".",
                 path + ".name"};
  }
  for (const AxisRequest& other : before) {
    if (other.kind == *kind) {
      return Error{"same_axis_twice",
                   "Both axes are " + std::string(plan::axis_name(*kind)) + "; one is enough.",
                   path + ".name"};
    }
  }
  AxisRequest axis{*kind, {}};
  if (auto wrong = read_values(fields, axis)) {
    return *std::move(wrong);
  }
  return axis;
}

Result<std::vector<AxisRequest>> read_axes(const json::Value& query) {
  json::Fields fields(query, "");
  const json::Value* list = fields.array("axes");
  if (fields.error()) {
    return *fields.error();
  }
  std::vector<AxisRequest> axes;
  if (list == nullptr || list->empty()) {
    axes.push_back({plan::AxisKind::context, {}});
    return axes;
  }
  if (list->size() > kMostAxes) {
    return Error{"bad_value", "A scan has one or two axes.", "axes"};
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    auto axis = read_axis((*list)[i], axes, i);
    if (!axis) {
      return axis.error();
    }
    axes.push_back(std::move(axis.value()));
  }
  return axes;
}

void write_value(Writer& out, const AxisValue& value) {
  std::visit([&](const auto& content) { out.value(content); }, value);
}

void write_axis(Writer& out, const plan::Axis& axis) {
  out.begin_object();
  out.member("name", plan::axis_name(axis.kind));
  out.member("unit", plan::axis_unit(axis.kind));
  out.key("values");
  out.begin_array();
  for (const plan::AxisPoint& point : axis.points) {
    write_value(out, point.value);
  }
  out.end_array();
  out.key("titles");
  out.begin_array();
  for (const plan::AxisPoint& point : axis.points) {
    if (!point.title.empty()) {
      out.value(point.title);
    }
  }
  out.end_array();
  out.key("asked");
  if (axis.asked) {
    out.value(static_cast<std::uint64_t>(*axis.asked));
  } else {
    out.null();
  }
  out.end_object();
}

void write_answer(Writer& out, const plan::Cell& cell) {
  out.member("serves", cell.serves);
  out.member("limit", engine::limit_name(cell.limit));
  out.member("limiting", cell.limiting.term);
  out.member("limiting_term", cell.limiting.words);
  write_estimate(out, "max_requests", cell.max_requests);
  out.member("enough", cell.enough);
  out.member("naive_requests", cell.naive_requests);
  out.member("max_context", cell.max_context);
  write_estimate(out, "tokens", cell.tokens);
  write_estimate(out, "kv_pool", cell.kv_pool);
  write_speed(out, cell.speed);
}

void write_cell(Writer& out, const plan::Cell& cell) {
  out.begin_object();
  out.key("at");
  out.begin_array();
  for (const std::size_t index : cell.at) {
    out.value(static_cast<std::uint64_t>(index));
  }
  out.end_array();
  if (cell.error) {
    out.key("error");
    out.begin_object();
    out.member("code", cell.error->code);
    out.member("message", cell.error->message);
    out.member("path", cell.error->path);
    out.end_object();
  } else {
    write_answer(out, cell);
  }
  out.key("change");
  write_change(out, cell.change);
  out.end_object();
}

std::string write_scan(const std::string& id, const plan::Scan& scan) {
  Writer out;
  out.begin_object();
  out.member("id", id);
  out.member("kind", "scan");
  out.key("axes");
  out.begin_array();
  for (const plan::Axis& axis : scan.axes) {
    write_axis(out, axis);
  }
  out.end_array();
  out.key("cells");
  out.begin_array();
  for (const plan::Cell& cell : scan.cells) {
    write_cell(out, cell);
  }
  out.end_array();
  out.key("notes");
  out.begin_array();
  for (const std::string& note : scan.notes) {
    out.value(note);
  }
  out.end_array();
  out.end_object();
  return out.take();
}

Result<plan::Request> read_scanned(const json::Value& query) {
  const json::Fields fields(query, "");
  const json::Value* value = fields.find("request");
  if (value == nullptr) {
    return Error{"missing_field", "A scan needs the request that it goes over.", "request"};
  }
  auto request = read_request(*value);
  if (!request) {
    Error error = request.error();
    error.path = error.path.empty() ? "request" : "request." + error.path;
    return error;
  }
  return request;
}

}  // namespace

std::string scan(std::string_view query_text) {
  const auto query = read_query(query_text, {"id", "request", "axes"}, "a scan");
  if (!query) {
    return write_error(query.error(), {});
  }
  const std::string id = id_of(query.value());
  const auto axes = read_axes(query.value());
  if (!axes) {
    return write_error(axes.error(), id);
  }
  const auto request = read_scanned(query.value());
  if (!request) {
    return write_error(request.error(), id);
  }
  const auto scan = plan::scan(request.value(), axes.value());
  return scan ? write_scan(id, scan.value()) : write_error(scan.error(), id);
}

}  // namespace ridgepoint::api
