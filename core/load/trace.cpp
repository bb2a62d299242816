#include "load/trace.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>
#include <utility>

#include "json/fields.hpp"
#include "load/trace_columns.hpp"
#include "load/trace_table.hpp"
#include "load/trace_time.hpp"
#include "wording.hpp"

namespace ridgepoint::load {
namespace {

constexpr std::uint64_t kHashTokens = 512;  ///< of a block of Mooncake's traces
constexpr std::uint64_t kTokenBytes = 4;    ///< of text, where a trace has no counts

Error bad_trace(std::string message) {
  return {"bad_trace", std::move(message), "load.arrivals.text"};
}

Error bad_line(std::uint64_t line, std::string_view message) {
  return bad_trace(worded({"Line ", line, " of the trace: ", message}));
}

/// Which of two names says the same: a reader cannot tell which is meant.
Error said_twice(std::string_view one, std::string_view other) {
  return bad_trace(worded({"The trace says the same twice, in ", json::excerpt(one, 40), " and ",
                           json::excerpt(other, 40), "; leave one of them out."}));
}

/// Where a trace's times are, and what is known of their unit.
struct TimeColumn {
  std::string name;
  std::optional<TimeUnit> named;
  bool with_blocks = false;
};

/// Puts rows together and makes a trace of them.
class TraceBuilder {
 public:
  explicit TraceBuilder(std::optional<TimeUnit> stated) : stated_(stated) {}

  void use_columns(std::optional<TimeColumn> times, bool lengths) {
    trace_.has_times = times.has_value();
    trace_.has_lengths = lengths;
    times_ = std::move(times).value_or(TimeColumn());
  }

  Check add(const TraceFields& fields, std::uint64_t line) {
    if (trace_.rows.size() == kMostRequests) {
      return Error{"too_many_requests",
                   worded({"A trace has at most ", grouped(kMostRequests), " requests."}),
                   "load.arrivals.text"};
    }
    TraceRow row;
    bool date = false;
    if (auto wrong = read_arrival(fields, line, row, date)) {
      return wrong;
    }
    if (auto wrong = read_lengths(fields, line, row)) {
      return wrong;
    }
    if (trace_.has_lengths && (row.input == 0 || row.output == 0)) {
      ++without_tokens_;
      return std::nullopt;
    }
    if (trace_.has_times) {
      dates_.push_back(date);
      latest_number_ = date ? latest_number_ : std::max(latest_number_, std::abs(row.arrival_s));
    }
    trace_.rows.push_back(row);
    return std::nullopt;
  }

  /// The front of the prompt by its blocks; those that came before are cached.
  void add_blocks(const std::vector<std::uint64_t>& ids) {
    if (trace_.rows.empty()) {
      return;
    }
    std::uint64_t known = 0;
    while (known < ids.size() && blocks_.count(ids[known]) != 0) {
      ++known;
    }
    blocks_.insert(ids.begin() + static_cast<std::ptrdiff_t>(known), ids.end());
    TraceRow& row = trace_.rows.back();
    row.repeated =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(known * kHashTokens, row.input));
    has_blocks_ = true;
  }

  [[nodiscard]] std::uint64_t rows() const { return trace_.rows.size(); }
  void note(std::string text) { trace_.notes.push_back(std::move(text)); }

  Result<Trace> take() {
    if (trace_.rows.empty()) {
      return nothing_left();
    }
    settle_times();
    std::stable_sort(
        trace_.rows.begin(), trace_.rows.end(),
        [](const TraceRow& a, const TraceRow& b) { return a.arrival_s < b.arrival_s; });
    const double first = trace_.rows.front().arrival_s;
    for (TraceRow& row : trace_.rows) {
      row.arrival_s -= first;
    }
    if (!(trace_.rows.back().arrival_s <= kLongest)) {
      return bad_trace("The trace goes over more than 1e12 seconds.");
    }
    add_notes();
    return std::move(trace_);
  }

 private:
  [[nodiscard]] Error nothing_left() const {
    return {"empty_trace",
            without_tokens_ == 0
                ? std::string("The trace has no requests.")
                : worded({"No line of the trace has both prompt and output tokens, and those "
                          "without are left out: no request remains."}),
            "load.arrivals.text"};
  }

  /// Makes seconds of numbers: their unit is known once all of them are.
  void settle_times() {
    if (!trace_.has_times) {
      return;
    }
    const bool numbers = std::find(dates_.begin(), dates_.end(), false) != dates_.end();
    const double divisor = numbers ? per_second(settle_unit()) : 1;
    for (std::size_t i = 0; i < dates_.size(); ++i) {
      if (!dates_[i]) {
        trace_.rows[i].arrival_s /= divisor;
      }
      out_of_order_ =
          out_of_order_ || (i > 0 && trace_.rows[i].arrival_s < trace_.rows[i - 1].arrival_s);
    }
  }

