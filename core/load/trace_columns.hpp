#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "load/trace_time.hpp"

namespace ridgepoint::load {

/// What a column of a trace says.
enum class TraceColumn : unsigned char { time, input, output, hash_ids, conversations };
inline constexpr std::size_t kTraceColumns = 5;

struct NamedColumn {
  TraceColumn column = TraceColumn::time;
  std::optional<TimeUnit> unit;  ///< of times, where the name says it: arrival_ms
};

/// By a column's name; empty when it says nothing that a load is made of.
std::optional<NamedColumn> trace_column(std::string_view name);

/// One line of a trace: the text of each column that it has.
struct TraceFields {
  std::string time_name;              ///< what the column of times is called
  std::optional<TimeUnit> time_unit;  ///< that its name says
  std::array<std::optional<std::string>, kTraceColumns> text;

  [[nodiscard]] const std::optional<std::string>& at(TraceColumn column) const {
    return text[static_cast<std::size_t>(column)];
  }
  std::optional<std::string>& at(TraceColumn column) {
    return text[static_cast<std::size_t>(column)];
  }
};

}  // namespace ridgepoint::load
