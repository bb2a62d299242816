#pragma once

#include <cmath>
#include <cstdint>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "json_text.hpp"

/// Writes what core/table_text.hpp reads: one text, each field on a line of its own.
class TableTextWriter {
 public:
  TableTextWriter(std::ostream& out, std::string_view name) : out_(out) {
    out_ << "constexpr std::string_view " << name << " =";
  }

  void text(const std::string& field) {
    if (field.find('\n') != std::string::npos) {
      throw std::runtime_error("'" + field + "' has a line break");
    }
    out_ << "\n    " << cpp_string(field + "\n");
  }

  void number(std::uint64_t value) {
    int zeros = 0;
    for (; value != 0 && value % 10 == 0; value /= 10) ++zeros;
    const std::string digits = std::to_string(value);
    text(zeros < 3 ? digits + std::string(static_cast<std::size_t>(zeros), '0')
                   : digits + "e" + std::to_string(zeros));
  }

  /// Of a number that is whole, though it is kept as a double.
  void whole(double value) {
    if (value < 0 || value > 1e19 || std::floor(value) != value) {
      throw std::runtime_error(cpp_double(value) + " is not whole");
    }
    number(static_cast<std::uint64_t>(value));
  }

  void end() { out_ << ";\n"; }

 private:
  std::ostream& out_;
};
