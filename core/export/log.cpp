#include "export/documents.hpp"
#include "export/numbers.hpp"

namespace ridgepoint::exports {
namespace {

struct Outcome {
  std::string_view name;
  std::string_view status;
};

constexpr Outcome kOutcomes[] = {
    {"started", "STARTED"},
    {"refused", "REFUSED TO START"},
    {"oom", "RAN OUT OF MEMORY"},
    {"error", "STOPPED WITH AN ERROR"},
    {"unfinished", "ENDS UNFINISHED"},
};

std::string status_of(const std::string& outcome) {
  for (const Outcome& known : kOutcomes) {
    if (known.name == outcome) {
      return std::string(known.status);
    }
  }
  return "LOG";
}

/// Terms of memory are bytes unless the name says something else.
Measure measure_of_term(std::string_view term) {
  const bool counts = term.find("tokens") != term.npos || term.find("blocks") != term.npos ||
                      term.find("requests") != term.npos || term.find("concurrency") != term.npos ||
                      term.find("len") != term.npos;
  return counts ? Measure::rate : Measure::bytes;
}

Table facts_table(const Part& answer) {
  Table table;
  table.name = "facts";
  table.title = "What the log says";
  table.columns = {{"line", "line", true},
                   {"rank", "rank", true},
                   {"term", "term"},
                   {"value", "value", true},
                   {"unit", "unit", false, false, Shown::data}};
  for (const Part& fact : answer.parts("facts")) {
    const std::string unit = fact.text("unit");
    table.rows.push_back({fact.cell("line", Measure::none), fact.cell("rank", Measure::none),
                          words(spoken(fact.text("term"))),
                          fact.cell("value", measure_of(unit), counted_of(unit)), words(unit)});
  }
  return table;
}

Table measured_table(const Part& measured) {
  Table table;
  table.name = "measured";
  table.title = "Measured, one GPU";
  table.style = Table::Style::pairs;
  table.columns = {{"term", "term"}, {"bytes", "size", true}};
  for (const std::string& key : measured.keys()) {
    if (measured.has(key)) {
      const std::size_t end = key.rfind("_bytes");
      const std::string term = end == std::string::npos ? key : key.substr(0, end);
      table.rows.push_back({words(spoken(term)), measured.cell(key, Measure::bytes)});
    }
  }
  return table;
}

std::string as_predicted(const Part& row) {
  if (row.flag("inside")) {
    return "yes";
  }
  const std::string cause = row.text("cause");
  return cause.empty() ? "no" : "no: " + cause;
}

Table comparison_table(const Part& answer) {
  Table table;
  table.name = "comparison";
  table.title = "Measured against predicted";
  table.columns = {{"term", "term"},
                   {"unit", "unit", false, false, Shown::data},
                   {"measured", "measured", true},
                   {"predicted", "predicted", true, true},
                   {"inside", "inside", false, false, Shown::data},
                   {"difference", "difference", true, false, Shown::data},
                   {"said_difference", "difference", true, false, Shown::reading},
                   {"cause", "cause", false, false, Shown::data},
                   {"said_cause", "as predicted", false, false, Shown::reading}};
  for (const Part& row : answer.parts("comparison")) {
    const std::string term = row.text("term");
    const std::string unit = row.text("unit");
    const Measure measure = unit.empty() ? measure_of_term(term) : measure_of(unit);
    table.rows.push_back(
        {words(spoken(term)),
         words(unit.empty() && measure == Measure::bytes ? std::string("bytes") : unit),
         row.cell("measured", measure), row.cell("predicted", measure), row.cell("inside"),
         row.cell("difference", measure), words(signed_text(row.cell("difference", measure))),
         words(row.text("cause")), words(as_predicted(row))});
  }
  return table;
}

}  // namespace

Document log_document(const Part& answer) {
  Document document;
  const std::vector<std::string> ranks = answer.texts("ranks");
  document.status = status_of(answer.text("outcome"));
  const std::string version = answer.text("version");
  document.title = answer.text("engine") + (version.empty() ? "" : " ") + version;
  const bool whole = answer.has("request");
  const std::string setup = setup_text(answer.part(whole ? "request" : "settings"), false);
  document.title += setup.empty() ? "" : (document.title.empty() ? "" : ": ") + setup;
  document.main_table = "facts";
  if (ranks.size() > 1 && !answer.text("measured_rank").empty()) {
    add_paragraph(document, std::to_string(ranks.size()) +
                                " processes wrote the log; measured is the tightest, " +
                                answer.text("measured_rank") + ".");
  }
  add_list(document, "Causes", answer.texts("causes"));
  add_table(document, comparison_table(answer));
  add_table(document, measured_table(answer.part("measured")));
  add_table(document, facts_table(answer));
  add_list(document, "Notes", answer.texts("notes"));
  return document;
}

}  // namespace ridgepoint::exports
