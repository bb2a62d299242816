#include "api/simulation_answer.hpp"

#include <string_view>

#include "json/writer.hpp"

namespace ridgepoint::api {
namespace {

using json::Writer;
using simulate::Distribution;
using simulate::Outcome;

void write_mean(Writer& out, std::string_view name, const simulate::Mean& mean) {
  out.key(name);
  out.begin_object();
  out.member("mean", mean.mean);
  out.member("peak", mean.peak);
  out.end_object();
}

void write_numbers(Writer& out, std::string_view name, const std::vector<double>& numbers) {
  out.key(name);
  out.begin_array();
  for (const double number : numbers) {
    out.value(number);
  }
  out.end_array();
}

void write_setup(Writer& out, const SimulationAnswer& answer) {
  out.key("engine");
  out.begin_object();
  out.member("name", answer.engine);
  out.member("version", answer.version);
  out.end_object();
  out.member("scheduler", scheduler_name(answer.scheduler));
  out.key("gpu");
  out.begin_object();
  out.member("id", answer.gpu);
  out.member("count", answer.gpus);
  out.end_object();
}

void write_requests(Writer& out, const SimulationAnswer& answer, const Outcome& outcome) {
  out.key("requests");
  out.begin_object();
  out.member("asked", outcome.asked);
  out.member("finished", outcome.finished);
  out.member("refused", outcome.refused);
  out.member("refused_why", outcome.refused_why);
  out.member("longest", answer.longest);
  out.end_object();
  out.member("stopped", outcome.stopped);
  out.member("duration_s", outcome.duration_s);
}

void write_band(Writer& out, std::string_view name, const std::array<double, 2>& band) {
  out.key(name);
  out.begin_array();
  out.value(band[0]);
  out.value(band[1]);
  out.end_array();
}

void write_latency(Writer& out, const SimulationAnswer& answer, const Outcome& outcome) {
  out.key("latency");
  out.begin_object();
  write_distribution(out, "ttft_s", outcome.ttft_s);
  write_distribution(out, "tpot_s", outcome.tpot_s);
  write_distribution(out, "itl_s", outcome.itl_s);
  write_distribution(out, "e2e_s", outcome.e2e_s);
  write_distribution(out, "queue_s", outcome.queue_s);
  out.end_object();
  write_bands(out, answer.ttft_band, answer.tpot_band, answer.basis);
}

void write_throughput(Writer& out, const Outcome& outcome) {
  out.key("throughput");
  out.begin_object();
  out.member("requests_per_s", outcome.requests_per_s);
  out.member("output_tokens_per_s", outcome.output_tokens_per_s);
  out.member("total_tokens_per_s", outcome.total_tokens_per_s);
  out.end_object();
  out.key("goodput");
  if (!outcome.goodput) {
    out.null();
    return;
  }
  out.begin_object();
  out.member("requests_per_s", outcome.goodput->requests_per_s);
  out.member("share", outcome.goodput->share);
  out.member("meets", outcome.goodput->meets);
  out.end_object();
}

void write_levels(Writer& out, const Outcome& outcome) {
  out.key("kv");
  out.begin_object();
  out.member("tokens", outcome.kv_tokens);
  out.member("mean_share", outcome.kv_share.mean);
  out.member("peak_share", outcome.kv_share.peak);
  out.end_object();
  write_mean(out, "running", outcome.running);
  write_mean(out, "waiting", outcome.waiting);
  out.member("preemptions", outcome.preemptions);
  out.member("recomputed_tokens", outcome.recomputed_tokens);
  out.member("prefix_hit_tokens", outcome.prefix_hit_tokens);
  out.member("steps", outcome.steps);
}

void write_step_time(Writer& out, const Outcome& outcome) {
  const speed::StepTime& time = outcome.step_time;
  out.key("step_time");
  out.begin_object();
  out.member("total_s", time.total);
  out.member("host_s", time.host);
  out.member("linear_s", time.linear);
  out.member("attention_s", time.attention);
  out.member("experts_s", time.experts);
  out.member("communication_s", time.communication);
  out.member("head_s", time.head);
  out.member("elementwise_s", time.elementwise);
  out.member("idle_s", outcome.idle_s);
  out.end_object();
}

void write_series(Writer& out, const simulate::Series& series) {
  out.key("series");
  out.begin_object();
  write_numbers(out, "t_s", series.t_s);
  write_numbers(out, "kv_share", series.kv_share);
  write_numbers(out, "running", series.running);
  write_numbers(out, "waiting", series.waiting);
  write_numbers(out, "output_tokens_per_s", series.output_tokens_per_s);
  write_numbers(out, "preemptions", series.preemptions);
  out.end_object();
}

void write_reasons(Writer& out, const SimulationAnswer& answer) {
  out.key("limit");
  out.begin_object();
  out.member("what", answer.limit);
  out.member("text", answer.limit_text);
  out.end_object();
  out.member("cost_per_million_output_tokens", answer.cost_per_million_output_tokens);
  out.member("price_per_hour", answer.price_per_hour);
  out.member("currency", answer.currency);
  out.key("assumptions");
  out.begin_array();
  for (const std::string& assumption : answer.assumptions) {
    out.value(assumption);
  }
  out.end_array();
}

}  // namespace

std::string_view scheduler_name(engine::Scheduler scheduler) {
  switch (scheduler) {
    case engine::Scheduler::vllm_v1:
      return "vllm_v1";
    case engine::Scheduler::vllm_v0:
      return "vllm_v0";
    case engine::Scheduler::sglang:
      return "sglang";
    case engine::Scheduler::trtllm_no_evict:
      return "trtllm_no_evict";
    case engine::Scheduler::trtllm_max_utilization:
      return "trtllm_max_utilization";
    case engine::Scheduler::llamacpp:
      return "llamacpp";
  }
  return "";
}

std::string write_simulation(const SimulationAnswer& answer, const Outcome& outcome) {
  Writer out;
  out.begin_object();
  out.member("id", answer.id);
  out.member("kind", "simulation");
  write_setup(out, answer);
  write_requests(out, answer, outcome);
  write_latency(out, answer, outcome);
  write_throughput(out, outcome);
  write_levels(out, outcome);
  write_step_time(out, outcome);
  out.member("mfu", answer.mfu);
  out.member("mbu", answer.mbu);
  write_series(out, outcome.series);
  write_reasons(out, answer);
  out.end_object();
  return out.take();
}

void write_distribution(Writer& out, std::string_view name, const Distribution& d) {
  out.key(name);
  out.begin_object();
  out.member("mean", d.mean);
  out.member("p50", d.p50);
  out.member("p90", d.p90);
  out.member("p95", d.p95);
  out.member("p99", d.p99);
  out.member("max", d.max);
  out.member("count", d.count);
  out.end_object();
}

void write_bands(Writer& out, const std::array<double, 2>& ttft, const std::array<double, 2>& tpot,
                 std::string_view basis) {
  out.key("bands");
  out.begin_object();
  write_band(out, "ttft", ttft);
  write_band(out, "tpot", tpot);
  out.member("basis", basis);
  out.end_object();
}

std::string write_progress(const simulate::Progress& progress, std::string_view note) {
  Writer out;
  out.begin_object();
  out.member("done", progress.done);
  out.member("share", progress.share);
  out.member("finished", progress.finished);
  out.member("asked", progress.asked);
  out.member("time_s", progress.time_s);
  out.member("steps", progress.steps);
  out.member("running", progress.running);
  out.member("waiting", progress.waiting);
  out.member("kv_share", progress.kv_share);
  out.member("note", note);
  out.end_object();
  return out.take();
}

}  // namespace ridgepoint::api