  TimeUnit settle_unit() {
    const TimeUnit by_size = unit_by_size(latest_number_);
    TimeUnit unit = by_size;
    std::string_view why = "as nothing names another unit; a column named timestamp_ms would.";
    if (stated_) {
      unit = *stated_;
      why = "as was stated.";
    } else if (times_.named) {
      unit = *times_.named;
      why = "as its name says.";
    } else if (by_size != TimeUnit::seconds) {
      why =
          "for numbers so large count from 1970; a column named timestamp_s would say "
          "otherwise.";
    } else if (times_.with_blocks) {
      unit = TimeUnit::milliseconds;
      why = "for they go with hash_ids; a column named timestamp_s would say seconds.";
    }
    note(worded({"Times of the column ", json::excerpt(times_.name, 40), " are taken as ",
                 unit_name(unit), ", ", why}));
    return unit;
  }

  Check read_arrival(const TraceFields& fields, std::uint64_t line, TraceRow& row,
                     bool& date) const {
    if (!trace_.has_times) {
      return std::nullopt;
    }
    const auto& text = fields.at(TraceColumn::time);
    if (!text) {
      return bad_line(line, "it does not say when the request came.");
    }
    if (fields.time_unit != times_.named) {
      return bad_line(
          line, worded({"its time is called ", json::excerpt(fields.time_name, 40),
                        ", and that of the first line ", json::excerpt(times_.name, 40), "."}));
    }
    const auto time = read_time(*text);
    if (!time || std::abs(time->seconds) > kLongest * per_second(TimeUnit::nanoseconds)) {
      return bad_line(line, worded({"\"", json::excerpt(*text, 40),
                                    "\" is no time: a number of seconds or milliseconds, or a "
                                    "date such as 2023-11-16 18:15:46.68."}));
    }
    row.arrival_s = time->seconds;
    date = time->date;
    return std::nullopt;
  }

  Check read_length(const std::optional<std::string>& text, std::uint64_t line,
                    std::string_view what, std::uint32_t& length) const {
    if (!text) {
      return bad_line(line, worded({"it does not say how long the ", what, " is."}));
    }
    const auto number = read_number(*text);
    const bool whole = number && *number >= 0 && std::floor(*number) == *number;
    if (!whole || *number > static_cast<double>(kMostTokens)) {
      return bad_line(line,
                      worded({"\"", json::excerpt(*text, 40), "\" is no length of the ", what,
                              ": a whole number of tokens up to ", grouped(kMostTokens), "."}));
    }
    length = static_cast<std::uint32_t>(*number);
    return std::nullopt;
  }

  Check read_lengths(const TraceFields& fields, std::uint64_t line, TraceRow& row) const {
    if (!trace_.has_lengths) {
      return std::nullopt;
    }
    if (auto wrong = read_length(fields.at(TraceColumn::input), line, "prompt", row.input)) {
      return wrong;
    }
    return read_length(fields.at(TraceColumn::output), line, "output", row.output);
  }

  void add_notes() {
    if (!trace_.has_times) {
      note("The trace does not say when requests came: all come at once.");
    }
    if (without_tokens_ != 0) {
      note(worded({grouped(without_tokens_), without_tokens_ == 1 ? " line" : " lines",
                   " without prompt or output tokens are left out."}));
    }
    if (out_of_order_) {
      note("The trace was put in order of arrival.");
    }
    if (has_blocks_) {
      note("Blocks of prompts that an earlier request had are taken to be in the cache still.");
    }
  }

  Trace trace_;
  std::optional<TimeUnit> stated_;
  TimeColumn times_;
  std::vector<bool> dates_;  ///< of each row: its time is a date
  double latest_number_ = 0;
  bool has_blocks_ = false;
  bool out_of_order_ = false;
  std::uint64_t without_tokens_ = 0;
  std::unordered_set<std::uint64_t> blocks_;
};

// --- Tables --------------------------------------------------------------------------------------

struct Columns {
  std::vector<std::optional<NamedColumn>> of;
  std::string ignored;

