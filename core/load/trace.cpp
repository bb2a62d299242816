#include "load/trace.hpp"

#include <algorithm>
#include <cmath>
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

constexpr double kMillisecondsFrom = 1e11;
constexpr std::uint64_t kHashTokens = 512;  ///< of a block of Mooncake's traces
constexpr std::uint64_t kTokenBytes = 4;    ///< of text, where a trace has no counts

Error bad_trace(std::string message) {
  return {"bad_trace", std::move(message), "load.arrivals.text"};
}

Error bad_line(std::uint64_t line, std::string_view message) {
  return bad_trace(worded({"Line ", line, " of the trace: ", message}));
}

/// Puts rows together and makes a trace of them.
class TraceBuilder {
 public:
  void use_columns(bool times, bool milliseconds, bool lengths) {
    trace_.has_times = times;
    trace_.has_lengths = lengths;
    milliseconds_ = milliseconds;
  }

  Check add(const TraceFields& fields, std::uint64_t line) {
    if (trace_.rows.size() == kMostRequests) {
      return Error{"too_many_requests",
                   worded({"A trace has at most ", grouped(kMostRequests), " requests."}),
                   "load.arrivals.text"};
    }
    TraceRow row;
    if (auto wrong = read_arrival(fields, line, row)) {
      return wrong;
    }
    if (auto wrong = read_lengths(fields, line, row)) {
      return wrong;
    }
    if (trace_.has_lengths && (row.input == 0 || row.output == 0)) {
      ++without_tokens_;
      return std::nullopt;
    }
    out_of_order_ += !trace_.rows.empty() && row.arrival_s < trace_.rows.back().arrival_s ? 1 : 0;
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
      return Error{"empty_trace", "The trace has no requests.", "load.arrivals.text"};
    }
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
  Check read_arrival(const TraceFields& fields, std::uint64_t line, TraceRow& row) {
    if (!trace_.has_times) {
      return std::nullopt;
    }
    const auto& text =
        fields.at(fields.at(TraceColumn::time) ? TraceColumn::time : TraceColumn::time_ms);
    if (!text) {
      return bad_line(line, "it does not say when the request came.");
    }
    const auto time = read_time(*text);
    if (!time || std::abs(time->seconds) > kLongest * 1000) {
      return bad_line(line, worded({"\"", json::excerpt(*text, 40),
                                    "\" is no time: a number of seconds or milliseconds, or a "
                                    "date such as 2023-11-16 18:15:46.68."}));
    }
    const bool milliseconds =
        !time->date && (milliseconds_ || fields.at(TraceColumn::time_ms).has_value() ||
                        std::abs(time->seconds) >= kMillisecondsFrom);
    row.arrival_s = milliseconds ? time->seconds / 1000 : time->seconds;
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
    if (out_of_order_ != 0) {
      note("The trace was put in order of arrival.");
    }
    if (has_blocks_) {
      note("Blocks of prompts that an earlier request had are taken to be in the cache still.");
    }
  }

  Trace trace_;
  bool milliseconds_ = false;
  bool has_blocks_ = false;
  std::uint64_t without_tokens_ = 0;
  std::uint64_t out_of_order_ = 0;
  std::unordered_set<std::uint64_t> blocks_;
};

// --- Tables --------------------------------------------------------------------------------------

struct Columns {
  std::vector<std::optional<TraceColumn>> of;
  std::string ignored;

  [[nodiscard]] bool has(TraceColumn column) const {
    return std::find(of.begin(), of.end(), std::optional(column)) != of.end();
  }
};

Columns read_header(const std::vector<std::string>& names) {
  Columns columns;
  for (const std::string& name : names) {
    const auto column = trace_column(name);
    const bool again = column && columns.has(*column);
    columns.of.push_back(again ? std::nullopt : column);
    if (!column || again) {
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

Result<Trace> read_table(std::string_view text) {
  TableReader reader(text);
  std::vector<std::string> record;
  if (!reader.next(record)) {
    return reader.open_quote() ? bad_line(reader.line(), "a quote is not closed.")
                               : Error{"empty_trace", "The trace is empty.", "load.arrivals.text"};
  }
  const Columns columns = read_header(record);
  const bool times = columns.has(TraceColumn::time) || columns.has(TraceColumn::time_ms);
  const bool lengths = columns.has(TraceColumn::input);
  if (auto wrong = check_columns(times, lengths, columns.has(TraceColumn::output))) {
    return *std::move(wrong);
  }
  TraceBuilder builder;
  builder.use_columns(times, false, lengths);
  while (reader.next(record)) {
    if (record.size() != columns.of.size()) {
      return bad_line(reader.line(), worded({"it has ", std::uint64_t{record.size()},
                                             " columns, and the first line names ",
                                             std::uint64_t{columns.of.size()}, "."}));
    }
    TraceFields fields;
    for (std::size_t i = 0; i < record.size(); ++i) {
      if (columns.of[i]) {
        fields.at(*columns.of[i]) = std::move(record[i]);
      }
    }
    if (auto wrong = builder.add(fields, reader.line())) {
      return *std::move(wrong);
    }
  }
  if (reader.open_quote()) {
    return bad_line(reader.line(), "a quote is not closed.");
  }
  if (!columns.ignored.empty()) {
    builder.note(
        worded({"Columns of the trace that say nothing of the load: ", columns.ignored, "."}));
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
  Check add(const json::Value& object, std::uint64_t line) {
    if (!object.is_object()) {
      return bad_line(line,
                      worded({"an object is expected, and this is ", json::kind_of(object), "."}));
    }
    TraceFields fields;
    std::optional<std::vector<std::uint64_t>> blocks;
    for (const auto& [name, value] : object.items()) {
      const auto column = trace_column(name);
      if (column == TraceColumn::hash_ids) {
        blocks = read_blocks(value);
        if (!blocks) {
          return bad_line(line, "hash_ids is a list of whole numbers.");
        }
      } else if (column == TraceColumn::conversations) {
        turns_ = true;
        if (!read_turns(value, fields)) {
          ++short_ones_;
          return std::nullopt;
        }
      } else if (column) {
        fields.at(*column) = text_of(value);
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
  Check add_row(const TraceFields& fields, const std::optional<std::vector<std::uint64_t>>& blocks,
                std::uint64_t line) {
    if (!started_) {
      const bool times =
          fields.at(TraceColumn::time).has_value() || fields.at(TraceColumn::time_ms).has_value();
      const bool input = fields.at(TraceColumn::input).has_value();
      if (auto wrong = check_columns(times, input, fields.at(TraceColumn::output).has_value())) {
        return wrong;
      }
      builder_.use_columns(times, blocks.has_value(), input);
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

Result<Trace> read_array(std::string_view text) {
  const auto list = json::parse(text, "load.arrivals.text");
  if (!list) {
    return bad_trace(list.error().message);
  }
  ObjectReader reader;
  std::uint64_t line = 0;
  for (const json::Value& object : *list) {
    if (auto wrong = reader.add(object, ++line)) {
      return *std::move(wrong);
    }
  }
  return reader.take();
}

Result<Trace> read_lines(std::string_view text) {
  ObjectReader reader;
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

Result<Trace> read_trace(std::string_view text) {
  if (text.substr(0, 3) == "\xef\xbb\xbf") {
    text.remove_prefix(3);
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) {
    return Error{"empty_trace", "The trace is empty.", "load.arrivals.text"};
  }
  if (text[first] == '{') {
    return read_lines(text);
  }
  return text[first] == '[' ? read_array(text) : read_table(text);
}

}  // namespace ridgepoint::load
