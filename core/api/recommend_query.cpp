#include "api/recommend_query.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "api/request.hpp"
#include "hardware/prices.hpp"
#include "json/writer.hpp"

namespace ridgepoint::api {
namespace {

using json::Fields;
using json::Value;
using json::Writer;

constexpr std::uint64_t kMostCards = 64;
constexpr std::uint64_t kUsualCards = 8;
constexpr std::uint64_t kMostAnswers = 200;
constexpr std::uint64_t kUsualAnswers = 20;
constexpr std::size_t kMostEngines = 16;
constexpr std::size_t kMostNames = 1000;
constexpr double kMostSeconds = 1e6;
constexpr double kMostPrice = 1e9;
/// Each answer has the whole request in it; all of them together stay below this.
constexpr std::size_t kMostModelText = 16U << 20U;
/// Reads one query; the first error ends it.
class QueryReader {
 public:
  QueryReader(const Value& value, std::optional<std::uint64_t> context)
      : value_(value), root_(value, ""), context_(context) {}

  Result<RecommendRead> read() {
    for (const auto step :
         {&QueryReader::read_load, &QueryReader::read_engines, &QueryReader::read_constraints,
          &QueryReader::read_prices_of_query, &QueryReader::read_ranking}) {
      if (auto error = (this->*step)()) {
        return *std::move(error);
      }
    }
    return std::move(read_);
  }

 private:
  /// The workload of a request; what is asked of speed is the search's alone.
  Check read_load() {
    workload_ = Value::object();
    if (const Value* given = root_.find("workload")) {
      if (!given->is_object()) {
        return Error{"bad_value", "workload must be an object.", "workload"};
      }
      workload_ = *given;
    }
    Fields fields(workload_, "workload");
    read_.query.load.ttft_s = fields.number({"ttft_s"}, 1e-6, kMostSeconds);
    read_.query.load.tpot_s = fields.number({"tpot_s"}, 1e-6, kMostSeconds);
    if (fields.error()) {
      return *fields.error();
    }
    const bool both = fields.has("prompt") && fields.has("output");
    if (!fields.has("context") && !both && context_) {
      workload_["context"] = *context_;
    } else if (!fields.has("context") && !both) {
      return Error{"missing_field",
                   "Say how long a request is: workload.context, or prompt and output, in tokens.",
                   "workload.context"};
    }
    workload_.erase("ttft_s");
    workload_.erase("tpot_s");
    if (!fields.has("concurrency")) {
      workload_["concurrency"] = 1U;
    }
    return std::nullopt;
  }

  Check read_engines() {
    Value engines = Value::array();
    if (const Value* given = root_.find("engines")) {
      if (!given->is_array() || given->size() > kMostEngines) {
        return Error{"bad_value",
                     "engines is a list of at most " + std::to_string(kMostEngines) +
                         " objects with a name, and a version, args and env if they matter.",
                     "engines"};
      }
      engines = *given;
    }
    if (engines.empty()) {
      engines.push_back(Value::object());
    }
    for (std::size_t i = 0; i < engines.size(); ++i) {
      if (auto error = read_engine(engines[i], i)) {
        return error;
      }
    }
    return std::nullopt;
  }

  Check read_engine(const Value& engine, std::size_t index) {
    const std::string path = "engines[" + std::to_string(index) + "]";
    Value request = Value::object();
    if (const Value* model = root_.find("model")) {
      request["model"] = *model;
    }
    request["engine"] = engine;
    request["workload"] = workload_;
    // Any card does for reading the rest; its place is taken by those of the search.
    Value on_card = request;
    on_card["gpu"] = {{"id", std::string(hardware::devices().front().id)}};
    auto read = read_request(on_card);
    if (!read) {
      return of_engine(read.error(), path);
    }
    for (const plan::Request& other : read_.query.engines) {
      if (other.engine == read->engine && other.engine_version == read->engine_version) {
        return Error{"bad_value",
                     "This engine and version is listed twice; each has one answer a card.", path};
      }
    }
    read_.query.load.context = read->workload.context.value_or(0);
    read_.query.load.concurrency = read->workload.concurrency.value_or(1);
    read_.query.engines.push_back(std::move(read.value()));
    read_.requests.push_back(std::move(request));
    return std::nullopt;
  }

