#pragma once

#include <optional>
#include <string_view>

namespace ridgepoint::load {

enum class TimeUnit : unsigned char { seconds, milliseconds, microseconds, nanoseconds };

/// Of "s", "ms", "us" and "ns".
std::optional<TimeUnit> time_unit(std::string_view name);

/// "milliseconds".
std::string_view unit_name(TimeUnit unit);

/// How many of it a second has.
double per_second(TimeUnit unit);

/// What a number this large counts, if it counts from 1970: the largest unit that puts it before
/// the year 5138.
TimeUnit unit_by_size(double time);

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
