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
    {"arrivals", TraceColumn::time},
    {"arrivaltime", TraceColumn::time},
    {"arrivedat", TraceColumn::time},
    {"arrival", TraceColumn::time},
    {"time", TraceColumn::time},
    {"ts", TraceColumn::time},
    {"timestampms", TraceColumn::time_ms},
    {"arrivalms", TraceColumn::time_ms},
    {"arrivaltimems", TraceColumn::time_ms},
    {"timems", TraceColumn::time_ms},
    {"tms", TraceColumn::time_ms},
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

}  // namespace

std::optional<TraceColumn> trace_column(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') {
      letters.push_back(static_cast<char>(c - 'A' + 'a'));
    } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      letters.push_back(c);
    }
  }
  for (const Name& known : kNames) {
    if (known.letters == letters) {
      return known.column;
    }
  }
  return std::nullopt;
}

}  // namespace ridgepoint::load
