#include "export/documents.hpp"
#include "export/numbers.hpp"

namespace ridgepoint::exports {
namespace {

Table changes_table(const Part& answer) {
  Table table;
  table.name = "changes";
  table.title = "What mends it, smallest change first";
  table.style = Table::Style::records;
  table.columns = {{"change", "change"},
                   {"how", "how"},
                   {"effect", "effect"},
                   {"cost", "cost"},
                   {"level", "level", false, false, Shown::data},
                   {"max_requests", "requests at once", true, true},
                   {"max_context_tokens", "longest context", true},
                   {"kv_pool_bytes", "KV pool", true, true}};
  for (const Part& change : answer.parts("changes")) {
    table.rows.push_back({words(change.text("change")), words(change.text("how")),
                          words(change.text("effect")), words(change.text("cost")),
                          words(change.text("level")), change.cell("max_requests"),
                          change.cell("max_context"), change.cell("kv_pool", Measure::bytes)});
  }
  return table;
}

Table waste_table(const Part& answer) {
  Table table;
  table.name = "waste";
  table.title = "What is wasted";
  table.columns = {{"what", "what"}, {"bytes", "size", true}, {"text", "how to use it"}};
  for (const Part& waste : answer.parts("waste")) {
    table.rows.push_back({words(spoken(waste.text("what"))), waste.cell("bytes", Measure::bytes),
                          words(waste.text("text"))});
  }
  return table;
}

}  // namespace

Document advise_document(const Part& answer) {
  Document document;
  const Part verdict = answer.part("verdict");
  Table changes = changes_table(answer);
  const std::string problem = answer.text("problem");
  const bool serves = verdict.flag("serves");
  document.status = serves && !problem.empty() ? "SERVES TOO LITTLE" : verdict_status(verdict);
  document.title = verdict.text("text");
  document.main_table = "changes";
  if (!serves && verdict.has("limit")) {
    Document limit;
    add_verdict(limit, verdict);
    document.blocks.push_back(std::move(limit.blocks.back()));
  }
  add_paragraph(document, problem == document.title ? std::string() : problem);
  add_table(document, std::move(changes));
  add_table(document, waste_table(answer));
  add_list(document, "Notes", answer.texts("notes"));
  return document;
}

}  // namespace ridgepoint::exports
