#include <algorithm>

#include "export/documents.hpp"
#include "export/numbers.hpp"

namespace ridgepoint::exports {
namespace {

std::string card_of(const Part& gpu) {
  return gpu.text("name").empty() ? gpu.text("id") : gpu.text("name");
}

/// "TP 2, EP": only what is more than one, and what is switched on.
std::string parallelism(const Part& part) {
  constexpr struct {
    std::string_view key;
    std::string_view name;
  } kWays[] = {{"tensor", "TP"}, {"pipeline", "PP"}, {"data", "DP"}, {"expert", "EP"}};
  std::string text;
  for (const auto& way : kWays) {
    const Cell cell = part.cell(way.key);
    const bool many = cell.kind == Cell::Kind::number && cell.best.value > 1.0;
    if (many || (cell.kind == Cell::Kind::flag && cell.flag)) {
      text += (text.empty() ? "" : ", ") + std::string(way.name);
      text += many ? " " + cell.best.digits : std::string();
    }
  }
  return text;
}

std::string joined(const std::vector<std::string>& list, std::string_view between) {
  std::string text;
  for (const std::string& each : list) {
    text += (text.empty() ? "" : std::string(between)) + each;
  }
  return text;
}

std::string formats(const Part& answer) {
  const std::string weights = answer.text("weight_format");
  const std::string kv = answer.text("kv_format");
  return weights + (weights.empty() || kv.empty() ? "" : " / ") + kv;
}

/// What a setup did with the load that it was tried with.
constexpr struct {
  std::string_view key;
  std::string_view title;
  std::string_view of;  ///< the member of the load that it is in, or nothing
  std::string_view member;
  Measure measure;
} kUnderLoad[] = {
    {"load_share_meeting", "share within the SLO", "", "share_meeting", Measure::rate},
    {"load_share_low", "least share of the draws", "share_by_draw", "low", Measure::rate},
    {"load_ttft_p99_s", "first token p99", "ttft_s", "p99", Measure::seconds},
    {"load_tpot_p99_s", "a token every p99", "tpot_s", "p99", Measure::seconds},
    {"load_output_tokens_per_s", "tokens/s under load", "", "output_tokens_per_s", Measure::rate},
    {"load_kv_peak_share", "KV pool at most", "", "kv_peak_share", Measure::rate},
    {"load_cost_per_million_output_tokens", "a million tokens", "",
     "cost_per_million_output_tokens", Measure::decimal},
};

bool tried(const std::vector<Part>& answers) {
  return !answers.empty() && answers.front().has("load");
}

std::vector<Column> columns(const std::string& currency, bool with_load) {
  const std::string unit = currency.empty() ? std::string() : currency + " ";
  std::vector<Column> columns = {
      {"rank", "#", true},
      {"gpu", "card"},
      {"gpu_id", "id", false, false, Shown::data},
      {"cards", "cards", true},
      {"engine", "engine"},
      {"tensor_parallel", "TP", true, false, Shown::data},
      {"pipeline_parallel", "PP", true, false, Shown::data},
      {"data_parallel", "DP", true, false, Shown::data},
      {"expert_parallel", "EP", true, false, Shown::data},
      {"weight_format", "weights", false, false, Shown::data},
      {"kv_format", "KV format", false, false, Shown::data},
      {"formats", "weights / KV", false, false, Shown::reading},
      {"max_requests", "requests", true, true},
      {"headroom_requests", "headroom", true, false, Shown::wide},
      {"max_context_tokens", "longest context", true, false, Shown::wide},
      {"kv_pool_bytes", "KV pool", true, true, Shown::wide},
      {"price_per_hour", unit + "per hour", true, false, Shown::data},
      {"price", unit + "per hour", true, false, Shown::reading},
  };
  add_speed_columns(columns, Shown::wide);
  columns.push_back({"limiting_term", "limited by", false, false, Shown::data});
  columns.push_back({"breaks_first", "breaks first", false, false, Shown::data});
  columns.push_back({"args", "flags", false, false, Shown::data});
  if (with_load) {
    for (const auto& each : kUnderLoad) {
      columns.push_back({std::string(each.key), std::string(each.title), true, false, Shown::wide});
    }
  }
  return columns;
}

Row row_of(const Part& answer, std::size_t rank, bool with_load) {
  const Part gpu = answer.part("gpu");
  const Part engine = answer.part("engine");
  const Part ways = answer.part("parallelism");
  Row row = {whole_number(rank),
             words(card_of(gpu)),
             words(gpu.text("id")),
             answer.cell("count"),
             words(engine.text("name") + " " + engine.text("version")),
             ways.cell("tensor"),
             ways.cell("pipeline"),
             ways.cell("data"),
             ways.cell("expert"),
             words(answer.text("weight_format")),
             words(answer.text("kv_format")),
             words(formats(answer)),
             answer.cell("max_requests"),
             answer.cell("headroom_requests"),
             answer.cell("max_context"),
             answer.cell("kv_pool", Measure::bytes),
             answer.cell("price_per_hour", Measure::decimal),
             answer.has("price_per_hour") ? answer.cell("price_per_hour", Measure::decimal)
                                          : words("no price")};
  add_speed_cells(row, answer.part("speed"));
  row.push_back(words(answer.text("limiting_term")));
  row.push_back(words(answer.text("breaks_first")));
  row.push_back(words(joined(answer.flags("args"), " ")));
  if (with_load) {
    const Part load = answer.part("load");
    for (const auto& each : kUnderLoad) {
      const Part part = each.of.empty() ? load : load.part(each.of);
      row.push_back(part.cell(each.member, each.measure));
    }
  }
  return row;
}

std::string under_load(const Part& load) {
  if (load.empty()) {
    return {};
  }
  const auto time = [&load](std::string_view key) {
    return cell_text(load.part(key).cell("p99", Measure::seconds));
  };
  const Part draws = load.part("share_by_draw");
  const std::string least =
      draws.empty() ? std::string()
                    : ", " + fixed(100.0 * draws.number("low"), 1) + " % on the worst draw";
  return fixed(100.0 * load.number("share_meeting"), 1) + " % keep to the wishes" + least +
         ", first token p99 " + time("ttft_s") + ", a token every " + time("tpot_s") + " p99, " +
         cell_text(load.cell("output_tokens_per_s", Measure::rate)) + " tokens/s.";
}

/// What the table has no room for.
std::string about(const Part& answer, std::size_t rank) {
  std::string text = std::to_string(rank) + ". " + answer.text("count") + " x " +
                     card_of(answer.part("gpu")) + ", " + answer.part("engine").text("name");
  const auto add = [&text](std::string_view lead, const std::string& more) {
    if (!more.empty()) {
      text += (text.back() == '.' ? " " : ". ") + std::string(lead) + more;
    }
  };
  const std::string ways = parallelism(answer.part("parallelism"));
  text += ways.empty() ? "" : ", " + ways;
  add("Under the load: ", under_load(answer.part("load")));
  add("", answer.text("reason"));
  add("Breaks first: ", answer.text("breaks_first"));
  add("Flags: ", joined(answer.flags("args"), " "));
  return text;
}

std::string searched_text(const Part& searched) {
  if (searched.empty()) {
    return {};
  }
  return "Searched " + fixed(searched.number("cards"), 0) + " cards, " +
         fixed(searched.number("setups"), 0) + " setups, " +
         fixed(searched.number("estimates"), 0) + " estimates" +
         (searched.has("simulations")
              ? ", " + fixed(searched.number("simulations"), 0) + " simulations."
              : std::string("."));
}

std::string prices_text(const Part& prices) {
  if (prices.empty()) {
    return {};
  }
  std::string text = "Prices per hour";
  const auto add = [&text](std::string_view lead, const std::string& more) {
    text += more.empty() ? std::string() : std::string(lead) + more;
  };
  add(" in ", prices.text("currency"));
  add(" of ", prices.text("date"));
  add(": ", prices.text("source"));
  return text + ".";
}

/// A card without a price is ranked last by price, whatever it costs.
std::string unpriced_text(const std::vector<Part>& answers) {
  std::vector<std::string> cards;
  std::string id;
  for (const Part& answer : answers) {
    const Part gpu = answer.part("gpu");
    if (answer.has("price_per_hour") ||
        std::find(cards.begin(), cards.end(), card_of(gpu)) != cards.end()) {
      continue;
    }
    id = id.empty() ? gpu.text("id") : id;
    cards.push_back(card_of(gpu));
  }
  if (cards.empty()) {
    return {};
  }
  return "No price is known of " + joined(cards, ", ") +
         "; by price such cards come last. Give one per card and hour in prices, on the command "
         "line for example --price " +
         id + "=1.50.";
}

}  // namespace

Document recommend_document(const Part& answer) {
  Document document;
  const std::vector<Part> answers = answer.parts("answers");
  document.main_table = "answers";
  Table table;
  table.name = "answers";
  const bool with_load = tried(answers);
  table.columns = columns(answer.part("prices").text("currency"), with_load);
  std::vector<std::string> more;
  for (const Part& each : answers) {
    const std::size_t rank = table.rows.size() + 1;
    table.rows.push_back(row_of(each, rank, with_load));
    more.push_back(about(each, rank));
  }
  if (answers.empty()) {
    document.status = "NOTHING FOUND";
    document.title = answer.part("none").text("text");
  } else {
    const Part& best = answers.front();
    document.status = "FOUND";
    document.title = std::to_string(answers.size()) + (answers.size() == 1 ? " setup" : " setups") +
                     ", best first: " + best.text("count") + " x " + card_of(best.part("gpu")) +
                     ", " + best.part("engine").text("name") + " " +
                     best.part("engine").text("version");
  }
  add_table(document, std::move(table));
  add_list(document, "Why, and how to start it", std::move(more));
  add_paragraph(document, searched_text(answer.part("searched")));
  add_paragraph(document, prices_text(answer.part("prices")));
  add_paragraph(document, unpriced_text(answers));
  add_list(document, "Notes", answer.texts("notes"));
  return document;
}

}  // namespace ridgepoint::exports
