#include "load/trace_columns.hpp"

#include <iterator>

namespace ridgepoint::load {
namespace {

struct Name {
  std::string_view letters;
  TraceColumn column;
};

constexpr Name kNames[] = {
    {"timestamp", TraceColumn::time},
    {"timestamps", TraceColumn::time},
    {"arrivaltime", TraceColumn::time},
    {"arrivaltimes", TraceColumn::time},
    {"arrivedat", TraceColumn::time},
    {"arrival", TraceColumn::time},
    {"arrivals", TraceColumn::time},
    {"starttime", TraceColumn::time},
    {"requesttime", TraceColumn::time},
    {"createdat", TraceColumn::time},
    {"time", TraceColumn::time},
    {"ts", TraceColumn::time},
    {"inputtoks", TraceColumn::input},
    {"inputtokens", TraceColumn::input},
    {"inputlength", TraceColumn::input},
    {"inputlen", TraceColumn::input},
    {"promptlen", TraceColumn::input},
    {"prompttokens", TraceColumn::input},
    {"contexttokens", TraceColumn::input},
    {"requesttokens", TraceColumn::input},
    {"numprefilltokens", TraceColumn::input},
    {"outputtoks", TraceColumn::output},
    {"outputtokens", TraceColumn::output},
    {"outputlength", TraceColumn::output},
    {"outputlen", TraceColumn::output},
    {"generatedtokens", TraceColumn::output},
    {"responsetokens", TraceColumn::output},
    {"completiontokens", TraceColumn::output},
    {"numdecodetokens", TraceColumn::output},
    {"hashids", TraceColumn::hash_ids},
    {"conversations", TraceColumn::conversations},
};

struct UnitName {
  std::string_view letters;
  TimeUnit unit;
};

constexpr UnitName kUnits[] = {
    {"ms", TimeUnit::milliseconds}, {"us", TimeUnit::microseconds}, {"ns", TimeUnit::nanoseconds},
    {"sec", TimeUnit::seconds},     {"seconds", TimeUnit::seconds}, {"s", TimeUnit::seconds},
};

bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/// The letters and digits of a name, all small.
std::string letters_of(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    if (is_letter(c)) {
      letters.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    }
  }
  return letters;
}

std::optional<TraceColumn> column_of(std::string_view letters) {
  for (const Name& known : kNames) {
    if (known.letters == letters) {
      return known.column;
    }
  }
  return std::nullopt;
}

/// "t", which alone may mean anything, is a time where a unit follows.
bool is_time(std::string_view letters) {
  return letters == "t" || column_of(letters) == TraceColumn::time;
}

/// Whether the last letters of the name stand apart from those before: arrival_s, not arrivals.
bool ends_with_word(std::string_view name, std::size_t letters) {
  while (!name.empty() && !is_letter(name.back())) {
    name.remove_suffix(1);
  }
  return name.size() > letters && !is_letter(name[name.size() - letters - 1]);
}

}  // namespace

std::optional<NamedColumn> trace_column(std::string_view name) {
  const std::string letters = letters_of(name);
  const std::string_view all = letters;
  for (const UnitName& unit : kUnits) {
    const std::size_t end = unit.letters.size();
    // One letter that is no word of its own is a plural.
    if (all.size() > end && all.substr(all.size() - end) == unit.letters &&
        (end > 1 || ends_with_word(name, end)) && is_time(all.substr(0, all.size() - end))) {
      return NamedColumn{TraceColumn::time, unit.unit};
    }
  }
  const auto column = column_of(letters);
  return column ? std::optional(NamedColumn{*column, std::nullopt}) : std::nullopt;
}

}  // namespace ridgepoint::load
