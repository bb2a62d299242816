#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

/// Answers as documents for people and for spreadsheets. An answer (JSON) becomes a Document of
/// typed tables and short text, and a Document becomes CSV, Markdown or plain text.
namespace ridgepoint::exports {

/// How a number is written for people; a spreadsheet gets the digits as they are.
enum class Measure : std::uint8_t {
  none,     ///< the digits as they are
  bytes,    ///< in GiB, MiB, KiB or B, whichever suits
  count,    ///< in groups of three, what is not whole with two decimals
  decimal,  ///< two decimals
  rate,     ///< three significant digits
  seconds,  ///< s or ms, three significant digits
};

/// A number with the digits it came with: what is copied must not change by reading it.
struct Number {
  double value = 0.0;
  std::string digits;
};

struct Cell {
  enum class Kind : std::uint8_t { empty, text, number, range, flag };

  Kind kind = Kind::empty;
  Measure measure = Measure::none;
  bool flag = false;
  std::string text;  ///< the text; of a number what it counts ("tokens/s"), said behind it
  Number best;       ///< of a number and of a range
  Number low;
  Number high;
};

enum class Shown : std::uint8_t {
  everywhere,
  data,     ///< in CSV alone
  reading,  ///< in Markdown and text, not in CSV
  wide,     ///< not in text, where lines are short
};

struct Column {
  std::string key;    ///< head in CSV, with the unit in it: "kv_pool_bytes"
  std::string title;  ///< head for people
  bool right = false;
  bool range = false;  ///< CSV has two more columns, `_low` and `_high`
  Shown shown = Shown::everywhere;
};

using Row = std::vector<Cell>;

struct Table {
  enum class Style : std::uint8_t {
    grid,
    pairs,    ///< names and values: no head in text
    records,  ///< long cells: in text a row is a paragraph, its first cells the head of it
  };

  std::string name;  ///< how a query asks for it
  std::string title;
  Style style = Style::grid;
  Shown shown = Shown::everywhere;
  std::vector<Column> columns;
  std::vector<Row> rows;
};

struct Paragraph {
  std::string text;
};

struct List {
  std::string title;
  std::vector<std::string> items;
};

/// Text that must stay as it is, to be copied.
struct Code {
  std::string language;
  std::string text;
};

using Block = std::variant<Paragraph, List, Code, Table>;

struct Document {
  std::string status;  ///< the answer in a word or two, in capitals; may be empty
  std::string title;
  std::string main_table;  ///< what CSV is made of when no table is named
  std::vector<Block> blocks;
};

Cell words(std::string text);
Cell whole_number(std::uint64_t number, Measure measure = Measure::count);

/// "kv_pool" as people say it: "KV pool".
std::string spoken(std::string_view name);

/// Adds what is not empty.
void add_paragraph(Document& document, std::string text);
void add_list(Document& document, std::string title, std::vector<std::string> items);
void add_table(Document& document, Table table);

}  // namespace ridgepoint::exports
