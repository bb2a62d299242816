#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ridgepoint::json {

/// The shortest decimal digits that read back as the same number; not finite: "null".
std::string number_text(double number);

/// Writes JSON text straight down, without a tree: a report is a few kilobytes and is written for
/// every key press. Keys keep the order they are written in. Strings must be valid UTF-8.
class Writer {
 public:
  Writer() { text_.reserve(8192); }

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }

  void key(std::string_view name);

  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(std::uint64_t number);
  void value(std::int64_t number);
  void value(std::uint32_t number) { value(static_cast<std::uint64_t>(number)); }
  void value(double number);  ///< shortest digits that read back the same; not finite: null
  void value(bool flag);
  void null();

  /// Text that is JSON already.
  void raw(std::string_view json);

  void value(const nlohmann::json& tree);

  /// null where there is none.
  template <typename T>
  void value(const std::optional<T>& content) {
    if (content) {
      value(*content);
    } else {
      null();
    }
  }

  /// A key and its value.
  template <typename T>
  void member(std::string_view name, const T& content) {
    key(name);
    value(content);
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void separate();
  void open(char bracket);
  void close(char bracket);
  void quoted(std::string_view text);

  std::string text_;
  bool needs_comma_ = false;
};

}  // namespace ridgepoint::json