  static Error of_engine(Error error, const std::string& path) {
    if (error.path == "engine" || error.path.starts_with("engine.")) {
      error.path = path + error.path.substr(std::string_view("engine").size());
    }
    return error;
  }

  Check read_constraints() {
    static const Value kNone = Value::object();
    auto object = root_.object("constraints");
    if (root_.error()) {
      return *root_.error();
    }
    Fields fields = object ? *object : Fields(kNone, "constraints");
    if (auto unknown = refuse_unknown_keys(fields.raw(), "constraints",
                                           {"gpus", "vendors", "min_card_bytes", "max_card_bytes",
                                            "max_count", "counts", "interconnect", "weight_formats",
                                            "kv_formats", "pipeline", "tune", "budget_per_hour"})) {
      return unknown;
    }
    plan::Constraints& constraints = read_.query.constraints;
    constraints.vendors = names(fields, "vendors");
    constraints.freedom.weight_formats = names(fields, "weight_formats");
    constraints.freedom.kv_formats = names(fields, "kv_formats");
    const json::Range bytes{0, 1ULL << 60U};
    constraints.min_card_bytes = fields.whole_or({"min_card_bytes"}, bytes, 0);
    constraints.max_card_bytes =
        fields.whole_or({"max_card_bytes"}, bytes, constraints.max_card_bytes);
    constraints.freedom.pipeline = fields.boolean_or({"pipeline"}, true);
    constraints.freedom.tune = fields.boolean_or({"tune"}, true);
    constraints.budget_per_hour = fields.number({"budget_per_hour"}, 0.0, kMostPrice);
    read_interconnect(fields, constraints);
    read_gpus(fields, constraints);
    read_counts(fields, constraints);
    return fields.error();
  }

  /// A list of short texts; empty when it is absent.
  static std::vector<std::string> names(Fields& fields, std::string_view key) {
    std::vector<std::string> list;
    const Value* given = fields.array(key);
    if (given == nullptr) {
      return list;
    }
    const bool texts = std::all_of(given->begin(), given->end(),
                                   [](const Value& name) { return name.is_string(); });
    if (!texts || given->empty() || given->size() > kMostNames) {
      fields.fail("bad_value", key,
                  std::string(key) + " is a list of one to " + std::to_string(kMostNames) +
                      " names; leave it out to allow all.");
      return list;
    }
    for (const Value& name : *given) {
      list.push_back(name.get<std::string>());
    }
    return list;
  }

  static void read_interconnect(Fields& fields, plan::Constraints& constraints) {
    const std::string_view name = fields.text({"interconnect"}).value_or("any");
    if (name != "any" && name != "link") {
      fields.fail(
          "bad_value", "interconnect",
          "interconnect is any, or link: several cards only with NVLink, xGMI or the like.");
    }
    constraints.link = name == "link";
  }

  static void read_gpus(Fields& fields, plan::Constraints& constraints) {
    for (const std::string& name : names(fields, "gpus")) {
      const hardware::DeviceFacts* facts = hardware::find_device(name);
      if (facts == nullptr) {
        const std::string near = hardware::nearest_ids(name);
        fields.fail("unknown_gpu", "gpus",
                    "No card is known as \"" + json::excerpt(name, 60) + "\"." +
                        (near.empty() ? "" : " Close to it: " + near + "."));
        return;
      }
      constraints.gpus.emplace_back(facts->id);
    }
  }

