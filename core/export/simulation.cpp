#include "export/documents.hpp"
#include "export/numbers.hpp"

namespace ridgepoint::exports {
namespace {

struct Named {
  std::string_view key;
  std::string_view title;
};

constexpr Named kTimes[] = {
    {"ttft_s", "first token"},  {"tpot_s", "a token every"},   {"itl_s", "gap between tokens"},
    {"e2e_s", "whole request"}, {"queue_s", "waiting before"},
};

constexpr Named kParts[] = {
    {"linear_s", "linear layers"},
    {"attention_s", "attention"},
    {"experts_s", "experts"},
    {"communication_s", "between cards"},
    {"head_s", "output head"},
    {"elementwise_s", "elementwise"},
    {"host_s", "host"},
    {"idle_s", "idle"},
};

Table latency_table(const Part& latency) {
  Table table;
  table.name = "latency";
  table.columns = {{"time", "time"}};
  for (const std::string_view column : {"mean", "p50", "p90", "p95", "p99", "max"}) {
    table.columns.push_back({std::string(column) + "_s", std::string(column), true});
  }
  table.columns.push_back({"count", "count", true, false, Shown::wide});
  for (const Named& time : kTimes) {
    const Part part = latency.part(time.key);
    Row row = {words(std::string(time.title))};
    for (const std::string_view column : {"mean", "p50", "p90", "p95", "p99", "max"}) {
      row.push_back(part.number("count") > 0.0 ? part.cell(column, Measure::seconds) : Cell{});
    }
    row.push_back(part.cell("count"));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table figures_table(const Part& answer) {
  Table table;
  table.name = "figures";
  table.style = Table::Style::pairs;
  table.columns = {{"figure", "figure"}, {"value", "value", true}};
  const auto add = [&table](std::string_view title, Cell cell) {
    if (cell.kind != Cell::Kind::empty) {
      table.rows.push_back({words(std::string(title)), std::move(cell)});
    }
  };
  const Part requests = answer.part("requests");
  const Part throughput = answer.part("throughput");
  const Part goodput = answer.part("goodput");
  const Part kv = answer.part("kv");
  add("requests finished", requests.cell("finished"));
  add("requests refused", requests.cell("refused"));
  add("duration", answer.cell("duration_s", Measure::seconds));
  add("requests a second", throughput.cell("requests_per_s", Measure::rate));
  add("of them within the SLO", goodput.cell("requests_per_s", Measure::rate));
  add("share within the SLO", goodput.cell("share", Measure::rate));
  add("output tokens a second", throughput.cell("output_tokens_per_s", Measure::rate));
  add("with those of prompts", throughput.cell("total_tokens_per_s", Measure::rate));
  add("tokens of the KV pool", kv.cell("tokens"));
  add("share of it in use", kv.cell("mean_share", Measure::rate));
  add("at most", kv.cell("peak_share", Measure::rate));
  add("requests running", answer.part("running").cell("mean", Measure::rate));
  add("requests waiting", answer.part("waiting").cell("mean", Measure::rate));
  add("preemptions", answer.cell("preemptions"));
  add("share of the peak compute used", answer.cell("mfu", Measure::rate));
  add("share of the bandwidth used", answer.cell("mbu", Measure::rate));
  const std::string currency = answer.text("currency");
  const std::string in = currency.empty() ? std::string() : " in " + currency;
  add("price of a million output tokens" + in,
      answer.cell("cost_per_million_output_tokens", Measure::decimal));
  add("price per hour" + in, answer.cell("price_per_hour", Measure::decimal));
  return table;
}

Table steps_table(const Part& time) {
  Table table;
  table.name = "steps";
  table.title = "Where the time goes";
  table.columns = {{"part", "part"}, {"time_s", "time", true}};
  for (const Named& part : kParts) {
    if (time.number(part.key) > 0.0) {
      table.rows.push_back({words(std::string(part.title)), time.cell(part.key, Measure::seconds)});
    }
  }
  return table;
}

Table series_table(const Part& series) {
  Table table;
  table.name = "series";
  table.shown = Shown::data;
  std::vector<std::vector<Cell>> columns;
  for (const std::string_view key :
       {"t_s", "kv_share", "running", "waiting", "output_tokens_per_s", "preemptions"}) {
    table.columns.push_back({std::string(key), spoken(key), true});
    columns.push_back(series.cells(key, Measure::none));
  }
  for (std::size_t i = 0; i < columns.front().size(); ++i) {
    Row row;
    for (const std::vector<Cell>& column : columns) {
      row.push_back(i < column.size() ? column[i] : Cell{});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string refused_text(const Part& requests) {
  return requests.number("refused") > 0.0 ? requests.text("refused_why") : std::string();
}

}  // namespace

Document simulation_document(const Part& answer) {
  Document document;
  const Part gpu = answer.part("gpu");
  const Part engine = answer.part("engine");
  const std::string card = gpu.text("id");
  document.status = !answer.has("goodput")                 ? "SIMULATED"
                    : answer.part("goodput").flag("meets") ? "MEETS THE SLO"
                                                           : "MISSES THE SLO";
  document.title = gpu.text("count") + " x " + (card.empty() ? "the given card" : card) + ", " +
                   engine.text("name") + " " + engine.text("version");
  document.main_table = "latency";
  add_paragraph(document, refused_text(answer.part("requests")));
  add_table(document, latency_table(answer.part("latency")));
  add_table(document, figures_table(answer));
  add_table(document, steps_table(answer.part("step_time")));
  add_table(document, series_table(answer.part("series")));
  add_paragraph(document, answer.part("limit").text("text"));
  add_list(document, "Assumed", answer.texts("assumptions"));
  return document;
}

}  // namespace ridgepoint::exports
