#include <algorithm>
#include <string>
#include <vector>

#include "export/characters.hpp"
#include "export/forms.hpp"
#include "export/numbers.hpp"

namespace ridgepoint::exports {
namespace {

constexpr std::size_t kMostCell = 1000;
constexpr std::size_t kMostParagraph = 4000;
constexpr std::size_t kGap = 2;
/// A sentence has at least this much room beside what stands before it.
constexpr std::size_t kLeastColumn = 8;
/// A longer word in a table is broken, for else one path would make a list of the whole table.
constexpr std::size_t kMostWord = 30;

using Lines = std::vector<std::string>;
/// The cells of a row as written, one of each column that is shown.
using Texts = std::vector<std::string>;

void append_line(std::string line, std::string& out) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line;
  out += '\n';
}

/// A sentence in lines, the first after `head`, the others after as many spaces.
void append_wrapped(const std::string& head, std::string_view text, std::size_t width,
                    std::string& out) {
  const std::size_t indent = columns_of(head);
  const std::size_t room = width > indent + kLeastColumn ? width - indent : kLeastColumn;
  std::string front = head;
  for (const std::string& line : wrapped(harmless(cut(text, kMostParagraph)), room)) {
    append_line(front + line, out);
    front.assign(indent, ' ');
  }
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::size_t used = columns_of(text);
  const std::string space(width > used ? width - used : 0, ' ');
  return right ? space + text : text + space;
}

/// A column as it is shown. A range that has a column of its own keeps the numbers aligned.
struct Field {
  std::size_t column = 0;
  enum class What : std::uint8_t { whole, best, range } what = What::whole;
  std::string head;
  bool right = false;
};

class Grid {
 public:
  Grid(const Table& table, std::size_t width) : table_(&table), width_(width) {}

  /// Ranges beside their numbers, or behind them, which is shorter; then with numbers broken at
  /// spaces; and as records where even that is too wide.
  void write(std::string& out) {
    const bool grid = table_->style == Table::Style::grid;
    const bool fits = table_->style != Table::Style::records &&
                      (fit(grid, true) || fit(false, true) || fit(grid, false));
    if (!fits) {
      lay_out(false);
      write_records(out);
      return;
    }
    if (!headless()) {
      write_row(heads(), out);
    }
    for (const Texts& row : rows_) {
      write_row(row, out);
      if (out.size() > kMostOutput) {
        return;
      }
    }
  }

 private:
  [[nodiscard]] bool headless() const { return table_->style == Table::Style::pairs; }

  [[nodiscard]] Texts heads() const {
    Texts texts;
    for (const Field& field : fields_) {
      texts.push_back(field.head);
    }
    return texts;
  }

  bool fit(bool part_ranges, bool keep_numbers) {
    lay_out(part_ranges);
    return measure(keep_numbers);
  }

  /// Which columns there are, and what stands in them.
  void lay_out(bool part_ranges) {
    using What = Field::What;
    fields_.clear();
    rows_.assign(table_->rows.size(), {});
    for (std::size_t i = 0; i < table_->columns.size(); ++i) {
      const Column& column = table_->columns[i];
      if (column.shown == Shown::data || column.shown == Shown::wide) {
        continue;
      }
      const bool parted = part_ranges && column.range;
      add_field({i, parted ? What::best : What::whole, column.title, column.right});
      if (parted) {
        add_field({i, What::range, "range", false});
      }
    }
  }

  /// A column that says nothing would take room from the others.
  void add_field(Field field) {
    Texts texts;
    bool says = false;
    for (const Row& row : table_->rows) {
      texts.push_back(field.column < row.size() ? text_of(row[field.column], field.what)
                                                : std::string());
      says = says || !texts.back().empty();
    }
    if (!says) {
      return;
    }
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      rows_[r].push_back(std::move(texts[r]));
    }
    fields_.push_back(std::move(field));
  }

  static std::string text_of(const Cell& cell, Field::What what) {
    if (what == Field::What::whole) {
      return harmless(cut(cell_text(cell), kMostCell));
    }
    const Parted parted = parted_text(cell);
    return harmless(cut(what == Field::What::best ? parted.best : parted.range, kMostCell));
  }