  static void read_counts(Fields& fields, plan::Constraints& constraints) {
    const auto most = fields.whole({"max_count"}, {1, kMostCards});
    if (const Value* list = fields.array("counts")) {
      for (const Value& count : *list) {
        const bool whole = count.is_number_unsigned() && count.get<std::uint64_t>() > 0 &&
                           count.get<std::uint64_t>() <= kMostCards;
        if (!whole || list->size() > kMostCards) {
          fields.fail(
              "bad_value", "counts",
              "counts is a list of numbers of cards from 1 to " + std::to_string(kMostCards) + ".");
          return;
        }
        constraints.counts.push_back(count.get<std::uint64_t>());
      }
    } else {
      for (std::uint64_t count = 1; count <= most.value_or(kUsualCards); ++count) {
        constraints.counts.push_back(count);
      }
    }
    auto& counts = constraints.counts;
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    if (most) {
      counts.erase(std::upper_bound(counts.begin(), counts.end(), *most), counts.end());
    }
    if (counts.empty()) {
      fields.fail("bad_value", "counts",
                  "No number of cards is allowed: counts has none up to max_count.");
    }
  }

  Check read_prices_of_query() {
    auto prices = read_prices(value_);
    if (!prices) {
      return prices.error();
    }
    read_.query.prices = std::move(prices.value().prices);
    read_.list_prices = prices->of_list != 0;
    return std::nullopt;
  }

  Check read_ranking() {
    const std::string_view by = root_.text({"rank_by"}).value_or("cards");
    if (by == "price") {
      read_.query.rank_by = plan::RankBy::price;
    } else if (by == "headroom") {
      read_.query.rank_by = plan::RankBy::headroom;
    } else if (by != "cards") {
      root_.fail("bad_value", "rank_by", "rank_by is cards, price or headroom.");
    }
    read_.query.limit = root_.whole_or({"limit"}, {1, kMostAnswers}, kUsualAnswers);
    if (root_.error()) {
      return *root_.error();
    }
    if (const Value* model = root_.find("model")) {
      Writer text;
      text.value(*model);
      const std::size_t size = text.take().size();
      read_.query.limit = std::min<std::size_t>(
          read_.query.limit, std::max<std::size_t>(1, kMostModelText / (size + 1)));
    }
    return std::nullopt;
  }

  const Value& value_;
  Fields root_;
  std::optional<std::uint64_t> context_;
  Value workload_;
  RecommendRead read_;
};

}  // namespace

Result<PricesRead> read_prices(const json::Value& query) {
  Fields root(query, "");
  PricesRead read;
  const bool use_list = root.boolean_or({"use_list_prices"}, true);
  auto given = root.object("prices");
  if (root.error()) {
    return *root.error();
  }
  if (use_list) {
    for (const hardware::CardPrice& price : hardware::card_prices()) {
      read.prices.push_back({std::string(price.id), price.per_hour});
    }
  }
  read.of_list = read.prices.size();
  if (given) {
    for (const auto& item : given->raw().items()) {
      const std::string path = "prices." + json::excerpt(item.key(), 60);
      const hardware::DeviceFacts* facts = hardware::find_device(item.key());
      if (facts == nullptr) {
        return Error{"unknown_gpu",
                     "No card is known as \"" + json::excerpt(item.key(), 60) + "\".", path};
      }
      const bool number = item.value().is_number() && item.value().get<double>() >= 0 &&
                          item.value().get<double>() <= kMostPrice;
      if (!number && !item.value().is_null()) {
        return Error{"bad_value",
                     "A price is a number of the currency for one card and hour; null is no price.",
                     path};
      }
      auto& prices = read.prices;
      const auto known =
          std::find_if(prices.begin(), prices.end(),
                       [&](const plan::PriceOf& price) { return price.id == facts->id; });
      if (known != prices.end()) {
        const auto place = static_cast<std::size_t>(known - prices.begin());
        read.of_list -= place < read.of_list ? 1 : 0;
        prices.erase(known);
      }
      if (number) {
        prices.push_back({std::string(facts->id), item.value().get<double>()});
      }
    }
  }
  return read;
}

Result<RecommendRead> read_recommend(const json::Value& query,
                                     std::optional<std::uint64_t> context) {
  return QueryReader(query, context).read();
}

/// An engine's own words name the flag by its place in a request.
Error of_query(Error error, const RecommendRead& read) {
  if (error.path.starts_with("engine.") && read.query.engines.size() == 1) {
    error.path.insert(std::string_view("engine").size(), "s[0]");
  }
  return error;
}

}  // namespace ridgepoint::api
