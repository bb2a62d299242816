#pragma once

#include <optional>
#include <string_view>

namespace ridgepoint::load {

/// A time as a trace writes it, in seconds: a plain number as it stands, a date since 1970. Empty
/// when it is neither.
struct TraceTime {
  double seconds = 0;
  bool date = false;
};
std::optional<TraceTime> read_time(std::string_view text);

/// A decimal number, as JSON writes it. Empty when it is none, or past the largest.
std::optional<double> read_number(std::string_view text);

}  // namespace ridgepoint::load