  /// Widths of the columns; false when they do not fit side by side. The widest give way first,
  /// each down to its longest word, and numbers not at all when they are kept.
  bool measure(bool keep_numbers) {
    const std::size_t columns = fields_.size();
    std::vector<std::size_t> least(columns, 1);
    widths_.assign(columns, 1);
    const auto take = [&](const Texts& row, bool keep) {
      for (std::size_t c = 0; c < columns; ++c) {
        const std::size_t whole = columns_of(row[c]);
        const bool number = fields_[c].right || fields_[c].what == Field::What::range;
        widths_[c] = std::max(widths_[c], whole);
        least[c] = std::max(least[c], keep && number ? whole : longest_word(row[c]));
        least[c] = std::min(least[c], kMostWord);
      }
    };
    if (!headless()) {
      take(heads(), false);
    }
    for (const Texts& row : rows_) {
      take(row, keep_numbers);
    }
    std::size_t total = columns == 0 ? 0 : kGap * (columns - 1);
    for (const std::size_t each : widths_) {
      total += each;
    }
    while (total > width_) {
      std::size_t widest = columns;
      for (std::size_t c = 0; c < columns; ++c) {
        if (widths_[c] > least[c] && (widest == columns || widths_[c] > widths_[widest])) {
          widest = c;
        }
      }
      if (widest == columns) {
        return false;
      }
      --widths_[widest];
      --total;
    }
    return true;
  }

  void write_row(const Texts& row, std::string& out) const {
    std::vector<Lines> cells;
    std::size_t height = 1;
    for (std::size_t c = 0; c < row.size(); ++c) {
      cells.push_back(wrapped(row[c], widths_[c]));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t at = 0; at < height; ++at) {
      std::string line;
      for (std::size_t c = 0; c < row.size(); ++c) {
        line += c == 0 ? "" : std::string(kGap, ' ');
        line += padded(at < cells[c].size() ? cells[c][at] : std::string(), widths_[c],
                       fields_[c].right);
      }
      append_line(std::move(line), out);
    }
  }

  /// A row as a paragraph: its first cell, then a line of each other one by its name.
  void write_records(std::string& out) const {
    std::size_t names = 0;
    for (const Field& field : fields_) {
      names = std::max(names, columns_of(field.head));
    }
    bool first = true;
    for (const Texts& row : rows_) {
      if (!first) {
        out += '\n';
      }
      first = false;
      for (std::size_t c = 0; c < row.size(); ++c) {
        if (c == 0) {
          append_wrapped("", row[c].empty() ? "-" : row[c], width_, out);
        } else if (!row[c].empty()) {
          append_wrapped("  " + padded(fields_[c].head, names, false) + "  ", row[c], width_, out);
        }
      }
      if (out.size() > kMostOutput) {
        return;
      }
    }
  }

  const Table* table_;
  std::size_t width_;
  std::vector<Field> fields_;
  std::vector<Texts> rows_;
  std::vector<std::size_t> widths_;
};

void write_table(const Table& table, std::size_t width, std::string& out) {
  if (!table.title.empty()) {
    append_wrapped("", table.title, width, out);
  }
  Grid(table, width).write(out);
}

void write_block(const Block& block, std::size_t width, std::string& out) {
  if (const auto* paragraph = std::get_if<Paragraph>(&block)) {
    append_wrapped("", paragraph->text, width, out);
  } else if (const auto* list = std::get_if<List>(&block)) {
    if (!list->title.empty()) {
      append_wrapped("", list->title, width, out);
    }
    for (const std::string& item : list->items) {
      append_wrapped("  - ", item, width, out);
    }
  } else if (const auto* code = std::get_if<Code>(&block)) {
    out += harmless(code->text, true);
    out += out.back() == '\n' ? "" : "\n";
  } else if (const auto* table = std::get_if<Table>(&block)) {
    write_table(*table, width, out);
  }
}

bool left_out(const Block& block) {
  const auto* table = std::get_if<Table>(&block);
  return table != nullptr && (table->shown == Shown::data || table->shown == Shown::wide ||
                              table->rows.empty() || table->columns.empty());
}

}  // namespace

Result<std::string> text(const Document& document, std::size_t width) {
  std::string out;
  append_wrapped(document.status.empty() ? std::string() : document.status + "  ", document.title,
                 width, out);
  bool after_paragraph = true;
  for (const Block& block : document.blocks) {
    if (left_out(block)) {
      continue;
    }
    const bool paragraph = std::holds_alternative<Paragraph>(block);
    if (!paragraph || !after_paragraph) {
      out += '\n';
    }
    after_paragraph = paragraph;
    write_block(block, width, out);
    if (out.size() > kMostOutput) {
      return Error{"too_large", "The text would be over 64 MiB: ask for less.", "answer"};
    }
  }
  return out;
}

}  // namespace ridgepoint::exports