  [[nodiscard]] std::optional<std::size_t> place(TraceColumn column) const {
    for (std::size_t i = 0; i < of.size(); ++i) {
      if (of[i] && of[i]->column == column) {
        return i;
      }
    }
    return std::nullopt;
  }
};

Result<Columns> read_header(const std::vector<std::string>& names) {
  Columns columns;
  for (const std::string& name : names) {
    const auto column = trace_column(name);
    const auto before = column ? columns.place(column->column) : std::nullopt;
    if (before) {
      return said_twice(names[*before], name);
    }
    columns.of.push_back(column);
    if (!column) {
      columns.ignored += (columns.ignored.empty() ? "" : ", ") + json::excerpt(name, 40);
    }
  }
  return columns;
}

Check check_columns(bool times, bool input, bool output) {
  if (input != output) {
    return bad_trace(worded({"The trace says how long the ", input ? "prompts" : "outputs",
                             " are, and not the ", input ? "outputs." : "prompts."}));
  }
  if (!times && !input) {
    return bad_trace(
        "The first line names the columns, and none of these names is known: a trace has a time "
        "(timestamp, arrival_s …), a prompt (input_tokens, ContextTokens, prompt_len …) and an "
        "output (output_tokens, GeneratedTokens, output_len …).");
  }
  return std::nullopt;
}

/// The lines below the first, which names the columns.
Check read_records(TableReader& reader, const Columns& columns, TraceBuilder& builder) {
  std::vector<std::string> record;
  while (reader.next(record)) {
    if (record.size() != columns.of.size()) {
      return bad_line(reader.line(), worded({"it has ", std::uint64_t{record.size()},
                                             " columns, and the first line names ",
                                             std::uint64_t{columns.of.size()}, "."}));
    }
    TraceFields fields;
    for (std::size_t i = 0; i < record.size(); ++i) {
      if (columns.of[i]) {
        fields.at(columns.of[i]->column) = std::move(record[i]);
        fields.time_unit = columns.of[i]->unit ? columns.of[i]->unit : fields.time_unit;
      }
    }
    if (auto wrong = builder.add(fields, reader.line())) {
      return wrong;
    }
  }
  return reader.open_quote() ? Check(bad_line(reader.line(), "a quote is not closed."))
                             : std::nullopt;
}

Result<Trace> read_table(std::string_view text, std::optional<TimeUnit> stated) {
  TableReader reader(text);
  std::vector<std::string> names;
  if (!reader.next(names)) {
    return reader.open_quote() ? bad_line(reader.line(), "a quote is not closed.")
                               : Error{"empty_trace", "The trace is empty.", "load.arrivals.text"};
  }
  const auto columns = read_header(names);
  if (!columns) {
    return columns.error();
  }
  const auto time = columns->place(TraceColumn::time);
  const bool lengths = columns->place(TraceColumn::input).has_value();
  if (auto wrong = check_columns(time.has_value(), lengths,
                                 columns->place(TraceColumn::output).has_value())) {
    return *std::move(wrong);
  }
  TraceBuilder builder(stated);
  builder.use_columns(time
                          ? std::optional(TimeColumn{names[*time], columns->of[*time]->unit, false})
                          : std::nullopt,
                      lengths);
  if (auto wrong = read_records(reader, *columns, builder)) {
    return *std::move(wrong);
  }
  if (!columns->ignored.empty()) {
    builder.note(
        worded({"Columns of the trace that say nothing of the load: ", columns->ignored, "."}));
  }
  return builder.take();
}

// --- JSON ----------------------------------------------------------------------------------------

/// A value as a table would have it.
std::optional<std::string> text_of(const json::Value& value) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  return value.is_number() ? std::optional(value.dump()) : std::nullopt;
}

/// Prompt and output of a conversation's first two turns, by the bytes of their text.
bool read_turns(const json::Value& turns, TraceFields& fields) {
  if (!turns.is_array() || turns.size() < 2) {
    return false;
  }
  const TraceColumn sides[] = {TraceColumn::input, TraceColumn::output};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto* said =
        turns[i].is_object() && turns[i].contains("value") ? &turns[i]["value"] : nullptr;
    if (said == nullptr || !said->is_string()) {
      return false;
    }
    const std::uint64_t bytes = said->get_ref<const std::string&>().size();
    fields.at(sides[i]) = std::to_string((bytes + kTokenBytes - 1) / kTokenBytes);
  }
  return true;
}

std::optional<std::vector<std::uint64_t>> read_blocks(const json::Value& list) {
  if (!list.is_array()) {
    return std::nullopt;
  }
  std::vector<std::uint64_t> ids;
  for (const json::Value& id : list) {
    if (!id.is_number_unsigned()) {
      return std::nullopt;
    }
    ids.push_back(id.get<std::uint64_t>());
  }
  return ids;
}

