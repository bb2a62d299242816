#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "export/table.hpp"
#include "json/fields.hpp"
#include "result.hpp"

namespace ridgepoint::exports {

/// Most entries of one list of an answer.
constexpr std::size_t kMostRows = 20000;

/// One object of an answer. What is absent reads as empty, for an older or a shorter answer is an
/// answer too; what has the wrong type is an error that names the field. The first error is kept in
/// the `Check` that all parts of an answer share.
class Part {
 public:
  /// `object` null: an object without members. Both must outlive this.
  Part(const json::Value* object, std::string path, Check& error)
      : object_(object), path_(std::move(path)), error_(&error) {}

  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
  [[nodiscard]] bool empty() const;

  /// A string, a number's digits, "true" or "false"; empty when absent.
  [[nodiscard]] std::string text(std::string_view key) const;
  /// The same, and anything else as JSON.
  [[nodiscard]] std::string said(std::string_view key) const;
  [[nodiscard]] double number(std::string_view key, double fallback = 0.0) const;
  [[nodiscard]] bool flag(std::string_view key) const;

  /// A scalar or an estimate. `counted` is said behind a number: "tokens/s".
  [[nodiscard]] Cell cell(std::string_view key, Measure measure = Measure::count,
                          std::string_view counted = {}) const;

  [[nodiscard]] Part part(std::string_view key) const;
  [[nodiscard]] std::vector<Part> parts(std::string_view key) const;
  [[nodiscard]] std::vector<std::string> texts(std::string_view key) const;
  [[nodiscard]] std::vector<Cell> cells(std::string_view key, Measure measure) const;

  /// Flags and their values as on a command line, `--max-num-seqs 64`.
  [[nodiscard]] std::vector<std::string> flags(std::string_view key) const;

  /// The names of an object's members.
  [[nodiscard]] std::vector<std::string> keys() const;

  [[nodiscard]] const json::Value* find(std::string_view key) const;

 private:
  [[nodiscard]] std::string path_of(std::string_view key) const;
  void refuse(const std::string& path, std::string_view wanted, const json::Value& found) const;
  const json::Value* array(std::string_view key) const;
  Cell cell_of(const json::Value& value, const std::string& path, Measure measure,
               std::string_view counted) const;

  const json::Value* object_;
  std::string path_;
  Check* error_;
};

/// `--flag value` of one member of a request's `args`.
std::string flag_text(std::string_view name, const json::Value& value);

}  // namespace ridgepoint::exports
