#include "table_text.hpp"

#include <algorithm>

namespace ridgepoint {

std::string_view TableText::text() {
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  const std::string_view field = rest_.substr(0, end);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  return field;
}

std::uint64_t TableText::number() {
  std::uint64_t value = 0;
  std::uint64_t zeros = 0;
  bool in_zeros = false;
  for (const char c : text()) {
    if (c == 'e') {
      in_zeros = true;
    } else {
      std::uint64_t& part = in_zeros ? zeros : value;
      part = part * 10 + static_cast<std::uint64_t>(c - '0');
    }
  }
  for (; zeros != 0; --zeros) {
    value *= 10;
  }
  return value;
}

}  // namespace ridgepoint
