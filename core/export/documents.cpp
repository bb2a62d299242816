#include "export/documents.hpp"

#include <nlohmann/json.hpp>

#include "export/numbers.hpp"

namespace ridgepoint::exports {
namespace {

struct Kind {
  std::string_view name;
  Document (*document)(const Part&);
};

constexpr Kind kKinds[] = {
    {"scan", scan_document},
    {"recommend", recommend_document},
    {"compare", compare_document},
    {"advise", advise_document},
    {"command", command_document},
    {"command_text", command_text_document},
    {"log", log_document},
    {"explain", explain_document},
    {"simulation", simulation_document},
    {"capacity", capacity_document},
};

Error not_an_answer(std::string message) { return {"not_an_answer", std::move(message), "answer"}; }

}  // namespace

Result<Document> document_of(const json::Value& answer) {
  if (!answer.is_object()) {
    return not_an_answer("answer must be the whole answer, an object, and it is " +
                         std::string(json::kind_of(answer)) + ".");
  }
  Check error;
  const Part part(&answer, "answer", error);
  if (part.has("error")) {
    return not_an_answer("The answer is an error and has nothing to export: " +
                         json::excerpt(part.part("error").text("message"), 400));
  }
  const std::string kind = part.text("kind");
  Document (*document)(const Part&) = nullptr;
  if (kind.empty() && part.has("verdict") && part.has("memory")) {
    document = report_document;
  }
  for (const Kind& known : kKinds) {
    if (known.name == kind) {
      document = known.document;
    }
  }
  if (document == nullptr) {
    return not_an_answer(
        "answer is no answer of this version: pass on the whole of what evaluate, scan, recommend, "
        "compare, advise, explain, simulate, capacity, read_command, write_command or read_log "
        "gave.");
  }
  Document made = document(part);
  if (error) {
    return *std::move(error);
  }
  return made;
}

std::string verdict_status(const Part& verdict) {
  return verdict.flag("serves") ? "SERVES" : "DOES NOT SERVE";
}

void add_verdict(Document& document, const Part& verdict) {
  add_paragraph(document, verdict.text("text"));
  if (verdict.flag("serves") || !verdict.has("limit")) {
    return;
  }
  const double needed = verdict.number("needed_bytes");
  const double available = verdict.number("available_bytes");
  std::string text = "Limit: " + spoken(verdict.text("limit"));
  if (needed > 0.0) {
    text += "; needed " + size_text(needed) + ", available " + size_text(available);
    if (needed > available) {
      text += ", short by " + size_text(needed - available);
    }
  }
  add_paragraph(document, text + ".");
}

Measure measure_of(std::string_view unit) {
  if (unit == "bytes") {
    return Measure::bytes;
  }
  if (unit == "seconds" || unit == "s") {
    return Measure::seconds;
  }
  if (unit == "ratio" || unit == "fraction" || unit == "x" || unit.find("/s") != unit.npos ||
      unit.find("per_s") != unit.npos) {
    return Measure::rate;
  }
  return Measure::count;
}

std::string_view counted_of(std::string_view unit) {
  const bool said = unit == "bytes" || unit == "seconds" || unit == "s" || unit == "ratio" ||
                    unit == "fraction" || unit == "count";
  return said ? std::string_view() : unit;
}

std::string setup_text(const Part& request, bool with_engine) {
  const Part model = request.part("model");
  const Part gpu = request.part("gpu");
  const Part engine = request.part("engine");
  std::string text = model.text("id");
  if (text.empty() && !model.empty()) {
    text = "the given model";
  }
  if (!gpu.empty()) {
    const std::string count = gpu.text("count");
    const std::string id = gpu.text("id");
    std::string card;
    if (!id.empty()) {
      card = " x " + id;
    } else if (gpu.has("total_bytes")) {
      card = " x a card of " + size_text(gpu.number("total_bytes"));
    } else {
      card = gpu.number("count", 1.0) == 1.0 ? " card" : " cards";
    }
    text += (text.empty() ? "" : " on ") + (count.empty() ? std::string("1") : count) + card;
  }
  if (with_engine && !engine.empty()) {
    const std::string version = engine.text("version");
    text +=
        (text.empty() ? "" : ", ") + engine.text("name") + (version.empty() ? "" : " ") + version;
  }
  return text;
}

void add_speed_columns(std::vector<Column>& columns, Shown shown) {
  columns.push_back({"ttft_s", "first token", true, true, shown});
  columns.push_back({"tpot_s", "a token every", true, true, shown});
  columns.push_back({"decode_tokens_per_s", "tokens/s", true, true, shown});
}

void add_speed_cells(Row& row, const Part& speed) {
  row.push_back(speed.cell("ttft_s", Measure::seconds));
  row.push_back(speed.cell("tpot_s", Measure::seconds));
  row.push_back(speed.cell("decode_tokens_per_s", Measure::rate));
}

}  // namespace ridgepoint::exports
