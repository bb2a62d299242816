#include "export/documents.hpp"

namespace ridgepoint::exports {
namespace {

std::vector<Column> columns() {
  return {{"number", "number", true, false, Shown::data},
          {"group", "group", false, false, Shown::data},
          {"term", "term", false, false, Shown::data},
          {"step", "step", false, false, Shown::reading},
          {"value", "value", true},
          {"unit", "unit", false, false, Shown::data},
          {"formula", "formula"},
          {"with_numbers", "with numbers"},
          {"rule", "rule"},
          {"source", "source"}};
}

Row row_of(const Part& step) {
  const std::string unit = step.text("unit");
  const std::string number = step.text("number");
  return {step.cell("number", Measure::none),
          words(step.text("group")),
          words(step.text("term")),
          words((number.empty() ? "" : number + ". ") + step.text("term")),
          step.cell("value", measure_of(unit), counted_of(unit)),
          words(unit),
          words(step.text("formula")),
          words(step.text("with_numbers")),
          words(step.text("rule")),
          words(step.text("source"))};
}

std::string heading(const std::string& group) {
  std::string title = spoken(group);
  if (!title.empty() && title[0] >= 'a' && title[0] <= 'z') {
    title[0] = static_cast<char>(title[0] - 'a' + 'A');
  }
  return title;
}

}  // namespace

Document explain_document(const Part& answer) {
  Document document;
  const Part verdict = answer.part("verdict");
  document.status = verdict_status(verdict);
  document.title = verdict.text("text");
  document.main_table = "steps";
  Table all;
  all.name = "steps";
  all.shown = Shown::data;
  all.columns = columns();
  std::vector<Table> groups;
  std::string last;
  for (const Part& step : answer.parts("steps")) {
    const std::string group = step.text("group");
    if (groups.empty() || group != last) {
      Table table;
      table.title = heading(group);
      table.style = Table::Style::records;
      table.shown = Shown::reading;
      table.columns = columns();
      groups.push_back(std::move(table));
      last = group;
    }
    Row row = row_of(step);
    groups.back().rows.push_back(row);
    all.rows.push_back(std::move(row));
  }
  add_table(document, std::move(all));
  for (Table& group : groups) {
    add_table(document, std::move(group));
  }
  add_list(document, "Assumed", answer.texts("assumptions"));
  return document;
}

}  // namespace ridgepoint::exports
