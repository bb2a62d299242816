#include "api/load_query.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "api/request.hpp"
#include "load/presets.hpp"
#include "load/trace.hpp"
#include "wording.hpp"

namespace ridgepoint::api {
namespace {

using load::ArrivalKind;
using load::LengthKind;

constexpr std::string_view kWhole = "a load";
constexpr std::uint64_t kMostWhole = 1ULL << 53U;
constexpr std::size_t kMostPairs = 100'000;

Error missing(std::string_view what, std::string_view path) {
  return {"missing_field", worded({what}), std::string(path)};
}

/// A number that load::check looks at; it must be there.
Result<double> required_number(json::Fields& fields, std::string_view key) {
  const std::string path = worded({fields.path(), ".", key});
  if (const json::Value* value = fields.find(key); value != nullptr && !value->is_number()) {
    return Error{"bad_value",
                 worded({key, " must be a number, and this is ", json::kind_of(*value), "."}),
                 path};
  }
  const auto number = fields.number({key}, -1e300, 1e300);
  if (fields.error()) {
    return *fields.error();
  }
  if (!number) {
    return missing(worded({"These arrivals need ", key, "."}), path);
  }
  return *number;
}

struct ArrivalName {
  std::string_view name;
  ArrivalKind kind;
};

constexpr ArrivalName kArrivals[] = {
    {"poisson", ArrivalKind::poisson}, {"gamma", ArrivalKind::gamma},
    {"bursty", ArrivalKind::bursty},   {"closed", ArrivalKind::closed},
    {"at_once", ArrivalKind::at_once}, {"trace", ArrivalKind::trace},
};

Result<ArrivalKind> read_arrival_kind(json::Fields& fields) {
  const auto name = fields.text({"kind"});
  if (fields.error()) {
    return *fields.error();
  }
  for (const ArrivalName& known : kArrivals) {
    if (name && known.name == *name) {
      return known.kind;
    }
  }
  return Error{name ? "bad_value" : "missing_field",
               "The kind of arrivals is poisson, gamma, bursty, closed, at_once or trace.",
               "load.arrivals.kind"};
}

Check refuse_other_keys(const json::Value& value, ArrivalKind kind) {
  const std::string_view path = "load.arrivals";
  switch (kind) {
    case ArrivalKind::poisson:
      return refuse_unknown_keys(value, path, {"kind", "rate"}, kWhole);
    case ArrivalKind::gamma:
      return refuse_unknown_keys(value, path, {"kind", "rate", "burstiness"}, kWhole);
    case ArrivalKind::bursty:
      return refuse_unknown_keys(value, path, {"kind", "rate", "on_s", "off_s", "peak"}, kWhole);
    case ArrivalKind::closed:
      return refuse_unknown_keys(value, path, {"kind", "concurrency"}, kWhole);
    case ArrivalKind::at_once:
      return refuse_unknown_keys(value, path, {"kind"}, kWhole);
    case ArrivalKind::trace:
      return refuse_unknown_keys(value, path, {"kind", "text", "time_unit", "speed_up"}, kWhole);
  }
  return std::nullopt;
}

/// Reads one load.
class LoadReader {
 public:
  explicit LoadReader(const UsualLengths& usual) : usual_(usual) {}

  Result<LoadQuery> read(const json::Value& value) {
    json::Fields fields(value, "load");
    if (auto wrong = read_parts(value, fields)) {
      return *std::move(wrong);
    }
    if (auto wrong = load::check(query_.load)) {
      return *std::move(wrong);
    }
    return std::move(query_);
  }

 private:
  Check read_parts(const json::Value& value, json::Fields& fields) {
    if (auto wrong = refuse_unknown_keys(
            value, "load", {"arrivals", "requests", "lengths", "prefix", "seed", "warmup"},
            kWhole)) {
      return wrong;
    }
    if (auto wrong = read_arrivals(fields)) {
      return wrong;
    }
    if (auto wrong = read_lengths(fields)) {
      return wrong;
    }
    if (auto wrong = read_prefix(fields)) {
      return wrong;
    }
    return read_numbers(fields);
  }

  Check read_arrivals(json::Fields& fields) {
    auto arrivals = fields.object("arrivals");
    if (fields.error()) {
      return fields.error();
    }
    if (!arrivals) {
      return missing("A load says how requests arrive.", "load.arrivals");
    }
    const auto kind = read_arrival_kind(*arrivals);
    if (!kind) {
      return kind.error();
    }
    if (auto wrong = refuse_other_keys(arrivals->raw(), *kind)) {
      return wrong;
    }
    query_.load.arrivals.kind = *kind;
    switch (*kind) {
      case ArrivalKind::closed:
        return read_closed(*arrivals);
      case ArrivalKind::at_once:
        return std::nullopt;
      case ArrivalKind::trace:
        return read_trace(*arrivals);
      default:
        return read_open(*arrivals);
    }
  }

