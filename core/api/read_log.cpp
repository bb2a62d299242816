#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "api/api.hpp"
#include "api/log_request.hpp"
#include "api/log_row.hpp"
#include "api/report.hpp"
#include "api/request.hpp"
#include "plan/measured.hpp"
#include "wording.hpp"

namespace ridgepoint::api {
namespace {

using engine::StartLog;

constexpr std::size_t kMostNotes = 60;

struct MeasuredMember {
  const char* name;
  std::optional<std::uint64_t> engine::Measured::*term;
};
constexpr MeasuredMember kMeasured[] = {
    {"weights_bytes", &engine::Measured::weights_bytes},
    {"activation_bytes", &engine::Measured::activation_bytes},
    {"non_torch_bytes", &engine::Measured::non_torch_bytes},
    {"cuda_graphs_bytes", &engine::Measured::cuda_graphs_bytes},
    {"kv_pool_bytes", &engine::Measured::kv_pool_bytes},
};

void strings(json::Writer& out, std::string_view name, const std::vector<std::string>& list,
             std::size_t most = kMostNotes) {
  out.key(name);
  out.begin_array();
  for (std::size_t i = 0; i < list.size() && i < most; ++i) {
    out.value(list[i]);
  }
  out.end_array();
}

void text_or_null(json::Writer& out, std::string_view name, const std::string& text) {
  out.key(name);
  text.empty() ? out.null() : out.value(text);
}

void write_number(json::Writer& out, double value) {
  if (std::abs(value) < 9e15 && value == std::floor(value)) {
    out.value(json::Value(static_cast<std::int64_t>(value)));
  } else {
    out.value(value);
  }
}

/// What is counted in wholes is written so.
void write_prediction(json::Writer& out, const plan::ComparedTerm& term) {
  const Estimate<double>& e = term.predicted;
  if (term.unit == "requests") {
    write_estimate(out, "predicted", e);
    return;
  }
  const auto whole = [](double value) { return static_cast<std::uint64_t>(std::max(0.0, value)); };
  write_estimate(out, "predicted",
                 Count{whole(e.low), whole(e.best), whole(e.high), e.basis, e.starts});
}

std::string ranks_label(const std::string& rank) { return rank.empty() ? "main" : rank; }

void write_facts(json::Writer& out, const StartLog& log) {
  out.key("facts");
  out.begin_array();
  for (const engine::LogFact& fact : log.scan.facts) {
    const std::string_view unit = engine::log_term_unit(fact.term);
    out.begin_object();
    out.member("line", fact.line);
    out.member("rank", ranks_label(log.scan.ranks[fact.rank]));
    out.member("term", engine::log_term_name(fact.term));
    out.key("value");
    if (unit == "event") {
      out.null();
    } else if (unit == "text" && !fact.text.empty()) {
      out.value(fact.text);
    } else {
      write_number(out, fact.value);
    }
    out.member("unit", unit);
    out.end_object();
  }
  out.end_array();
}

void write_measured(json::Writer& out, const engine::Measured& measured) {
  out.key("measured");
  out.begin_object();
  for (const MeasuredMember& member : kMeasured) {
    out.member(member.name, measured.*member.term);
  }
  out.end_object();
}

void write_comparison(json::Writer& out, const plan::LogComparison& comparison) {
  out.key("comparison");
  out.begin_array();
  for (const plan::ComparedTerm& term : comparison.terms) {
    out.begin_object();
    out.member("term", term.term);
    out.member("unit", term.unit);
    out.key("measured");
    write_number(out, term.measured);
    write_prediction(out, term);
    out.member("inside", term.inside);
    out.key("difference");
    write_number(out, term.difference);
    text_or_null(out, "cause", term.cause);
    out.end_object();
  }
  out.end_array();
}

json::Value with_measured(json::Value request, const engine::Measured& measured,
                          std::uint64_t most) {
  json::Value terms = json::Value::object();
  for (const MeasuredMember& member : kMeasured) {
    const auto& value = measured.*member.term;
    if (value && *value <= most) {
      terms[member.name] = *value;
    }
  }
  request["measured"] = std::move(terms);
  return request;
}

/// Whether the pool that follows from a request's other terms is the measured one, so that it need
/// not be fixed and follows what is changed.
bool pool_follows(const json::Value& request, std::uint64_t pool) {
  const auto typed = read_request(request);
  if (!typed) {
    return false;
  }
  const auto report = plan::fit(typed.value());
  if (!report) {
    return false;
  }
  const double found = static_cast<double>(report->memory.kv_pool.best);
  const double wanted = static_cast<double>(pool);
  return std::abs(found - wanted) <= std::max(0.02 * wanted, 5e7);
}

/// The request with the log's terms. The pool is left to follow from the others where it does.
json::Value calibrated(const LogRequest& setup, const StartLog& log,
                       std::vector<std::string>& notes) {
  const std::uint64_t most = setup.typed->device.total_bytes;
  engine::Measured terms = log.measured;
  if (log.engine->name == "llamacpp") {
    terms.cuda_graphs_bytes.reset();
  }
  engine::Measured others = terms;
  others.kv_pool_bytes.reset();
  json::Value request = with_measured(setup.request, others, most);
  if (terms.kv_pool_bytes && !pool_follows(request, *terms.kv_pool_bytes)) {
    request = with_measured(setup.request, terms, most);
    notes.emplace_back(
        "measured.kv_pool_bytes is fixed in the calibrated request, for the log's other terms do "
        "not give it: take it out when you change anything but lengths and loads.");
  } else if (terms.kv_pool_bytes) {
    notes.emplace_back(
        "The pool is left out of the calibrated request: it follows from the other terms within "
        "2 %, and so follows what you change.");
  }
  if (request["measured"].empty()) {
    return nullptr;
  }
  if (others.weights_bytes) {
    notes.emplace_back(
        "measured.weights_bytes holds for this checkpoint, its quantisation, LoRA and draft, and "
        "this split over GPUs: take it out when you change one of them.");
  }
  if (others.activation_bytes) {
    notes.emplace_back(
        "measured.activation_bytes holds for the tokens and requests of one step, the media "
        "limits and the split over GPUs: take it out when you change one of them.");
  }
  if (others.non_torch_bytes) {
    notes.emplace_back(
        "measured.non_torch_bytes holds for this card, number of GPUs, version and what else ran "
        "on the card.");
  }
  if (others.cuda_graphs_bytes) {
    notes.emplace_back(
        "measured.cuda_graphs_bytes holds for the sizes that were recorded: take it out when you "
        "change the number of requests at once or the recorded sizes.");
  }
  return request;
}

void write_value(json::Writer& out, std::string_view name, const json::Value& value) {
  out.key(name);
  value.is_null() ? out.null() : out.value(value);
}

void say_unread(const StartLog& log, std::vector<std::string>& notes) {
  if (log.unread.empty()) {
    return;
  }
  std::string names;
  for (std::size_t i = 0; i < log.unread.size() && i < 12; ++i) {
    names += (i == 0 ? "--" : ", --") + log.unread[i];
  }
  notes.push_back("The log shows settings that may move memory and are not modelled: " + names +
                  ".");
}

std::vector<std::string> labels(const StartLog& log) {
  std::vector<std::string> out;
  std::vector<bool> used(log.scan.ranks.size());
  for (const engine::LogFact& fact : log.scan.facts) {
    used[fact.rank] = true;
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) {
      out.push_back(ranks_label(log.scan.ranks[i]));
    }
  }
  return out;
}

std::string write_answer(const StartLog& log, const LogRequest& setup, const std::string& id) {
  plan::LogComparison comparison;
  std::vector<std::string> notes = log.notes;
  notes.insert(notes.end(), setup.notes.begin(), setup.notes.end());
  json::Value to_go_on;
  if (setup.report) {
    comparison = plan::compare_with_log(*setup.typed, *setup.report, log);
    to_go_on = calibrated(setup, log, notes);
  } else {
    comparison.causes = plan::causes_in_log(log);
  }
  say_unread(log, notes);
  json::Writer out;
  out.begin_object();
  out.member("id", id);
  out.member("kind", "log");
  out.member("engine", log.engine->name);
  text_or_null(out, "version", json::excerpt(log.version, 80));
  out.member("outcome", engine::outcome_name(log.outcome));
  strings(out, "ranks", labels(log), log.scan.ranks.size());
  out.member("measured_rank", ranks_label(log.measured_rank));
  write_facts(out, log);
  write_measured(out, log.measured);
  write_value(out, "settings", setup.shown);
  write_value(out, "request", setup.request);
  write_comparison(out, comparison);
  strings(out, "causes", comparison.causes);
  write_value(out, "calibrated", to_go_on);
  write_log_row(out, log);
  strings(out, "notes", notes);
  out.end_object();
  return out.take();
}

}  // namespace

std::string read_log(std::string_view log_text, std::string_view query_text) {
  json::Value query = json::Value::object();
  if (query_text.find_first_not_of(" \t\r\n") != std::string_view::npos) {
    auto parsed = read_query(query_text, {"id", "request"}, "a question about a log");
    if (!parsed) {
      return write_error(parsed.error(), {});
    }
    query = std::move(parsed.value());
  }
  const std::string id = id_of(query);
  const auto given = query.find("request");
  const json::Value none;
  const json::Value& request = given == query.end() ? none : *given;
  if (!request.is_null() && !request.is_object()) {
    return write_error({"bad_value",
                        "request must be a JSON object: a request of the contract, or "
                        "what is known of one.",
                        "request"},
                       id);
  }
  auto log = engine::read_start_log(log_text);
  if (!log) {
    return write_error(log.error(), id);
  }
  auto setup = request_of_log(log.value(), request);
  if (!setup) {
    return write_error(setup.error(), id);
  }
  if (setup->typed && !log->total_bytes) {
    engine::conclude_start_log(log.value(), setup->typed->device.total_bytes);
  }
  return write_answer(log.value(), setup.value(), id);
}

}  // namespace ridgepoint::api
