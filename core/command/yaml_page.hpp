#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "command/forms.hpp"

namespace ridgepoint::command {

/// YAML written line by line; a level is two spaces.
class Page {
 public:
  void raw(std::string_view text) { text_ += text; }
  void line(std::size_t level, std::string_view text);
  void comment(std::size_t level, std::string_view text);
  /// A key and a value, or an item of a list, quoted where YAML needs it. Dollars are doubled, for
  /// Compose and Kubernetes put variables into values.
  void entry(std::size_t level, std::string_view key, std::string_view value);
  void item(std::size_t level, std::string_view value);
  /// Lines of a text as a block; Compose puts variables into blocks too.
  void block(std::size_t level, std::string_view text, bool double_dollars);
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

/// The words that start the server as a list, each behind its reason.
void write_arguments(Page& page, const Sheet& sheet, std::size_t level);

/// Cards of the request, one where it does not say.
std::uint64_t cards(const Sheet& sheet);

/// Whether weights are downloaded, for which some models want a login that the request does not
/// give.
bool wants_token(const Sheet& sheet);

}  // namespace ridgepoint::command