  Check read_open(json::Fields& fields) {
    load::Arrivals& a = query_.load.arrivals;
    std::vector<std::pair<std::string_view, double*>> numbers = {{"rate", &a.rate}};
    if (a.kind == ArrivalKind::gamma) {
      numbers.push_back({"burstiness", &a.burstiness});
    }
    if (a.kind == ArrivalKind::bursty) {
      numbers.push_back({"on_s", &a.on_s});
      numbers.push_back({"off_s", &a.off_s});
      numbers.push_back({"peak", &a.peak});
    }
    for (const auto& [key, target] : numbers) {
      const auto number = required_number(fields, key);
      if (!number) {
        return number.error();
      }
      *target = *number;
    }
    return std::nullopt;
  }

  Check read_closed(json::Fields& fields) {
    query_.load.arrivals.concurrency =
        fields.require_whole({"concurrency"}, {1, load::kMostConcurrency});
    return fields.error();
  }

  Check read_trace(json::Fields& fields) {
    const auto text = fields.text({"text"});
    query_.load.arrivals.speed_up = fields.number({"speed_up"}, 1e-6, 1e6).value_or(1.0);
    if (fields.error()) {
      return fields.error();
    }
    if (!text) {
      return missing("A trace is given as text, of CSV or JSON lines.", "load.arrivals.text");
    }
    const auto unit = read_time_unit(fields);
    if (!unit) {
      return unit.error();
    }
    auto trace = load::read_trace(*text, *unit);
    if (!trace) {
      return trace.error();
    }
    trace_has_lengths_ = trace->has_lengths;
    query_.load.trace = std::move(trace.value().rows);
    query_.notes = std::move(trace.value().notes);
    return std::nullopt;
  }

  static Result<std::optional<load::TimeUnit>> read_time_unit(json::Fields& fields) {
    const auto name = fields.text({"time_unit"});
    if (fields.error()) {
      return *fields.error();
    }
    const auto unit = name ? load::time_unit(*name) : std::nullopt;
    if (name && !unit) {
      return Error{"bad_value", "The unit of a trace's times is s, ms, us or ns.",
                   "load.arrivals.time_unit"};
    }
    return unit;
  }

  Check read_numbers(json::Fields& fields) {
    load::Load& load = query_.load;
    const std::uint64_t rows = load.trace.size();
    const std::uint64_t usual = load::usual_requests(load.arrivals, rows);
    // More than are simulated have an error of their own (load::check).
    const json::Value* asked = fields.find("requests");
    const bool too_many = asked != nullptr && asked->is_number() &&
                          asked->get<double>() > static_cast<double>(load::kMostRequests);
    load.requests =
        fields.whole_or({"requests"}, {1, too_many ? kMostWhole : load::kMostRequests}, usual);
    load.seed = fields.whole_or({"seed"}, {0, kMostWhole}, 1);
    load.warmup = fields.number({"warmup"}, 0, 0.9).value_or(0.0);
    if (load.arrivals.kind == ArrivalKind::trace && load.requests > rows && !fields.error()) {
      return Error{"bad_value",
                   worded({"The trace has ", grouped(rows), rows == 1 ? " request" : " requests",
                           "; ask for no more."}),
                   "load.requests"};
    }
    return fields.error();
  }

  Check read_prefix(json::Fields& fields) {
    auto prefix = fields.object("prefix");
    if (fields.error()) {
      return fields.error();
    }
    const double usual = preset_ == nullptr ? 0.0 : preset_->usual_session_share;
    load::Prefix& target = query_.load.prefix;
    if (!prefix || prefix->raw().find("session_share") == prefix->raw().end()) {
      target.session_share = usual;
      if (usual > 0) {
        query_.notes.push_back(
            worded({"Of each prompt ", decimal(100 * usual),
                    " % was sent before by its session, as is usual for ", preset_->name, "."}));
      }
    }
    if (!prefix) {
      return std::nullopt;
    }
    if (auto wrong = refuse_unknown_keys(prefix->raw(), "load.prefix",
                                         {"shared_tokens", "session_share"}, kWhole)) {
      return wrong;
    }
    target.shared_tokens = prefix->whole_or({"shared_tokens"}, {0, load::kMostTokens}, 0);
    target.session_share = prefix->number({"session_share"}, 0, 1).value_or(target.session_share);
    return prefix->error();
  }

