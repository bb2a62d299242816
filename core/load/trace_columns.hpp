#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ridgepoint::load {

/// What a column of a trace says.
enum class TraceColumn : unsigned char { time, time_ms, input, output, hash_ids, conversations };
inline constexpr std::size_t kTraceColumns = 6;

/// By a column's name; empty when it says nothing that a load is made of.
std::optional<TraceColumn> trace_column(std::string_view name);

/// One line of a trace: the text of each column that it has.
struct TraceFields {
  std::array<std::optional<std::string>, kTraceColumns> text;

  [[nodiscard]] const std::optional<std::string>& at(TraceColumn column) const {
    return text[static_cast<std::size_t>(column)];
  }
  std::optional<std::string>& at(TraceColumn column) {
    return text[static_cast<std::size_t>(column)];
  }
};

}  // namespace ridgepoint::load
