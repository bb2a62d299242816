#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "command/shell_words.hpp"

namespace ridgepoint::command {

/// [A-Za-z_][A-Za-z0-9_]*
[[nodiscard]] bool is_variable_name(std::string_view text);

/// Appends a code point as UTF-8; what is none becomes a question mark.
void append_utf8(std::string& out, std::uint32_t code);

/// The variables of a shell and what stands for them in its words.
class Expansion {
 public:
  /// Unresolved variables and notes go to `out`, which must outlive this.
  Expansion(const Variables& variables, ShellText& out) : variables_(variables), out_(out) {}

  // Each of these reads from `at`, behind the opening quote, and gives the place behind the closing
  // one, npos when there is none.
  static std::size_t single_quoted(std::string_view text, std::size_t at, std::string& inner);
  std::size_t double_quoted(std::string_view text, std::size_t at, std::string& inner);
  /// The inside of $'…': \n, \t, \x41, \u00e9 and the like.
  static std::size_t escaped_quoted(std::string_view text, std::size_t at, std::string& inner);

  /// The words that stand for what begins with the `$` at `at`; gives the place behind it.
  std::size_t variable(std::string_view text, std::size_t at, std::vector<std::string>& words);

  /// All but the last words of an array named in the last double quotes; the last is in `inner`.
  std::vector<std::string> take_list();

  /// A text that is not split into words, such as that of a here-document.
  std::string in_text(std::string_view text);

  void set(const std::string& name, std::vector<std::string> words) {
    variables_[name] = std::move(words);
  }
  [[nodiscard]] bool is_set(const std::string& name) const { return variables_.count(name) != 0; }
  [[nodiscard]] std::string value_of(const std::string& name) const;
  [[nodiscard]] Variables take_variables() { return std::move(variables_); }
  /// Bytes that variables were replaced by so far.
  [[nodiscard]] std::size_t grown() const { return grown_; }

 private:
  std::vector<std::string> braced(std::string_view inside);
  std::vector<std::string> look_up(const std::string& name, std::string_view written);
  void note_once(const std::string& note);

  Variables variables_;
  ShellText& out_;
  std::vector<std::string> list_;
  std::size_t grown_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace ridgepoint::command
