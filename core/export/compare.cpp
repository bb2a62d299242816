#include "export/documents.hpp"
#include "export/numbers.hpp"

namespace ridgepoint::exports {
namespace {

std::string label_of(const Part& setup, std::size_t index) {
  const std::string label = setup.text("label");
  return label.empty() ? "setup " + std::to_string(index + 1) : label;
}

std::vector<std::string> labels_of(const std::vector<Part>& setups) {
  std::vector<std::string> labels;
  labels.reserve(setups.size());
  for (const Part& setup : setups) {
    labels.push_back(label_of(setup, labels.size()));
  }
  return labels;
}

/// The label of a setup that a difference names by its index.
std::string label_at(const Part& difference, std::string_view key,
                     const std::vector<std::string>& labels) {
  const double index = difference.number(key);
  const bool known = index >= 0.0 && index < static_cast<double>(labels.size());
  return known ? labels[static_cast<std::size_t>(index)] : std::string();
}

Table setups_table(const std::vector<Part>& setups, const std::vector<std::string>& labels) {
  Table table;
  table.name = "setups";
  table.columns = {{"label", "setup"},
                   {"serves", "serves"},
                   {"limit", "limit", false, false, Shown::wide},
                   {"max_requests", "requests", true, true},
                   {"max_context_tokens", "longest context", true},
                   {"kv_pool_bytes", "KV pool", true, true},
                   {"weights_bytes", "weights", true, true, Shown::wide},
                   {"kv_pool_tokens", "pool tokens", true, true, Shown::wide}};
  add_speed_columns(table.columns, Shown::wide);
  for (std::size_t i = 0; i < setups.size(); ++i) {
    const Part report = setups[i].part("report");
    const Part gpu = report.part("memory").part("per_gpu");
    const Part capacity = report.part("capacity");
    const Part verdict = report.part("verdict");
    const std::string limit = verdict.text("limit");
    const std::string error = report.part("error").text("message");
    Row row = {words(labels[i]),
               error.empty() ? verdict.cell("serves") : words("error"),
               words(error.empty() ? (limit == "none" ? std::string() : limit) : error),
               capacity.cell("max_requests"),
               capacity.cell("max_context"),
               gpu.cell("kv_pool", Measure::bytes),
               gpu.cell("weights", Measure::bytes),
               report.part("cache").cell("tokens")};
    add_speed_cells(row, report.part("speed"));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// A difference for people, with its sign.
Cell said_difference(const Part& part, std::string_view key, Measure measure) {
  return words(signed_text(part.cell(key, measure)));
}

std::vector<Column> term_columns() {
  return {{"from_setup", "from", false, false, Shown::data},
          {"to_setup", "to", false, false, Shown::data},
          {"of", "of", false, false, Shown::data},
          {"unit", "unit", false, false, Shown::data},
          {"term", "term"},
          {"from", "from", true, true},
          {"to", "to", true, true},
          {"difference", "difference", true, true, Shown::data},
          {"said_difference", "difference", true, false, Shown::reading},
          {"why", "why"}};
}

Row term_row(const Part& term, const std::string& name, const std::string& from,
             const std::string& to, const std::string& of) {
  const bool bytes = of == "pool";
  const Measure measure = bytes ? Measure::bytes : Measure::decimal;
  const Measure shown = bytes ? Measure::bytes : Measure::rate;
  return {words(from),
          words(to),
          words(of),
          words(bytes ? "bytes" : "requests"),
          words(name),
          term.cell("from", shown),
          term.cell("to", shown),
          term.cell("difference", measure),
          said_difference(term, "difference", shown),
          words(term.text("why"))};
}

Table terms_table(const Part& difference, const std::string& of, const std::string& from,
                  const std::string& to) {
  const Part whole = difference.part(of);
  Table table;
  table.name = of;
  table.title = of == "pool" ? "KV pool of one GPU" : "Requests at once";
  table.shown = Shown::reading;
  table.columns = term_columns();
  for (const Part& term : whole.parts("terms")) {
    table.rows.push_back(term_row(
        term, term.has("what") ? term.text("what") : spoken(term.text("term")), from, to, of));
  }
  if (!whole.empty()) {
    table.rows.push_back(term_row(whole, "together", from, to, of));
  }
  return table;
}

/// The terms of all differences in one table, for a spreadsheet.
Table all_terms(const std::vector<Part>& differences, const std::vector<std::string>& labels) {
  Table table;
  table.name = "terms";
  table.shown = Shown::data;
  table.columns = term_columns();
  for (const Part& difference : differences) {
    const std::string from = label_at(difference, "from", labels);
    const std::string to = label_at(difference, "to", labels);
    for (const char* of : {"pool", "requests"}) {
      for (const Part& term : difference.part(of).parts("terms")) {
        table.rows.push_back(term_row(term, term.text("term"), from, to, of));
      }
    }
  }
  return table;
}

std::vector<Column> change_columns() {
  return {{"from_setup", "from", false, false, Shown::data},
          {"to_setup", "to", false, false, Shown::data},
          {"what", "change"},
          {"from", "from"},
          {"to", "to"},
          {"pool_difference_bytes", "pool", true, true, Shown::data},
          {"requests_difference", "requests", true, true, Shown::data},
          {"said_pool", "KV pool", true, false, Shown::reading},
          {"said_requests", "requests", true, false, Shown::reading}};
}

void add_changes(Table& table, const Part& difference, const std::string& from,
                 const std::string& to) {
  for (const Part& change : difference.parts("changes")) {
    table.rows.push_back({words(from), words(to), words(change.text("what")),
                          words(change.said("from")), words(change.said("to")),
                          change.cell("pool_difference", Measure::bytes),
                          change.cell("requests_difference", Measure::decimal),
                          said_difference(change, "pool_difference", Measure::bytes),
                          said_difference(change, "requests_difference", Measure::rate)});
  }
}

Table changes_table(const std::vector<Part>& differences, const std::vector<std::string>& labels) {
  Table table;
  table.name = "changes";
  table.shown = Shown::data;
  table.columns = change_columns();
  for (const Part& difference : differences) {
    add_changes(table, difference, label_at(difference, "from", labels),
                label_at(difference, "to", labels));
  }
  return table;
}

void add_difference(Document& document, const Part& difference,
                    const std::vector<std::string>& labels) {
  const std::string from = label_at(difference, "from", labels);
  const std::string to = label_at(difference, "to", labels);
  add_list(document, "From " + from + " to " + to, difference.texts("text"));
  Table changes;
  changes.name = "changes of " + to;
  changes.title = "What changed";
  changes.shown = Shown::reading;
  changes.columns = change_columns();
  add_changes(changes, difference, from, to);
  add_table(document, std::move(changes));
  add_table(document, terms_table(difference, "pool", from, to));
  add_table(document, terms_table(difference, "requests", from, to));
}

}  // namespace

Document compare_document(const Part& answer) {
  Document document;
  const std::vector<Part> setups = answer.parts("setups");
  const std::vector<Part> differences = answer.parts("differences");
  const std::vector<std::string> labels = labels_of(setups);
  std::size_t serve = 0;
  for (const Part& setup : setups) {
    serve += setup.part("report").part("verdict").flag("serves") ? 1 : 0;
  }
  document.status = serve > 0 ? "SERVES" : "DOES NOT SERVE";
  document.title = std::to_string(serve) + " of " + std::to_string(setups.size()) + " setups" +
                   (labels.empty() ? "" : "; the others are compared with " + labels.front());
  document.main_table = "setups";
  add_table(document, setups_table(setups, labels));
  for (const Part& difference : differences) {
    add_difference(document, difference, labels);
  }
  add_table(document, all_terms(differences, labels));
  add_table(document, changes_table(differences, labels));
  add_list(document, "Notes", answer.texts("notes"));
  return document;
}

}  // namespace ridgepoint::exports
