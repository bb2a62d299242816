#pragma once

#include <cstdint>
#include <string_view>

namespace ridgepoint {

/// Reads a table of facts field by field. A build step writes facts of many texts as one text with
/// a line for each field: it takes a third of what a table of views takes in a page's download.
class TableText {
 public:
  explicit TableText(std::string_view table) : rest_(table) {}

  [[nodiscard]] bool done() const { return rest_.empty(); }

  std::string_view text();

  /// Digits, after which `e` and digits may stand for zeros.
  std::uint64_t number();

  std::uint32_t small() { return static_cast<std::uint32_t>(number()); }
  double real() { return static_cast<double>(number()); }
  bool flag() { return number() != 0; }

 private:
  std::string_view rest_;
};

}  // namespace ridgepoint
