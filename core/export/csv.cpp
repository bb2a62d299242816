#include <string>

#include "export/characters.hpp"
#include "export/forms.hpp"

namespace ridgepoint::exports {
namespace {

/// What a spreadsheet keeps of one cell.
constexpr std::size_t kMostCell = 32000;

std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') {
      quoted += '"';
    }
  }
  return quoted + '"';
}

/// Spaces before do not keep a spreadsheet from reading a formula.
bool like_a_formula(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first != std::string_view::npos &&
         std::string_view("=+-@\t\r").find(text[first]) != std::string_view::npos;
}

std::string text_field(const std::string& text) {
  const std::string clean = cut(harmless(text, true), kMostCell);
  return field(like_a_formula(clean) ? "'" + clean : clean);
}

std::string cell_field(const Cell& cell) {
  switch (cell.kind) {
    case Cell::Kind::empty:
      return {};
    case Cell::Kind::text:
      return text_field(cell.text);
    case Cell::Kind::flag:
      return cell.flag ? "true" : "false";
    case Cell::Kind::number:
    case Cell::Kind::range:
      return cell.best.digits;
  }
  return {};
}

std::string ends_of(const Cell& cell) {
  if (cell.kind == Cell::Kind::range) {
    return "," + cell.low.digits + "," + cell.high.digits;
  }
  const bool number = cell.kind == Cell::Kind::number;
  return number ? "," + cell.best.digits + "," + cell.best.digits : ",,";
}

Result<std::string> table_text(const Table& table) {
  std::string out;
  const auto line = [&](auto&& write) {
    bool first = true;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].shown != Shown::reading) {
        out += first ? "" : ",";
        write(i);
        first = false;
      }
    }
    out += "\r\n";
  };
  line([&](std::size_t i) {
    const Column& column = table.columns[i];
    out += field(column.key);
    if (column.range) {
      out += "," + field(column.key + "_low") + "," + field(column.key + "_high");
    }
  });
  const Cell none;
  for (const Row& row : table.rows) {
    line([&](std::size_t i) {
      const Cell& cell = i < row.size() ? row[i] : none;
      out += cell_field(cell);
      if (table.columns[i].range) {
        out += ends_of(cell);
      }
    });
    if (out.size() > kMostOutput) {
      return Error{"too_large", "The table would be over 64 MiB: ask for less of it.", "answer"};
    }
  }
  return out;
}

}  // namespace

Result<std::string> csv(const Document& document, std::string_view name) {
  const std::string_view wanted = name.empty() ? std::string_view(document.main_table) : name;
  std::string known;
  for (const Block& block : document.blocks) {
    const Table* table = std::get_if<Table>(&block);
    if (table == nullptr || table->shown == Shown::reading) {
      continue;
    }
    if (table->name == wanted) {
      return table_text(*table);
    }
    known += (known.empty() ? "" : ", ") + table->name;
  }
  return Error{"unknown_table",
               "This answer has no table \"" + cut(harmless(wanted), 40) + "\"; it has " +
                   (known.empty() ? "none" : known) + ".",
               "table"};
}

}  // namespace ridgepoint::exports
