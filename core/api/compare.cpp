#include "plan/compare.hpp"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "api/api.hpp"
#include "api/report.hpp"
#include "api/request.hpp"

namespace ridgepoint::api {
namespace {

using json::Writer;
using plan::TermDifference;

constexpr std::size_t kMostSetups = 16;
constexpr std::size_t kLongestLabel = 80;

struct Entry {
  std::string label;
  std::string id;
  plan::Request request;
  plan::Report report;
};

Error inside(Error error, const std::string& path) {
  error.path = error.path.empty() ? path : path + "." + error.path;
  return error;
}

/// "A", "B" … of a setup without a label.
std::string letter(std::size_t index) { return {1, static_cast<char>('A' + index)}; }

Result<Entry> read_entry(const json::Value& value, std::size_t index) {
  const std::string path = "setups[" + std::to_string(index) + "]";
  if (!value.is_object()) {
    return Error{"bad_value", path + " must be an object with a request.", path};
  }
  if (auto unknown = refuse_unknown_keys(value, path, {"label", "request"})) {
    return *std::move(unknown);
  }
  json::Fields fields(value, path);
  Entry entry;
  entry.label = json::excerpt(fields.text({"label"}).value_or(""), kLongestLabel);
  if (fields.error()) {
    return *fields.error();
  }
  if (entry.label.empty()) {
    entry.label = letter(index);
  }
  const json::Value* request_value = fields.find("request");
  if (request_value == nullptr) {
    return Error{"missing_field", path + " needs a request to compare.", path + ".request"};
  }
  entry.id = id_of(*request_value);
  auto request = read_request(*request_value);
  if (!request) {
    return inside(request.error(), path + ".request");
  }
  entry.request = std::move(request.value());
  auto report = plan::fit(entry.request);
  if (!report) {
    return inside(report.error(), path + ".request");
  }
  entry.report = std::move(report.value());
  return entry;
}

Result<std::vector<Entry>> read_entries(const json::Value& query) {
  json::Fields fields(query, "");
  const json::Value* list = fields.array("setups");
  if (fields.error()) {
    return *fields.error();
  }
  const std::size_t count = list == nullptr ? 0 : list->size();
  if (count < 2 || count > kMostSetups) {
    return Error{"bad_value",
                 "A comparison takes 2 to " + std::to_string(kMostSetups) +
                     " setups, and these are " + std::to_string(count) + ".",
                 "setups"};
  }
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < count; ++i) {
    auto entry = read_entry((*list)[i], i);
    if (!entry) {
      return entry.error();
    }
    entries.push_back(std::move(entry.value()));
  }
  return entries;
}

void write_setup(Writer& out, const Entry& entry) {
  out.begin_object();
  out.member("label", entry.label);
  out.key("split");
  out.begin_object();
  out.member("total", entry.report.memory.total_bytes);
  out.key("terms");
  out.begin_array();
  for (const engine::Charge& charge : plan::pool_terms(entry.report.memory)) {
    out.begin_object();
    out.member("term", charge.term);
    out.member("what", charge.what);
    out.member("bytes", charge.bytes);
    out.end_object();
  }
  out.end_array();
  out.member("kv_pool", entry.report.memory.kv_pool.best);
  out.end_object();
  out.key("report");
  out.raw(write_report(entry.request, entry.report, entry.id));
  out.end_object();
}

void write_terms(Writer& out, std::string_view name, std::uint64_t from, std::uint64_t to,
                 const std::vector<TermDifference>& terms) {
  out.key(name);
  out.begin_object();
  out.member("from", from);
  out.member("to", to);
  out.member("difference", static_cast<std::int64_t>(to) - static_cast<std::int64_t>(from));
  out.key("terms");
  out.begin_array();
  for (const TermDifference& term : terms) {
    out.begin_object();
    out.member("term", term.term);
    out.member("what", term.what);
    out.member("from", term.from);
    out.member("to", term.to);
    out.member("difference", term.difference);
    out.member("why", term.why);
    out.end_object();
  }
  out.end_array();
  out.end_object();
}

void write_difference(Writer& out, const Entry& from, const Entry& to, std::size_t index) {
  const engine::MemoryPlan& a = from.report.memory;
  const engine::MemoryPlan& b = to.report.memory;
  const plan::Comparison comparison =
      plan::compare({from.request, a}, {to.request, b}, from.label, to.label);
  out.begin_object();
  out.member("from", std::uint64_t{0});
  out.member("to", static_cast<std::uint64_t>(index));
  write_terms(out, "pool", a.kv_pool.best, b.kv_pool.best, comparison.pool);
  write_terms(out, "requests", a.max_requests.best, b.max_requests.best, comparison.requests);
  out.key("changes");
  out.begin_array();
  for (const plan::PathStep& step : comparison.changes) {
    out.begin_object();
    out.member("what", step.what);
    out.member("from", step.from);
    out.member("to", step.to);
    out.member("pool_difference", step.pool_difference);
    out.member("requests_difference", step.requests_difference);
    out.end_object();
  }
  out.end_array();
  out.key("text");
  out.begin_array();
  for (const std::string& sentence : comparison.text) {
    out.value(sentence);
  }
  out.end_array();
  out.end_object();
}

std::string write_comparison(const std::string& id, const std::vector<Entry>& entries) {
  Writer out;
  out.begin_object();
  out.member("id", id);
  out.member("kind", "compare");
  out.key("setups");
  out.begin_array();
  for (const Entry& entry : entries) {
    write_setup(out, entry);
  }
  out.end_array();
  out.key("differences");
  out.begin_array();
  for (std::size_t i = 1; i < entries.size(); ++i) {
    write_difference(out, entries.front(), entries[i], i);
  }
  out.end_array();
  out.end_object();
  return out.take();
}

}  // namespace

std::string compare(std::string_view query_text) {
  const auto query = read_query(query_text, {"id", "setups"}, "a comparison");
  if (!query) {
    return write_error(query.error(), {});
  }
  const std::string id = id_of(query.value());
  const auto entries = read_entries(query.value());
  return entries ? write_comparison(id, entries.value()) : write_error(entries.error(), id);
}

}  // namespace ridgepoint::api
