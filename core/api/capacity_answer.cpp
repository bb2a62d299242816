#include "api/capacity_answer.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "api/change.hpp"
#include "json/writer.hpp"

namespace ridgepoint::api {
namespace {

using json::Writer;

/// A band as far above a figure as it is below, in proportion.
std::array<double, 2> factors(double band) { return {1 / (1 + band), 1 + band}; }

void write_at_best(Writer& out, const std::optional<serve::Point>& point) {
  out.key("at_best");
  if (!point) {
    out.null();
    return;
  }
  const simulate::Outcome& outcome = point->outcome;
  out.begin_object();
  out.member("ttft_p50", outcome.ttft_s.p50);
  out.member("ttft_p99", outcome.ttft_s.p99);
  out.member("tpot_p50", outcome.tpot_s.p50);
  out.member("tpot_p99", outcome.tpot_s.p99);
  out.member("goodput", outcome.goodput ? outcome.goodput->requests_per_s : outcome.requests_per_s);
  out.member("kv_peak_share", outcome.kv_share.peak);
  out.member("output_tokens_per_s", outcome.output_tokens_per_s);
  out.end_object();
}

void write_point(Writer& out, const serve::Point& point) {
  out.begin_object();
  out.member("value", point.value);
  write_distribution(out, "ttft_s", point.outcome.ttft_s);
  write_distribution(out, "tpot_s", point.outcome.tpot_s);
  write_distribution(out, "e2e_s", point.outcome.e2e_s);
  out.member("output_tokens_per_s", point.outcome.output_tokens_per_s);
  out.member("share_meeting", point.share_meeting);
  out.member("kv_peak_share", point.outcome.kv_share.peak);
  out.member("meets", point.meets);
  out.member("piles_up", point.piles_up);
  out.end_object();
}

/// Of the least load that was too much.
serve::Limiting limit_of(const serve::CapacityAnswer& answer) {
  if (!answer.limiting) {
    return {"load", "Nothing that was tried was too much."};
  }
  if (!answer.best && !answer.curve.empty() && answer.curve.front().outcome.refused > 0) {
    return {"length", answer.curve.front().outcome.refused_why + " They get no answer."};
  }
  if (answer.limiting->what == "load") {
    return {"latency",
            "Some requests take longer than the wishes allow, though the cards are idle at times: "
            "long prompts, or several that come together."};
  }
  return *answer.limiting;
}

void write_gain(Writer& out, const serve::Gain& gain, const CapacityParts& parts) {
  const engine::Engine& engine = *parts.capacity.deployment().request().engine;
  out.begin_object();
  out.member("change", gain.remedy.told);
  out.member("how", gain.remedy.how);
  out.member("cards", gain.cards);
  out.key("edit");
  write_change(out, gain.remedy.change);
  out.key("request");
  out.value(apply_change(gain.remedy.change, engine, parts.request));
  out.member("best", gain.best);
  out.end_object();
}

void write_best(Writer& out, const serve::CapacityAnswer& answer) {
  out.key("best");
  if (!answer.best) {
    out.null();
    return;
  }
  out.begin_object();
  out.member("value", *answer.best);
  out.member("low", answer.low);
  out.member("high", answer.high);
  out.key("seeds");
  out.begin_array();
  for (const double value : answer.by_seed) {
    out.value(value);
  }
  out.end_array();
  out.end_object();
}

}  // namespace

std::optional<double> cost_per_million(std::optional<double> price_per_hour,
                                       double output_tokens_per_s) {
  if (!price_per_hour || !(output_tokens_per_s > 0)) {
    return std::nullopt;
  }
  return *price_per_hour / 3600.0 / output_tokens_per_s * 1e6;
}

SimulationAnswer setup_answer(const serve::Deployment& deployment, const simulate::Outcome& outcome,
                              const std::string& id, std::optional<double> price_per_card,
                              std::vector<std::string> assumptions) {
  SimulationAnswer answer;
  answer.id = id;
  answer.engine = deployment.request().engine->name;
  answer.version = deployment.memory().version;
  answer.scheduler = deployment.schedule().scheduler;
  answer.gpu = deployment.request().device.id;
  answer.gpus = deployment.cards();
  const speed::Bands& bands = deployment.timer().bands();
  answer.ttft_band = factors(bands.queued);
  answer.tpot_band = factors(bands.tpot);
  answer.basis = bands.measured ? basis_name(Basis::measured) : basis_name(Basis::assumed);
  const serve::Utilization used = serve::utilization(outcome);
  answer.mfu = used.mfu;
  answer.mbu = used.mbu;
  serve::Limiting limiting = serve::limiting(deployment, outcome);
  answer.limit = limiting.what;
  answer.limit_text = std::move(limiting.text);
  if (price_per_card) {
    answer.price_per_hour = *price_per_card * static_cast<double>(deployment.cards());
  }
  answer.cost_per_million_output_tokens =
      cost_per_million(answer.price_per_hour, outcome.output_tokens_per_s);
  answer.assumptions = std::move(assumptions);
  return answer;
}

std::string write_capacity(const CapacityParts& parts) {
  const serve::CapacityAnswer& answer = parts.capacity.answer();
  const serve::Deployment& deployment = parts.capacity.deployment();
  const speed::Bands& bands = deployment.timer().bands();
  Writer out;
  out.begin_object();
  out.member("id", parts.id);
  out.member("kind", "capacity");
  out.key("engine");
  out.begin_object();
  out.member("name", deployment.request().engine->name);
  out.member("version", deployment.memory().version);
  out.end_object();
  out.member("over", parts.capacity.over_name());
  write_best(out, answer);
  write_at_best(out, answer.at_best);
  out.key("curve");
  out.begin_array();
  for (const serve::Point& point : answer.curve) {
    write_point(out, point);
  }
  out.end_array();
  out.member("knee", answer.knee);
  out.key("limit");
  out.begin_object();
  const serve::Limiting limit = limit_of(answer);
  out.member("what", limit.what);
  out.member("text", limit.text);
  out.end_object();
  out.key("changes");
  out.begin_array();
  for (const serve::Gain& gain : answer.gains) {
    write_gain(out, gain, parts);
  }
  out.end_array();
  const std::optional<double> price =
      parts.price_per_card
          ? std::optional(*parts.price_per_card * static_cast<double>(deployment.cards()))
          : std::nullopt;
  out.member("cost_per_million_output_tokens",
             answer.at_best ? cost_per_million(price, answer.at_best->outcome.output_tokens_per_s)
                            : std::nullopt);
  out.member("price_per_hour", price);
  out.member("currency", parts.currency);
  write_bands(out, factors(bands.queued), factors(bands.tpot),
              basis_name(bands.measured ? Basis::measured : Basis::assumed));
  out.member("runs", answer.runs);
  out.key("assumptions");
  out.begin_array();
  for (const std::string& assumption : parts.assumptions) {
    out.value(assumption);
  }
  out.end_array();
  out.end_object();
  return out.take();
}

}  // namespace ridgepoint::api
