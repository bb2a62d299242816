#include "api/recommend_answer.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "api/change.hpp"
#include "api/report.hpp"
#include "hardware/prices.hpp"

namespace ridgepoint::api {
namespace {

using json::Value;
using json::Writer;

/// The request of an answer, on its card and with its flags.
Value request_of(const plan::Answer& answer, const RecommendRead& read) {
  plan::Change change = answer.found.change();
  change.gpu_id = std::string(answer.card->id);
  change.gpu_count = answer.found.count;
  return apply_change(change, *read.query.engines[answer.engine].engine,
                      read.requests[answer.engine]);
}

void write_args(Writer& out, const Value& request) {
  out.key("args");
  const auto engine = request.find("engine");
  const bool has = engine != request.end() && engine->is_object() && engine->contains("args") &&
                   engine->at("args").is_object();
  out.value(has ? engine->at("args") : Value::object());
}

}  // namespace

void write_recommended(Writer& out, const plan::Answer& answer, const RecommendRead& read) {
  const plan::Found& found = answer.found;
  const engine::MemoryPlan& plan = found.plan;
  const Value request = request_of(answer, read);
  out.key("gpu");
  out.begin_object();
  out.member("id", answer.card->id);
  out.member("name", answer.card->name);
  out.end_object();
  out.member("count", found.count);
  out.key("engine");
  out.begin_object();
  out.member("name", read.query.engines[answer.engine].engine->name);
  out.member("version", plan.version);
  out.end_object();
  out.key("parallelism");
  out.begin_object();
  out.member("tensor", plan.parallelism.tensor);
  out.member("pipeline", plan.parallelism.pipeline);
  out.member("data", plan.parallelism.data);
  out.member("expert", plan.parallelism.expert);
  out.member("attention_groups", found.layout.attention_groups);
  out.end_object();
  out.member("weight_format", found.weights.name);
  out.member("weight_title", found.weights.title);
  out.member("kv_format", found.kv.name);
  write_args(out, request);
  out.member("price_per_hour", answer.price_per_hour);
  write_estimate(out, "max_requests", plan.max_requests);
  out.member("headroom_requests", answer.headroom_requests);
  out.member("max_context", plan.max_context);
  write_estimate(out, "kv_pool", plan.kv_pool);
  write_speed(out, found.speed);
  out.member("reason", answer.reason);
  out.member("limiting_term", answer.limiting_term);
  out.member("breaks_first", answer.breaks_first);
  out.member("request", request);
}

void write_prices(Writer& out, const RecommendRead& read) {
  out.key("prices");
  if (read.query.prices.empty()) {
    out.null();
    return;
  }
  const hardware::ListPrices& list = hardware::list_prices();
  out.begin_object();
  // A price that was given is of whatever currency the asker counts in; the list's are its own.
  if (read.list_prices) {
    out.member("currency", list.currency);
    out.member("date", list.date);
    out.member("source", list.source);
  } else {
    out.key("currency");
    out.null();
    out.key("date");
    out.null();
    out.member("source", "given in the query");
  }
  out.key("per_card_and_hour");
  out.begin_object();
  for (const plan::PriceOf& price : read.query.prices) {
    out.member(price.id, price.per_hour);
  }
  out.end_object();
  out.end_object();
}

void write_left_out(Writer& out, const std::vector<plan::LeftOut>& list) {
  out.key("left_out");
  out.begin_array();
  for (const plan::LeftOut& left : list) {
    out.begin_object();
    out.member("engine", left.engine);
    out.member("reason", left.reason);
    out.member("cards", left.cards);
    out.end_object();
  }
  out.end_array();
}

}  // namespace ridgepoint::api
