#include "export/documents.hpp"
#include "export/numbers.hpp"

namespace ridgepoint::exports {
namespace {

std::string_view unit_of(const Part& answer) {
  return answer.text("over") == "concurrency" ? "requests at once" : "requests a second";
}

Table curve_table(const Part& answer) {
  Table table;
  table.name = "curve";
  const bool users = answer.text("over") == "concurrency";
  table.columns = {
      {users ? "concurrency" : "requests_per_s", users ? "at once" : "requests/s", true},
      {"ttft_p50_s", "first token p50", true, false, Shown::wide},
      {"ttft_p99_s", "first token p99", true},
      {"tpot_p50_s", "a token every p50", true, false, Shown::wide},
      {"tpot_p99_s", "a token every p99", true},
      {"e2e_p50_s", "whole request p50", true, false, Shown::wide},
      {"e2e_p99_s", "whole request p99", true, false, Shown::wide},
      {"output_tokens_per_s", "tokens/s", true},
      {"share_meeting", "share within the SLO", true},
      {"kv_peak_share", "KV pool at most", true, false, Shown::wide},
      {"meets", "meets"},
      {"piles_up", "piles up"},
  };
  for (const Part& point : answer.parts("curve")) {
    Row row = {point.cell("value", Measure::rate)};
    for (const std::string_view time : {"ttft_s", "tpot_s", "e2e_s"}) {
      const Part times = point.part(time);
      row.push_back(times.cell("p50", Measure::seconds));
      row.push_back(times.cell("p99", Measure::seconds));
    }
    row.push_back(point.cell("output_tokens_per_s", Measure::rate));
    row.push_back(point.cell("share_meeting", Measure::rate));
    row.push_back(point.cell("kv_peak_share", Measure::rate));
    row.push_back(point.cell("meets"));
    row.push_back(point.cell("piles_up"));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table changes_table(const Part& answer) {
  Table table;
  table.name = "changes";
  table.title = "What carries more";
  table.style = Table::Style::records;
  table.columns = {{"change", "change"},
                   {"cards", "cards", true},
                   {"best", std::string(unit_of(answer)), true},
                   {"how", "how"}};
  for (const Part& change : answer.parts("changes")) {
    table.rows.push_back({words(change.text("change")), change.cell("cards"),
                          change.cell("best", Measure::rate), words(change.text("how"))});
  }
  return table;
}

/// "5.2 requests a second (4.99 to 5.36)".
std::string most_text(const Part& answer) {
  const Part best = answer.part("best");
  const double low = best.number("low");
  const double high = best.number("high");
  std::string text = short_number(best.number("value")) + " " + std::string(unit_of(answer));
  if (low < high) {
    text += " (" + short_number(low) + " to " + short_number(high) + ", by the draw)";
  }
  return text;
}

std::string cost_text(const Part& answer) {
  if (!answer.has("cost_per_million_output_tokens")) {
    return {};
  }
  return "A million output tokens cost " +
         fixed(answer.number("cost_per_million_output_tokens"), 2) +
         (answer.text("currency").empty() ? "" : " " + answer.text("currency")) + " there.";
}

}  // namespace

Document capacity_document(const Part& answer) {
  Document document;
  const bool carries = answer.has("best");
  document.status = carries ? "CARRIES" : "CARRIES NOTHING";
  document.title = carries ? most_text(answer) : std::string();
  document.main_table = "curve";
  add_table(document, curve_table(answer));
  add_paragraph(document, answer.part("limit").text("text"));
  add_paragraph(document, cost_text(answer));
  add_table(document, changes_table(answer));
  add_list(document, "Assumed", answer.texts("assumptions"));
  return document;
}

}  // namespace ridgepoint::exports
