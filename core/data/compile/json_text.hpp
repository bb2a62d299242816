#pragma once

#include <cstdio>
#include <string>
#include <string_view>

/// A C++ string literal of `value`. Bytes outside printable ASCII become octal escapes, which
/// unlike hexadecimal ones end after three digits whatever follows.
inline std::string cpp_string(std::string_view value) {
  std::string literal = "\"";
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      literal += '\\';
      literal += c;
    } else if (byte >= 0x20 && byte < 0x7f) {
      literal += c;
    } else {
      char escape[5];
      std::snprintf(escape, sizeof escape, "\\%03o", static_cast<unsigned>(byte));
      literal += escape;
    }
  }
  return literal + '"';
}

/// A C++ double literal that reads back as exactly `value`, which is finite.
inline std::string cpp_double(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.17g", value);
  std::string literal = digits;
  if (literal.find_first_of(".e") == std::string::npos) literal += ".0";
  return literal;
}