  // --- Lengths ---

  Check read_lengths(json::Fields& fields) {
    auto lengths = fields.object("lengths");
    if (fields.error()) {
      return fields.error();
    }
    if (lengths && trace_has_lengths_) {
      return Error{"bad_value", "The trace has lengths of its own; leave load.lengths out.",
                   "load.lengths"};
    }
    if (!lengths) {
      return trace_has_lengths_ ? std::nullopt : use_usual();
    }
    const auto kind = lengths->text({"kind"}).value_or("");
    if (lengths->error()) {
      return lengths->error();
    }
    if (kind == "preset") {
      return read_preset(*lengths);
    }
    if (kind == "pairs") {
      return read_pairs(*lengths);
    }
    if (kind != "fixed" && kind != "uniform" && kind != "lognormal") {
      return Error{"bad_value",
                   "The kind of lengths is fixed, uniform, lognormal, preset or pairs.",
                   "load.lengths.kind"};
    }
    if (auto wrong = refuse_unknown_keys(lengths->raw(), "load.lengths",
                                         {"kind", "input", "output"}, kWhole)) {
      return wrong;
    }
    return read_sides(*lengths, kind);
  }

  Check use_usual() {
    if (!usual_.prompt || !usual_.output) {
      return missing(
          "A load says how long prompts and outputs are, in load.lengths or as "
          "workload.prompt and workload.output of the request.",
          "load.lengths");
    }
    query_.load.lengths.input = {*usual_.prompt, *usual_.prompt, 0, 0};
    query_.load.lengths.output = {*usual_.output, *usual_.output, 0, 0};
    return std::nullopt;
  }

  Check read_sides(json::Fields& fields, std::string_view kind) {
    load::Lengths& lengths = query_.load.lengths;
    const std::pair<std::string_view, load::LengthRule*> sides[] = {{"input", &lengths.input},
                                                                    {"output", &lengths.output}};
    lengths.kind = kind == "fixed"     ? LengthKind::fixed
                   : kind == "uniform" ? LengthKind::uniform
                                       : LengthKind::lognormal;
    for (const auto& [side, rule] : sides) {
      auto wrong = lengths.kind == LengthKind::fixed     ? read_fixed(fields, side, *rule)
                   : lengths.kind == LengthKind::uniform ? read_range(fields, side, *rule)
                                                         : read_log_normal(fields, side, *rule);
      if (wrong) {
        return wrong;
      }
    }
    return std::nullopt;
  }

  static Check read_fixed(json::Fields& fields, std::string_view side, load::LengthRule& rule) {
    rule.least = rule.most = fields.require_whole({side}, {1, load::kMostTokens});
    return fields.error();
  }

  static Check read_range(json::Fields& fields, std::string_view side, load::LengthRule& rule) {
    const json::Value* list = fields.array(side);
    if (fields.error()) {
      return fields.error();
    }
    if (list == nullptr || list->size() != 2 || !(*list)[0].is_number_unsigned() ||
        !(*list)[1].is_number_unsigned()) {
      return Error{list == nullptr ? "missing_field" : "bad_value",
                   "A range of lengths is [least, most], both whole numbers of tokens.",
                   worded({"load.lengths.", side})};
    }
    rule.least = (*list)[0].get<std::uint64_t>();
    rule.most = (*list)[1].get<std::uint64_t>();
    return std::nullopt;
  }

  static Check read_log_normal(json::Fields& fields, std::string_view side,
                               load::LengthRule& rule) {
    auto inner = fields.object(side);
    if (fields.error()) {
      return fields.error();
    }
    const std::string path = worded({"load.lengths.", side});
    if (!inner) {
      return missing("A log-normal length has mu, sigma and max.", path);
    }
    if (auto wrong = refuse_unknown_keys(inner->raw(), path, {"mu", "sigma", "max"}, kWhole)) {
      return wrong;
    }
    const auto mu = inner->number({"mu"}, -20, 20);
    const auto sigma = inner->number({"sigma"}, 0, 10);
    rule.most = inner->require_whole({"max"}, {1, load::kMostTokens});
    if (!inner->error() && (!mu || !sigma)) {
      return missing("A log-normal length has mu and sigma, of the natural logarithm of tokens.",
                     worded({path, mu ? ".sigma" : ".mu"}));
    }
    rule.mu = mu.value_or(0.0);
    rule.sigma = sigma.value_or(0.0);
    return inner->error();
  }

