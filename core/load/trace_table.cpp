#include "load/trace_table.hpp"

#include <algorithm>

namespace ridgepoint::load {
namespace {

void trim(std::string& field) {
  const auto space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!field.empty() && space(field.back())) {
    field.pop_back();
  }
  std::size_t start = 0;
  while (start < field.size() && space(field[start])) {
    ++start;
  }
  field.erase(0, start);
}

}  // namespace

TableReader::TableReader(std::string_view text) : text_(text) {
  if (text_.substr(0, 3) == "\xef\xbb\xbf") {
    text_.remove_prefix(3);
  }
  const std::size_t start = std::min(text_.find_first_not_of(" \t\r\n"), text_.size());
  const std::string_view first = text_.substr(start, text_.find('\n', start) - start);
  std::ptrdiff_t most = 0;
  for (const char candidate : {',', ';', '\t'}) {
    const auto count = std::count(first.begin(), first.end(), candidate);
    separator_ = count > most ? candidate : separator_;
    most = std::max(most, count);
  }
}

/// After an opening quote, up to the one that closes it. False when none does.
bool TableReader::read_quoted(std::string& field) {
  while (at_ < text_.size()) {
    const char c = text_[at_++];
    if (c != '"') {
      next_line_ += c == '\n' ? 1 : 0;
      field.push_back(c);
    } else if (at_ < text_.size() && text_[at_] == '"') {
      field.push_back('"');
      ++at_;
    } else {
      return true;
    }
  }
  return false;
}

void TableReader::read_plain(std::string& field) {
  while (at_ < text_.size() && text_[at_] != separator_ && text_[at_] != '\n') {
    field.push_back(text_[at_++]);
  }
  trim(field);
}

bool TableReader::read_record(std::vector<std::string>& fields) {
  for (;;) {
    std::string field;
    if (at_ < text_.size() && text_[at_] == '"') {
      ++at_;
      if (!read_quoted(field)) {
        return false;
      }
      std::string behind;
      read_plain(behind);
      field += behind;
    } else {
      read_plain(field);
    }
    fields.push_back(std::move(field));
    if (at_ >= text_.size()) {
      return true;
    }
    if (text_[at_++] == '\n') {
      ++next_line_;
      return true;
    }
  }
}

bool TableReader::next(std::vector<std::string>& fields) {
  while (at_ < text_.size()) {
    fields.clear();
    line_ = next_line_;
    if (!read_record(fields)) {
      open_quote_ = true;
      return false;
    }
    if (fields.size() > 1 || !fields.front().empty()) {
      return true;
    }
  }
  return false;
}

}  // namespace ridgepoint::load
