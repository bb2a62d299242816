#include "load/trace_time.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "json/read_number.hpp"

namespace ridgepoint::load {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Walks over a text from its front.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  [[nodiscard]] bool done() const { return at_ == text_.size(); }
  [[nodiscard]] char peek() const { return done() ? '\0' : text_[at_]; }

  bool skip(char c) {
    if (peek() != c || done()) {
      return false;
    }
    ++at_;
    return true;
  }

  /// Exactly that many digits, of a number that is not above `most`.
  std::optional<std::uint64_t> digits(int count, std::uint64_t most) {
    std::uint64_t value = 0;
    for (int i = 0; i < count; ++i) {
      if (!is_digit(peek())) {
        return std::nullopt;
      }
      value = 10 * value + static_cast<std::uint64_t>(text_[at_++] - '0');
    }
    return value <= most ? std::optional(value) : std::nullopt;
  }

  /// All digits that follow; how many.
  std::uint64_t skip_digits() {
    std::uint64_t count = 0;
    for (; is_digit(peek()); ++count) {
      ++at_;
    }
    return count;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

/// Days since 1970-01-01 in the Gregorian calendar (Hinnant, chrono-compatible date algorithms).
double days_of(std::uint64_t year, std::uint64_t month, std::uint64_t day) {
  const std::uint64_t y = year - (month <= 2 ? 1 : 0);
  const std::uint64_t era = y / 400;
  const std::uint64_t of_era = y - era * 400;
  const std::uint64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  const std::uint64_t days = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
  return static_cast<double>(era * 146097 + days) - 719468;
}

std::optional<double> read_fraction(Cursor& cursor) {
  double value = 0;
  double place = 1;
  if (!cursor.skip('.')) {
    return 0.0;
  }
  int count = 0;
  while (is_digit(cursor.peek())) {
    const auto digit = cursor.digits(1, 9);
    place /= 10;
    value += place * static_cast<double>(digit.value_or(0));
    ++count;
  }
  return count > 0 ? std::optional(value) : std::nullopt;
}

/// Seconds that a zone is ahead.
std::optional<double> read_zone(Cursor& cursor) {
  if (cursor.done() || cursor.skip('Z') || cursor.skip('z')) {
    return 0.0;
  }
  const double sign = cursor.peek() == '-' ? -1 : 1;
  if (!cursor.skip('-') && !cursor.skip('+')) {
    return std::nullopt;
  }
  const auto hours = cursor.digits(2, 23);
  cursor.skip(':');
  const auto minutes = cursor.done() ? std::optional<std::uint64_t>(0) : cursor.digits(2, 59);
  if (!hours || !minutes) {
    return std::nullopt;
  }
  return sign * static_cast<double>(*hours * 3600 + *minutes * 60);
}

std::optional<double> read_date(std::string_view text) {
  Cursor cursor(text);
  const auto year = cursor.digits(4, 9999);
  if (!year || *year < 1970 || !cursor.skip('-')) {
    return std::nullopt;
  }
  const auto month = cursor.digits(2, 12);
  if (!month || *month == 0 || !cursor.skip('-')) {
    return std::nullopt;
  }
  const auto day = cursor.digits(2, 31);
  if (!day || *day == 0) {
    return std::nullopt;
  }
  const double date = days_of(*year, *month, *day) * 86400;
  if (cursor.done()) {
    return date;
  }
  if (!cursor.skip('T') && !cursor.skip(' ')) {
    return std::nullopt;
  }
  const auto hour = cursor.digits(2, 23);
  const auto minute = cursor.skip(':') ? cursor.digits(2, 59) : std::nullopt;
  const auto second = cursor.skip(':') ? cursor.digits(2, 60) : std::nullopt;
  if (!hour || !minute || !second) {
    return std::nullopt;
  }
  const auto fraction = read_fraction(cursor);
  const auto zone = fraction ? read_zone(cursor) : std::nullopt;
  if (!zone || !cursor.done()) {
    return std::nullopt;
  }
  return date + static_cast<double>(*hour * 3600 + *minute * 60 + *second) + *fraction - *zone;
}

/// Whether it is a number of JSON's grammar, leading zeros allowed.
bool is_number(std::string_view text) {
  Cursor cursor(text);
  cursor.skip('-');
  if (cursor.skip_digits() == 0) {
    return false;
  }
  if (cursor.skip('.') && cursor.skip_digits() == 0) {
    return false;
  }
  if (cursor.skip('e') || cursor.skip('E')) {
    if (!cursor.skip('-')) {
      cursor.skip('+');
    }
    if (cursor.skip_digits() == 0) {
      return false;
    }
  }
  return cursor.done();
}

struct Unit {
  std::string_view letters;
  std::string_view name;
  double per_second;
};

constexpr Unit kUnits[] = {
    {"s", "seconds", 1},
    {"ms", "milliseconds", 1e3},
    {"us", "microseconds", 1e6},
    {"ns", "nanoseconds", 1e9},
};

const Unit& of(TimeUnit unit) { return kUnits[static_cast<std::size_t>(unit)]; }

}  // namespace

std::optional<TimeUnit> time_unit(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kUnits); ++i) {
    if (kUnits[i].letters == name) {
      return static_cast<TimeUnit>(i);
    }
  }
  return std::nullopt;
}

std::string_view unit_name(TimeUnit unit) { return of(unit).name; }

double per_second(TimeUnit unit) { return of(unit).per_second; }

TimeUnit unit_by_size(double time) {
  constexpr double kYear5138 = 1e11;  // seconds since 1970
  std::size_t unit = 0;
  while (unit + 1 < std::size(kUnits) && std::abs(time) >= kYear5138 * kUnits[unit].per_second) {
    ++unit;
  }
  return static_cast<TimeUnit>(unit);
}

std::optional<double> read_number(std::string_view text) {
  constexpr std::size_t kLongest = 400;
  if (text.size() > kLongest || !is_number(text)) {
    return std::nullopt;
  }
  const double value = json::nearest_double(text);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<TraceTime> read_time(std::string_view text) {
  if (const auto number = read_number(text)) {
    return TraceTime{*number, false};
  }
  if (const auto date = read_date(text)) {
    return TraceTime{*date, true};
  }
  return std::nullopt;
}

}  // namespace ridgepoint::load
