#include <algorithm>
#include <string>

#include "export/characters.hpp"
#include "export/forms.hpp"
#include "export/numbers.hpp"

namespace ridgepoint::exports {
namespace {

constexpr std::size_t kMostCell = 1000;
constexpr std::size_t kMostParagraph = 4000;

bool alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Text that shows as it is: every mark of Markdown is escaped, HTML too. An underscore inside a
/// word is none.
std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 16);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      const bool inside = c == '_' && i > 0 && i + 1 < text.size() && alphanumeric(text[i - 1]) &&
                          alphanumeric(text[i + 1]);
      if (!inside && std::string_view("\\`*_[]|~$").find(c) != std::string_view::npos) {
        out += '\\';
      }
      out += c;
    }
  }
  return out;
}

/// At the front of a line some characters begin a heading, a list or a rule.
std::string line_of(std::string_view text, std::size_t most) {
  std::string clean = harmless(cut(text, most));
  clean.erase(0, clean.find_first_not_of(' '));
  const std::size_t digits = clean.find_first_not_of("0123456789");
  std::string line = escaped(clean);
  if (line.empty()) {
    return line;
  }
  if (std::string_view("#-+=:").find(line[0]) != std::string_view::npos) {
    line.insert(0, "\\");
  } else if (digits > 0 && digits < clean.size() &&
             (clean[digits] == '.' || clean[digits] == ')')) {
    line.insert(digits, "\\");
  }
  return line;
}

std::string cell_of(const Cell& cell) { return escaped(harmless(cut(cell_text(cell), kMostCell))); }

std::string bold(const std::string& text) { return text.empty() ? text : "**" + text + "**"; }

bool shown(const Column& column) { return column.shown != Shown::data; }

void write_table(const Table& table, std::string& out) {
  if (!table.title.empty()) {
    out += bold(line_of(table.title, kMostParagraph)) + "\n\n";
  }
  std::string rule = "|";
  out += '|';
  for (const Column& column : table.columns) {
    if (shown(column)) {
      out += " " + escaped(column.title) + " |";
      rule += column.right ? " ---: |" : " --- |";
    }
  }
  out += "\n" + rule + "\n";
  for (const Row& row : table.rows) {
    out += '|';
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (shown(table.columns[i])) {
        const std::string cell = i < row.size() ? cell_of(row[i]) : std::string();
        out += " " + cell + (cell.empty() ? "|" : " |");
      }
    }
    out += '\n';
    if (out.size() > kMostOutput) {
      return;
    }
  }
  out += '\n';
}

/// A fence that is longer than any run of backticks in what it holds.
void write_code(const Code& code, std::string& out) {
  const std::string content = harmless(code.text, true);
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : content) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
  out += fence + code.language + "\n" + content;
  out += content.empty() || content.back() == '\n' ? "" : "\n";
  out += fence + "\n\n";
}

void write_list(const List& list, std::string& out) {
  out += bold(line_of(list.title, kMostParagraph)) + (list.title.empty() ? "" : "\n\n");
  for (const std::string& item : list.items) {
    out += "- " + line_of(item, kMostParagraph) + "\n";
  }
  out += '\n';
}

void write_block(const Block& block, std::string& out) {
  if (const auto* paragraph = std::get_if<Paragraph>(&block)) {
    out += line_of(paragraph->text, kMostParagraph) + "\n\n";
  } else if (const auto* list = std::get_if<List>(&block)) {
    write_list(*list, out);
  } else if (const auto* code = std::get_if<Code>(&block)) {
    write_code(*code, out);
  } else if (const auto* table = std::get_if<Table>(&block)) {
    if (table->shown != Shown::data && !table->rows.empty()) {
      write_table(*table, out);
    }
  }
}

}  // namespace

Result<std::string> markdown(const Document& document) {
  const std::string title = line_of(document.title, kMostCell);
  const std::string status = escaped(document.status);
  std::string out = "## " + status + (status.empty() || title.empty() ? "" : ": ") + title + "\n\n";
  for (const Block& block : document.blocks) {
    write_block(block, out);
    if (out.size() > kMostOutput) {
      return Error{"too_large", "The text would be over 64 MiB: ask for less.", "answer"};
    }
  }
  out.pop_back();
  return out;
}

}  // namespace ridgepoint::exports