/// Reads objects, a line or an element each.
class ObjectReader {
 public:
  explicit ObjectReader(std::optional<TimeUnit> stated) : builder_(stated) {}

  Check add(const json::Value& object, std::uint64_t line) {
    if (!object.is_object()) {
      return bad_line(line,
                      worded({"an object is expected, and this is ", json::kind_of(object), "."}));
    }
    TraceFields fields;
    Blocks blocks;
    std::array<std::string_view, kTraceColumns> names;
    for (const auto& [name, value] : object.items()) {
      const auto known = trace_column(name);
      if (!known) {
        continue;
      }
      std::string_view& before = names[static_cast<std::size_t>(known->column)];
      if (!before.empty()) {
        return said_twice(before, name);
      }
      before = name;
      if (known->column == TraceColumn::time) {
        fields.time_name = name;
        fields.time_unit = known->unit;
      }
      if (known->column == TraceColumn::conversations && !read_turns(value, fields)) {
        turns_ = true;
        ++short_ones_;
        return std::nullopt;
      }
      if (auto wrong = read_member(known->column, value, line, fields, blocks)) {
        return wrong;
      }
    }
    return add_row(fields, blocks, line);
  }

  Result<Trace> take() {
    if (turns_) {
      builder_.note(
          "Lengths of conversations are those of their first two turns, four bytes of "
          "text to a token.");
    }
    if (short_ones_ != 0) {
      builder_.note(
          worded({grouped(short_ones_), short_ones_ == 1 ? " conversation" : " conversations",
                  " of fewer than two turns are left out."}));
    }
    return builder_.take();
  }

 private:
  using Blocks = std::optional<std::vector<std::uint64_t>>;

  Check read_member(TraceColumn column, const json::Value& value, std::uint64_t line,
                    TraceFields& fields, Blocks& blocks) {
    if (column == TraceColumn::conversations) {
      turns_ = true;
    } else if (column != TraceColumn::hash_ids) {
      fields.at(column) = text_of(value);
    } else {
      blocks = read_blocks(value);
      if (!blocks) {
        return bad_line(line, "hash_ids is a list of whole numbers.");
      }
    }
    return std::nullopt;
  }

  Check add_row(const TraceFields& fields, const Blocks& blocks, std::uint64_t line) {
    if (!started_) {
      const bool times = fields.at(TraceColumn::time).has_value();
      const bool input = fields.at(TraceColumn::input).has_value();
      if (auto wrong = check_columns(times, input, fields.at(TraceColumn::output).has_value())) {
        return wrong;
      }
      builder_.use_columns(
          times ? std::optional(TimeColumn{fields.time_name, fields.time_unit, blocks.has_value()})
                : std::nullopt,
          input);
      started_ = true;
    }
    const std::uint64_t before = builder_.rows();
    auto wrong = builder_.add(fields, line);
    if (!wrong && blocks && builder_.rows() > before) {
      builder_.add_blocks(*blocks);
    }
    return wrong;
  }

  TraceBuilder builder_;
  bool started_ = false;
  bool turns_ = false;
  std::uint64_t short_ones_ = 0;
};

Result<Trace> read_array(std::string_view text, std::optional<TimeUnit> stated) {
  const auto list = json::parse(text, "load.arrivals.text");
  if (!list) {
    return bad_trace(list.error().message);
  }
  ObjectReader reader(stated);
  std::uint64_t line = 0;
  for (const json::Value& object : *list) {
    if (auto wrong = reader.add(object, ++line)) {
      return *std::move(wrong);
    }
  }
  return reader.take();
}

Result<Trace> read_lines(std::string_view text, std::optional<TimeUnit> stated) {
  ObjectReader reader(stated);
  std::uint64_t line = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view one = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line;
    if (one.find_first_not_of(" \t\r") == std::string_view::npos) {
      continue;
    }
    const auto object = json::parse(one, "load.arrivals.text");
    if (!object) {
      return bad_line(line, "it is not JSON.");
    }
    if (auto wrong = reader.add(*object, line)) {
      return *std::move(wrong);
    }
  }
  return reader.take();
}

}  // namespace

Result<Trace> read_trace(std::string_view text, std::optional<TimeUnit> stated) {
  if (text.substr(0, 3) == "\xef\xbb\xbf") {
    text.remove_prefix(3);
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) {
    return Error{"empty_trace", "The trace is empty.", "load.arrivals.text"};
  }
  if (text[first] == '{') {
    return read_lines(text, stated);
  }
  return text[first] == '[' ? read_array(text, stated) : read_table(text, stated);
}

}  // namespace ridgepoint::load
