#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint::load {

/// Reads a table of text record by record: fields between separators, in quotes where they hold a
/// separator, a quote (written twice) or a line's end (RFC 4180).
class TableReader {
 public:
  /// The separator is what the first line has most of: comma, semicolon or tab.
  explicit TableReader(std::string_view text);

  /// The fields of the next record that is not empty; false at the end, or when a quote is open.
  bool next(std::vector<std::string>& fields);

  /// Of the record that was read last, from 1.
  [[nodiscard]] std::uint64_t line() const { return line_; }
  [[nodiscard]] bool open_quote() const { return open_quote_; }

 private:
  bool read_quoted(std::string& field);
  void read_plain(std::string& field);
  bool read_record(std::vector<std::string>& fields);

  std::string_view text_;
  std::size_t at_ = 0;
  char separator_ = ',';
  std::uint64_t line_ = 0;
  std::uint64_t next_line_ = 1;
  bool open_quote_ = false;
};

}  // namespace ridgepoint::load
