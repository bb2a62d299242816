#include "export/documents.hpp"
#include "export/numbers.hpp"

namespace ridgepoint::exports {
namespace {

/// A matrix wider than this is read worse than the list of its cells.
constexpr std::size_t kMostAcross = 10;

struct Axis {
  std::string name;
  std::string unit;
  std::vector<Cell> values;
};

std::vector<Axis> axes_of(const Part& answer) {
  std::vector<Axis> axes;
  for (const Part& part : answer.parts("axes")) {
    Axis axis{part.text("name"), part.text("unit"), {}};
    axis.values = part.cells("values", measure_of(axis.unit));
    axes.push_back(std::move(axis));
  }
  return axes;
}

std::string outcome(const Part& cell) {
  if (cell.has("error")) {
    return "error";
  }
  if (!cell.flag("serves")) {
    return "no";
  }
  const Cell enough = cell.cell("enough");
  return enough.kind == Cell::Kind::flag && !enough.flag ? "too few" : "serves";
}

/// What keeps it from more.
std::string limited_by(const Part& cell) {
  if (cell.has("error")) {
    return cell.part("error").text("message");
  }
  const std::string term = cell.text("limiting_term");
  return term.empty() ? spoken(cell.text("limit")) : term;
}

/// `at` has the place of the value on each axis.
Cell value_at(const Axis& axis, const std::vector<Cell>& at, std::size_t i) {
  if (i >= at.size() || at[i].kind != Cell::Kind::number) {
    return {};
  }
  const double place = at[i].best.value;
  const bool known = place >= 0.0 && place < static_cast<double>(axis.values.size());
  return known ? axis.values[static_cast<std::size_t>(place)] : Cell{};
}

Row row_of(const Part& cell, const std::vector<Axis>& axes) {
  Row row;
  const std::vector<Cell> at = cell.cells("at", Measure::none);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    row.push_back(value_at(axes[i], at, i));
  }
  row.push_back(words(outcome(cell)));
  row.push_back(cell.cell("max_requests"));
  row.push_back(cell.cell("naive_requests"));
  row.push_back(cell.cell("max_context"));
  row.push_back(cell.cell("kv_pool", Measure::bytes));
  row.push_back(cell.cell("tokens"));
  add_speed_cells(row, cell.part("speed"));
  row.push_back(words(limited_by(cell)));
  return row;
}

Table cells_table(const std::vector<Part>& cells, const std::vector<Axis>& axes) {
  Table table;
  table.name = "cells";
  for (const Axis& axis : axes) {
    const bool counts = axis.unit == "tokens" || axis.unit == "bytes";
    table.columns.push_back({counts ? axis.name + "_" + axis.unit : axis.name, spoken(axis.name),
                             measure_of(axis.unit) != Measure::count || !axis.unit.empty()});
  }
  table.columns.push_back({"outcome", "outcome"});
  table.columns.push_back({"max_requests", "requests", true, true});
  table.columns.push_back({"naive_requests", "usual formula", true, false, Shown::wide});
  table.columns.push_back({"max_context_tokens", "longest context", true, false, Shown::wide});
  table.columns.push_back({"kv_pool_bytes", "KV pool", true, true});
  table.columns.push_back({"kv_pool_tokens", "pool tokens", true, true, Shown::wide});
  add_speed_columns(table.columns, Shown::wide);
  table.columns.push_back({"limited_by", "limited by"});
  for (const Part& cell : cells) {
    table.rows.push_back(row_of(cell, axes));
  }
  return table;
}

/// Two axes as a matrix of requests at once; "-" is what does not serve.
Table matrix(const std::vector<Part>& cells, const std::vector<Axis>& axes) {
  Table table;
  table.name = "requests";
  table.title =
      "Requests at once, " + spoken(axes[0].name) + " down and " + spoken(axes[1].name) + " across";
  table.shown = Shown::reading;
  table.columns.push_back({axes[0].name, spoken(axes[0].name), true});
  for (const Cell& value : axes[1].values) {
    const std::string title = cell_text(value);
    table.columns.push_back({title, title, true});
  }
  const std::size_t across = axes[1].values.size();
  for (std::size_t i = 0; i < axes[0].values.size(); ++i) {
    Row row = {axes[0].values[i]};
    for (std::size_t j = 0; j < across && i * across + j < cells.size(); ++j) {
      const Part& cell = cells[i * across + j];
      const bool serves = !cell.has("error") && cell.flag("serves");
      Cell requests = cell.cell("max_requests");
      // A matrix is for comparing: the ranges are in the table of the cells.
      requests.kind = requests.kind == Cell::Kind::range ? Cell::Kind::number : requests.kind;
      row.push_back(serves ? std::move(requests) : words("-"));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Document scan_document(const Part& answer) {
  Document document;
  const std::vector<Axis> axes = axes_of(answer);
  const std::vector<Part> cells = answer.parts("cells");
  std::size_t serves = 0;
  for (const Part& cell : cells) {
    serves += !cell.has("error") && cell.flag("serves") ? 1 : 0;
  }
  std::string over;
  for (const Axis& axis : axes) {
    over += (over.empty() ? " over " : " and ") + spoken(axis.name);
  }
  document.status = serves > 0 ? "SERVES" : "DOES NOT SERVE";
  document.title =
      "at " + std::to_string(serves) + " of " + std::to_string(cells.size()) + " points" + over;
  document.main_table = "cells";
  if (axes.size() == 2 && axes[1].values.size() <= kMostAcross) {
    add_table(document, matrix(cells, axes));
  }
  add_table(document, cells_table(cells, axes));
  add_list(document, "Notes", answer.texts("notes"));
  return document;
}

}  // namespace ridgepoint::exports