  Check read_preset(json::Fields& fields) {
    if (auto wrong = refuse_unknown_keys(fields.raw(), "load.lengths", {"kind", "name"}, kWhole)) {
      return wrong;
    }
    const auto name = fields.text({"name"});
    if (fields.error()) {
      return fields.error();
    }
    const load::Preset* preset = load::find_preset(name.value_or(""));
    if (preset == nullptr) {
      return Error{name ? "unknown_preset" : "missing_field",
                   worded({"Lengths by name are ", load::preset_names(), "."}),
                   "load.lengths.name"};
    }
    preset_ = preset;
    query_.load.lengths = {LengthKind::lognormal, preset->input, preset->output, {}};
    query_.notes.push_back(worded({"Lengths: ", preset->source, "."}));
    return std::nullopt;
  }

  Check read_pairs(json::Fields& fields) {
    if (auto wrong = refuse_unknown_keys(fields.raw(), "load.lengths", {"kind", "pairs"}, kWhole)) {
      return wrong;
    }
    const json::Value* list = fields.array("pairs");
    if (fields.error()) {
      return fields.error();
    }
    if (list == nullptr || list->empty() || list->size() > kMostPairs) {
      return Error{
          list == nullptr ? "missing_field" : "bad_value",
          worded({"Lengths in pairs are 1 to ", grouped(kMostPairs), " times [prompt, output]."}),
          "load.lengths.pairs"};
    }
    load::Lengths& lengths = query_.load.lengths;
    lengths.kind = LengthKind::pairs;
    for (std::size_t i = 0; i < list->size(); ++i) {
      const auto pair = read_pair((*list)[i], i);
      if (!pair) {
        return pair.error();
      }
      lengths.pairs.push_back(*pair);
    }
    return std::nullopt;
  }

  static Result<load::Pair> read_pair(const json::Value& value, std::uint64_t index) {
    const auto token_count = [](const json::Value& number) {
      return number.is_number_unsigned() && number.get<std::uint64_t>() >= 1 &&
             number.get<std::uint64_t>() <= load::kMostTokens;
    };
    if (!value.is_array() || value.size() != 2 || !token_count(value[0]) ||
        !token_count(value[1])) {
      return Error{"bad_value",
                   worded({"A pair is [prompt, output], each from 1 to ",
                           grouped(load::kMostTokens), " tokens."}),
                   worded({"load.lengths.pairs[", index, "]"})};
    }
    return load::Pair{value[0].get<std::uint32_t>(), value[1].get<std::uint32_t>()};
  }

  const UsualLengths& usual_;
  LoadQuery query_;
  const load::Preset* preset_ = nullptr;
  bool trace_has_lengths_ = false;
};

}  // namespace

Result<LoadQuery> read_load(const json::Value* value, const UsualLengths& usual) {
  if (value == nullptr) {
    return missing("A simulation needs the load that it serves.", "load");
  }
  if (!value->is_object()) {
    return Error{"bad_value",
                 worded({"A load is an object, and this is ", json::kind_of(*value), "."}), "load"};
  }
  return LoadReader(usual).read(*value);
}

Result<simulate::Slo> read_slo(const json::Value* value) {
  simulate::Slo slo;
  if (value == nullptr) {
    return slo;
  }
  if (!value->is_object()) {
    return Error{"bad_value",
                 worded({"Wishes are an object, and this is ", json::kind_of(*value), "."}), "slo"};
  }
  if (auto wrong = refuse_unknown_keys(
          *value, "slo", {"ttft_s", "tpot_s", "itl_s", "e2e_s", "percentile"}, "wishes")) {
    return *std::move(wrong);
  }
  constexpr double kShortest = 1e-9;
  json::Fields fields(*value, "slo");
  slo.ttft_s = fields.number({"ttft_s"}, kShortest, load::kLongest).value_or(0.0);
  slo.tpot_s = fields.number({"tpot_s"}, kShortest, load::kLongest).value_or(0.0);
  slo.itl_s = fields.number({"itl_s"}, kShortest, load::kLongest).value_or(0.0);
  slo.e2e_s = fields.number({"e2e_s"}, kShortest, load::kLongest).value_or(0.0);
  slo.percentile = fields.number({"percentile"}, kShortest, 1).value_or(slo.percentile);
  if (fields.error()) {
    return *fields.error();
  }
  return slo;
}

}  // namespace ridgepoint::api
